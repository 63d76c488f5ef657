// What a bot leaves to chance.
#pragma once

#include <cstdint>

namespace mj::bots {

// SplitMix64's step: equal inputs, equal outputs, everywhere.
[[nodiscard]] constexpr std::uint64_t Mix(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31U);
}

}  // namespace mj::bots
