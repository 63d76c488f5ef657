#include "tools/load/histogram.h"

#include <algorithm>
#include <bit>

namespace mj::load {
namespace {

constexpr std::uint64_t kLongest = 3'600'000'000;

}  // namespace

// Below 2 * 32 each microsecond has a cell; above, each doubling has 32.
std::size_t Histogram::CellOf(std::uint64_t microseconds) {
  constexpr std::uint64_t kSteps = 1U << kStepBits;
  if (microseconds < kSteps) return microseconds;
  const int shift = static_cast<int>(std::bit_width(microseconds)) - kStepBits - 1;
  return (static_cast<std::uint64_t>(shift) << kStepBits) + (microseconds >> shift);
}

std::uint64_t Histogram::TopOf(std::size_t cell) {
  constexpr std::uint64_t kSteps = 1U << kStepBits;
  if (cell < 2 * kSteps) return cell;
  const std::uint64_t shift = (cell >> kStepBits) - 1;
  const std::uint64_t base = kSteps + (cell & (kSteps - 1));
  return ((base + 1) << shift) - 1;
}

void Histogram::Add(std::chrono::microseconds time) {
  const std::uint64_t size =
      std::min(kLongest, static_cast<std::uint64_t>(std::max<std::int64_t>(0, time.count())));
  cells_[CellOf(size)].fetch_add(1, std::memory_order_relaxed);
  std::uint64_t seen = max_.load(std::memory_order_relaxed);
  while (seen < size && !max_.compare_exchange_weak(seen, size, std::memory_order_relaxed)) {
  }
}

std::uint64_t Histogram::count() const {
  std::uint64_t sum = 0;
  for (const auto& cell : cells_) sum += cell.load(std::memory_order_relaxed);
  return sum;
}

std::chrono::microseconds Histogram::Percentile(int percent) const {
  const std::uint64_t all = count();
  const std::uint64_t wanted = (all * static_cast<std::uint64_t>(percent) + 99) / 100;
  std::uint64_t sum = 0;
  for (std::size_t cell = 0; cell < kCells; ++cell) {
    sum += cells_[cell].load(std::memory_order_relaxed);
    if (sum > 0 && sum >= wanted) {
      return std::chrono::microseconds(std::min(TopOf(cell), max_.load(std::memory_order_relaxed)));
    }
  }
  return std::chrono::microseconds(0);
}

std::chrono::microseconds Histogram::max() const {
  return std::chrono::microseconds(max_.load(std::memory_order_relaxed));
}

void Histogram::Clear() {
  for (auto& cell : cells_) cell.store(0, std::memory_order_relaxed);
  max_.store(0, std::memory_order_relaxed);
}

}  // namespace mj::load
