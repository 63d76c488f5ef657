#pragma once

// Randomness that is the same on every platform and in every run: for tests only.

#include <cstdint>

namespace mj::testing {

// SplitMix64. A copy continues independently from the same place.
class Random {
 public:
  explicit constexpr Random(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t Next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  // In [0, bound). REQUIRES: bound > 0. The bias of bounds this small does not matter to a test.
  constexpr int Below(int bound) {
    return static_cast<int>(Next() % static_cast<std::uint64_t>(bound));
  }
  constexpr bool OneIn(int n) { return Below(n) == 0; }

 private:
  std::uint64_t state_;
};

}  // namespace mj::testing
