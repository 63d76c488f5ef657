#include "libs/matching/network.h"

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>

namespace mj::matching {
namespace {

using std::size_t;
using Bytes4 = std::array<unsigned, 4>;

// All of `text` as a number of at most `digits` digits, in `base`.
std::optional<unsigned> Number(std::string_view text, int base, size_t digits) {
  unsigned value = 0;
  if (text.empty() || text.size() > digits) return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<Bytes4> ParseV4(std::string_view text) {
  Bytes4 bytes{};
  for (size_t i = 0; i < bytes.size(); ++i) {
    const size_t dot = text.find('.');
    if ((dot == std::string_view::npos) != (i + 1 == bytes.size())) return std::nullopt;
    const std::string_view part = text.substr(0, dot);
    const auto value = Number(part, 10, 3);
    // A leading zero is read as octal by some: no address for us.
    if (!value || *value > 255 || (part.size() > 1 && part.front() == '0')) return std::nullopt;
    bytes[i] = *value;
    if (dot != std::string_view::npos) text.remove_prefix(dot + 1);
  }
  return bytes;
}

std::string Written(const Bytes4& bytes) {
  std::string text;
  for (const unsigned byte : bytes)
    text.append(text.empty() ? "" : ".").append(std::to_string(byte));
  return text;
}

// Groups between colons; false unless every one is well-formed. The last may be an IPv4 address,
// which makes two.
bool ParseGroups(std::string_view text, std::array<unsigned, 8>& groups, size_t& count) {
  count = 0;
  if (text.empty()) return true;
  while (true) {
    const size_t colon = text.find(':');
    const std::string_view part = text.substr(0, colon);
    const bool last = colon == std::string_view::npos;
    if (const auto v4 = last ? ParseV4(part) : std::nullopt) {
      if (count + 2 > groups.size()) return false;
      groups[count++] = (*v4)[0] << 8 | (*v4)[1];
      groups[count++] = (*v4)[2] << 8 | (*v4)[3];
      return true;
    }
    const auto value = Number(part, 16, 4);
    if (!value || count == groups.size()) return false;
    groups[count++] = *value;
    if (last) return true;
    text.remove_prefix(colon + 1);
  }
}

std::optional<std::array<unsigned, 8>> ParseV6(std::string_view text) {
  std::array<unsigned, 8> head{};
  std::array<unsigned, 8> tail{};
  size_t heads = 0;
  size_t tails = 0;
  const size_t gap = text.find("::");
  if (gap == std::string_view::npos) {
    if (!ParseGroups(text, head, heads) || heads != head.size()) return std::nullopt;
    return head;
  }
  const std::string_view front = text.substr(0, gap);
  if (front.find('.') != std::string_view::npos) return std::nullopt;
  if (!ParseGroups(front, head, heads) || !ParseGroups(text.substr(gap + 2), tail, tails) ||
      heads + tails >= head.size()) {
    return std::nullopt;
  }
  for (size_t i = 0; i < tails; ++i) head[head.size() - tails + i] = tail[i];
  return head;
}

std::string Hex(unsigned group) {
  std::array<char, 8> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), group, 16);
  return {digits.data(), error == std::errc{} ? end : digits.data()};
}

}  // namespace

std::optional<std::string> NetworkOf(std::string_view address) {
  if (const auto v4 = ParseV4(address)) return Written(*v4);
  const auto v6 = ParseV6(address);
  if (!v6) return std::nullopt;
  const auto& g = *v6;
  if (g[0] == 0 && g[1] == 0 && g[2] == 0 && g[3] == 0 && g[4] == 0 && g[5] == 0xffff) {
    return Written({g[6] >> 8, g[6] & 0xff, g[7] >> 8, g[7] & 0xff});
  }
  return Hex(g[0]) + ":" + Hex(g[1]) + ":" + Hex(g[2]) + ":" + Hex(g[3]);
}

}  // namespace mj::matching
