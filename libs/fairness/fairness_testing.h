// Helpers for this room's tests: hex, and seeds that are made from a number.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "libs/fairness/commitment.h"
#include "libs/tiles/tile.h"

namespace mj::fairness {

// REQUIRES: an even number of hexadecimal digits.
Bytes FromHex(std::string_view hex);
std::string ToHex(std::span<const std::uint8_t> bytes);

// A seed that depends on `number` alone, spread by SHA-512.
Seed TestSeed(std::uint64_t number);

// All 34 kinds, four of each.
tiles::TileCounts FullSet();

}  // namespace mj::fairness
