// Text that is put together from many short pieces.
#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

namespace mj::receipt {

// Stays where it is made; allocates only for a text that is longer than most.
class Text {
 public:
  Text() = default;
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;

  // Inline, so that a literal is a store or two.
  [[gnu::always_inline]] Text& operator+=(std::string_view piece) {
    std::memcpy(Room(piece.size()), piece.data(), piece.size());
    size_ += piece.size();
    return *this;
  }
  [[gnu::always_inline]] Text& operator+=(std::int64_t number) {
    if (number >= 0 && number <= 9) {
      *Room(1) = static_cast<char>('0' + number);
      ++size_;
    } else {
      AppendLong(number);
    }
    return *this;
  }

  std::string_view view() const { return {bytes_, size_}; }

 private:
  static constexpr std::size_t kUsual = 1024;
  static constexpr std::size_t kDigits = 20;  // of any int64, with its sign

  [[gnu::always_inline]] char* Room(std::size_t bytes) {
    if (capacity_ - size_ < bytes) [[unlikely]]
      Grow(bytes);
    return bytes_ + size_;
  }
  void AppendLong(std::int64_t number) {
    char* const at = Room(kDigits);
    size_ += static_cast<std::size_t>(std::to_chars(at, at + kDigits, number).ptr - at);
  }
  void Grow(std::size_t bytes) {
    const std::size_t capacity = 2 * capacity_ + bytes;
    auto larger = std::make_unique_for_overwrite<char[]>(capacity);
    std::memcpy(larger.get(), bytes_, size_);
    longer_ = std::move(larger);
    bytes_ = longer_.get();
    capacity_ = capacity;
  }

  std::array<char, kUsual> usual_;
  std::unique_ptr<char[]> longer_;
  char* bytes_ = usual_.data();
  std::size_t size_ = 0;
  std::size_t capacity_ = kUsual;
};

}  // namespace mj::receipt
