// Protocol buffers' wire format, written straight into bytes: for answers whose message objects
// would cost more than what they say. Field numbers are the generated constants.
//
//   FlatWriter out;
//   out.Message(RoundScore::kWinsFieldNumber, [&] {
//     out.Number(WinScore::kSeatFieldNumber, 2);
//   });
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

namespace mj::wire {

// Fields come out in the order in which they are written: as protobuf itself would write them when
// that is by their numbers. One thread at a time. Keeps its memory from one answer to the next.
class FlatWriter {
 public:
  void Clear() { size_ = 0; }
  [[nodiscard]] std::string_view bytes() const { return {buffer_.get(), size_}; }

  // A number, enum or bool; as proto3 does, not at all when it is 0. A negative one takes ten bytes.
  void Number(int field, std::int64_t value) {
    if (value != 0) Present(field, value);
  }
  // The same, of a field that is `optional`.
  void Present(int field, std::int64_t value) {
    char* to = Room(2 * kVarintMost);
    to = PutTag(to, field, kVarint);
    Took(PutVarint(to, static_cast<std::uint64_t>(value)));
  }
  // REQUIRES: well-formed UTF-8.
  void Text(int field, std::string_view text) {
    if (!text.empty()) Element(field, text);
  }
  // The same, of a field that is `repeated`; also what is in one message or packed list already.
  void Element(int field, std::string_view bytes) {
    char* to = Room(2 * kVarintMost + bytes.size());
    to = PutTag(to, field, kLengthFirst);
    to = PutVarint(to, bytes.size());
    std::memcpy(to, bytes.data(), bytes.size());
    Took(to + bytes.size());
  }
  // A number of a packed list that is open.
  void Packed(std::int64_t value) {
    Took(PutVarint(Room(kVarintMost), static_cast<std::uint64_t>(value)));
  }

  // A message or a packed list, whose fields are written by `body()`; also when that writes none.
  // `length_bytes` is a guess of how many its length takes: a wrong one costs a move.
  template <typename Body>
  void Message(int field, const Body& body, std::size_t length_bytes = 1) {
    char* to = PutTag(Room(kVarintMost + length_bytes), field, kLengthFirst);
    Took(to + length_bytes);
    const std::size_t begin = size_;
    body();
    const std::size_t length = size_ - begin;
    char prefix[kVarintMost];
    const auto needed = static_cast<std::size_t>(PutVarint(prefix, length) - prefix);
    if (needed != length_bytes) {
      Room(needed);
      char* const at = buffer_.get() + begin;
      std::memmove(at - length_bytes + needed, at, length);
      size_ = begin - length_bytes + needed + length;
    }
    std::memcpy(buffer_.get() + begin - length_bytes, prefix, needed);
  }

  // How many bytes a Text takes.
  [[nodiscard]] static std::size_t TextSize(int field, std::string_view text) {
    if (text.empty()) return 0;
    return VarintSize(static_cast<std::uint64_t>(field) << 3) + VarintSize(text.size()) +
           text.size();
  }
  [[nodiscard]] static std::size_t VarintSize(std::uint64_t value) {
    std::size_t size = 1;
    for (; value >= 0x80; value >>= 7) ++size;
    return size;
  }

 private:
  static constexpr std::size_t kVarintMost = 10;
  static constexpr std::size_t kFirstCapacity = 4096;
  static constexpr int kVarint = 0;
  static constexpr int kLengthFirst = 2;

  static char* PutVarint(char* to, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) *to++ = static_cast<char>(value | 0x80);
    *to++ = static_cast<char>(value);
    return to;
  }
  static char* PutTag(char* to, int field, int type) {
    return PutVarint(to, static_cast<std::uint64_t>(field) << 3 | static_cast<unsigned>(type));
  }

  // Where to write up to `bytes` more.
  char* Room(std::size_t bytes) {
    if (capacity_ - size_ < bytes) Grow(bytes);
    return buffer_.get() + size_;
  }
  void Took(const char* end) { size_ = static_cast<std::size_t>(end - buffer_.get()); }
  [[gnu::noinline]] void Grow(std::size_t bytes) {
    std::size_t capacity = capacity_ == 0 ? kFirstCapacity : 2 * capacity_;
    while (capacity - size_ < bytes) capacity *= 2;
    auto larger = std::make_unique_for_overwrite<char[]>(capacity);
    if (size_ > 0) std::memcpy(larger.get(), buffer_.get(), size_);
    buffer_ = std::move(larger);
    capacity_ = capacity;
  }

  std::unique_ptr<char[]> buffer_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace mj::wire
