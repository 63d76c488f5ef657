#include "libs/console/text.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace mj::console {
namespace {

struct Range {
  char32_t first, last;
};

// Wide and full-width characters (Unicode TR 11), as far as a mahjong text may hold them.
constexpr std::array<Range, 15> kWide = {{{0x1100, 0x115F},
                                          {0x2E80, 0x303E},
                                          {0x3041, 0x33FF},
                                          {0x3400, 0x4DBF},
                                          {0x4E00, 0x9FFF},
                                          {0xA000, 0xA4CF},
                                          {0xA960, 0xA97C},
                                          {0xAC00, 0xD7A3},
                                          {0xF900, 0xFAFF},
                                          {0xFE30, 0xFE6F},
                                          {0xFF00, 0xFF60},
                                          {0xFFE0, 0xFFE6},
                                          {0x1F300, 0x1F64F},
                                          {0x1F900, 0x1F9FF},
                                          {0x20000, 0x3FFFD}}};
constexpr std::array<Range, 3> kCombining = {
    {{0x0300, 0x036F}, {0x200B, 0x200F}, {0xFE00, 0xFE0F}}};

template <std::size_t N>
bool In(const std::array<Range, N>& ranges, char32_t point) {
  return std::any_of(ranges.begin(), ranges.end(), [point](const Range& range) {
    return range.first <= point && point <= range.last;
  });
}

struct Character {
  std::size_t bytes = 1;
  int width = 1;
};

// The character that `text` begins with. REQUIRES: not empty.
Character First(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  const std::size_t bytes = lead < 0x80             ? 1
                            : (lead & 0xE0) == 0xC0 ? 2
                            : (lead & 0xF0) == 0xE0 ? 3
                            : (lead & 0xF8) == 0xF0 ? 4
                                                    : 1;
  if (bytes == 1 || bytes > text.size()) return {};
  char32_t point = lead & (0xFFu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    point = (point << 6) | (byte(i) & 0x3Fu);
  }
  return {bytes, In(kWide, point) ? 2 : In(kCombining, point) ? 0 : 1};
}

std::string Blanks(int n) { return std::string(static_cast<std::size_t>(std::max(0, n)), ' '); }

// Where the first line of `text` ends, in bytes, when it may take `width` columns.
std::size_t FirstLine(std::string_view text, int width) {
  std::size_t at = 0, good = 0;
  int columns = 0;
  bool after_wide = false;
  while (at < text.size()) {
    const Character next = First(text.substr(at));
    if (text[at] == ' ' || (after_wide && next.width == 2)) good = at;
    if (columns + next.width > width) return good > 0 ? good : std::max(at, next.bytes);
    columns += next.width;
    at += next.bytes;
    after_wide = next.width == 2;
  }
  return at;
}

}  // namespace

int WidthOf(std::string_view text) {
  int width = 0;
  while (!text.empty()) {
    const Character first = First(text);
    width += first.width;
    text.remove_prefix(first.bytes);
  }
  return width;
}

std::string PadRight(std::string_view text, int width) {
  return std::string(text) + Blanks(width - WidthOf(text));
}

std::string PadLeft(std::string_view text, int width) {
  return Blanks(width - WidthOf(text)) + std::string(text);
}

std::string Clip(std::string_view text, int width) {
  std::size_t at = 0;
  int columns = 0;
  while (at < text.size()) {
    const Character next = First(text.substr(at));
    if (columns + next.width > width) break;
    columns += next.width;
    at += next.bytes;
  }
  return std::string(text.substr(0, at));
}

std::vector<std::string> Wrap(std::string_view text, int width, int indent) {
  std::vector<std::string> lines;
  do {
    const int lead = lines.empty() ? 0 : indent;
    const std::size_t end = FirstLine(text, width - lead);
    std::string_view line = text.substr(0, end);
    while (line.ends_with(' ')) line.remove_suffix(1);
    lines.push_back(Blanks(lead) + std::string(line));
    text.remove_prefix(end);
    while (text.starts_with(' ')) text.remove_prefix(1);
  } while (!text.empty());
  return lines;
}

std::string Grouped(std::int64_t number) {
  std::string digits = std::to_string(number);
  const std::ptrdiff_t first = number < 0 ? 1 : 0;
  for (std::ptrdiff_t at = std::ssize(digits) - 3; at > first; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), 1, ',');
  }
  return digits;
}

std::string Signed(std::int64_t number) { return (number > 0 ? "+" : "") + Grouped(number); }

}  // namespace mj::console
