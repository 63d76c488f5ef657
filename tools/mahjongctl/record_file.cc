#include "tools/mahjongctl/record_file.h"

#include <google/protobuf/stubs/logging.h>

#include <chrono>
#include <limits>

#include "libs/base/strings.h"
#include "libs/wire/kept_round.h"

namespace mj::mahjongctl {
namespace {

std::string Padded(std::int64_t number, std::size_t digits) {
  std::string text = std::to_string(number);
  return text.size() < digits ? std::string(digits - text.size(), '0') + text : text;
}

// Bytes of the UTF-8 character that `text` begins with; 0 where it begins with none.
std::size_t CharacterAt(std::string_view text) {
  const auto byte = static_cast<unsigned char>(text.front());
  const std::size_t size = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
  return size <= text.size() && base::IsUtf8(text.substr(0, size)) ? size : 0;
}

}  // namespace

RecordFile OpenRecord(std::string_view bytes) {
  const google::protobuf::LogSilencer silencer;  // what is wrong is said here
  RecordFile file;
  file.bytes = bytes.size();
  auto read = wire::ParseRoundRecord(bytes);
  if (read.ok()) {
    file.record = *std::move(read);
    return file;
  }
  file.misfit = std::string(base::ToStd(read.status().message()));
  // What else is wrong with it is worth knowing.
  ::mahjong::record::v1::RoundRecord message;
  if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()) ||
      !message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return file;
  }
  message.set_digest(wire::DigestOf(message));
  auto nevertheless = wire::FromRecord(message);
  if (nevertheless.ok()) file.record = *std::move(nevertheless);
  return file;
}

std::string Printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t size = CharacterAt(text);
    const auto byte = static_cast<unsigned char>(text.front());
    // C1 controls are two bytes, the first of them 0xC2.
    const bool control = byte < 0x20 || byte == 0x7F ||
                         (byte == 0xC2 && size == 2 && static_cast<unsigned char>(text[1]) < 0xA0);
    if (size == 0 || control) {
      out += '?';
    } else {
      out.append(text.substr(0, size));
    }
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return out;
}

std::string ClockText(record::Time time) {
  using std::chrono::floor;
  const auto of_day = time - floor<std::chrono::days>(time);
  const std::chrono::hh_mm_ss clock(floor<std::chrono::milliseconds>(of_day));
  return base::Cat(Padded(clock.hours().count(), 2), ":", Padded(clock.minutes().count(), 2), ":",
                   Padded(clock.seconds().count(), 2), ".", Padded(clock.subseconds().count(), 3));
}

std::string DateText(record::Time time) {
  const std::chrono::year_month_day day(std::chrono::floor<std::chrono::days>(time));
  return base::Cat(Padded(int{day.year()}, 4), "-", Padded(unsigned{day.month()}, 2), "-",
                   Padded(unsigned{day.day()}, 2), " ", ClockText(time));
}

}  // namespace mj::mahjongctl
