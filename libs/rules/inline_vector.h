// A short list inside its owner: no allocation, a fixed greatest length.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <type_traits>

namespace mj::rules {

// At most N elements of a default-constructible, copyable T.
// push_back answers false, and changes nothing, when the list is full.
template <typename T, std::size_t N>
class InlineVector {
 public:
  constexpr InlineVector() = default;
  constexpr InlineVector(std::initializer_list<T> items) {
    for (const T& item : items) push_back(item);
  }

  constexpr bool push_back(const T& item) {
    if (size_ == N) return false;
    items_[size_++] = item;
    return true;
  }
  // REQUIRES: !empty().
  constexpr void pop_back() { items_[--size_] = T{}; }
  constexpr void clear() {
    while (size_ > 0) pop_back();
  }

  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  static constexpr std::size_t capacity() { return N; }

  constexpr T& operator[](std::size_t i) { return items_[i]; }
  constexpr const T& operator[](std::size_t i) const { return items_[i]; }
  constexpr T& back() { return items_[size_ - 1]; }
  constexpr const T& back() const { return items_[size_ - 1]; }
  constexpr T* begin() { return items_.data(); }
  constexpr T* end() { return items_.data() + size_; }
  constexpr const T* begin() const { return items_.data(); }
  constexpr const T* end() const { return items_.data() + size_; }

  constexpr bool operator==(const InlineVector& other) const {
    if (size_ != other.size_) return false;
    for (std::size_t i = 0; i < size_; ++i) {
      if (!(items_[i] == other.items_[i])) return false;
    }
    return true;
  }

 private:
  // As small as it can be: most lists are of bytes, and are copied a lot.
  using Size =
      std::conditional_t<N <= std::numeric_limits<std::uint8_t>::max(), std::uint8_t, std::size_t>;
  std::array<T, N> items_{};
  Size size_ = 0;
};

}  // namespace mj::rules
