// How long something took, many times: counted by size, so that it takes no room and no lock.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace mj::load {

// Thread-safe. Sizes are kept to one part in 32; longer than an hour counts as an hour.
class Histogram {
 public:
  void Add(std::chrono::microseconds time);

  [[nodiscard]] std::uint64_t count() const;
  // What `percent` of all did not exceed, 0 to 100; 0 of none.
  [[nodiscard]] std::chrono::microseconds Percentile(int percent) const;
  [[nodiscard]] std::chrono::microseconds max() const;
  void Clear();

 private:
  static constexpr int kStepBits = 5;  // 32 steps to each doubling
  static constexpr std::size_t kCells = 32 * (1U << kStepBits);

  static std::size_t CellOf(std::uint64_t microseconds);
  static std::uint64_t TopOf(std::size_t cell);

  std::array<std::atomic<std::uint64_t>, kCells> cells_{};
  std::atomic<std::uint64_t> max_ = 0;
};

}  // namespace mj::load
