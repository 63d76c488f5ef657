// Protocol buffers' wire format, field by field, without messages: the other side of FlatWriter.
#pragma once

#include <cstdint>
#include <string_view>

namespace mj::wire {

// Knows numbers (varints) and what has its length before it; anything else ends it without being
// done. Nothing is checked but the framing: texts may be no UTF-8, and a field may come twice.
class FlatReader {
 public:
  // `message` must stay.
  explicit FlatReader(std::string_view message)
      : at_(message.data()), end_(message.data() + message.size()) {}

  // Goes to the next field. False at the end, or where the message cannot be read.
  bool Next() {
    std::uint64_t tag = 0;
    if (at_ == end_ || !Varint(tag, kShortMost)) return false;
    const unsigned type = tag & 7;
    if (tag >> 3 == 0 || tag >> 3 > kFieldMost || (type != 0 && type != 2)) return Fail();
    field_ = static_cast<int>(tag >> 3);
    is_number_ = type == 0;
    if (!Varint(number_, is_number_ ? kLongMost : kShortMost)) return false;
    if (is_number_) return true;
    if (number_ > static_cast<std::uint64_t>(end_ - at_)) return Fail();
    bytes_ = {at_, static_cast<std::size_t>(number_)};
    at_ += number_;
    return true;
  }
  // Whether the whole message was read. REQUIRES: Next() was false.
  [[nodiscard]] bool done() const { return at_ == end_ && good_; }

  [[nodiscard]] int field() const { return field_; }
  [[nodiscard]] bool is_number() const { return is_number_; }
  [[nodiscard]] std::uint64_t number() const { return number_; }   // REQUIRES: is_number()
  [[nodiscard]] std::string_view bytes() const { return bytes_; }  // REQUIRES: !is_number()

 private:
  static constexpr std::uint64_t kFieldMost = (1 << 29) - 1;
  // Bits of a varint: of five bytes, a tag's or a length's, and of ten, as protobuf takes them.
  static constexpr unsigned kShortMost = 35;
  static constexpr unsigned kLongMost = 70;

  bool Varint(std::uint64_t& value, unsigned most) {
    value = 0;
    for (unsigned shift = 0; at_ != end_ && shift < most; shift += 7) {
      const auto byte = static_cast<unsigned char>(*at_++);
      value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return true;
    }
    return Fail();
  }
  bool Fail() {
    good_ = false;
    return false;
  }

  const char* at_;
  const char* end_;
  int field_ = 0;
  bool is_number_ = false;
  bool good_ = true;
  std::uint64_t number_ = 0;
  std::string_view bytes_;
};

}  // namespace mj::wire
