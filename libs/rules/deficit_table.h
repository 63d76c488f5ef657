// How many tiles the tiles of one suit lack to be sets, or sets and a pair, worked out once for
// all: for hands with wild tiles.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "libs/rules/suit_table.h"

namespace mj::rules::internal {

// The least number of tiles to be added, a fifth of a kind too. Exact up to kMost. The sets may be
// five, one more than a hand has.
struct Deficit {
  static constexpr int kMost = 5;

  int to_sets = 0;
  int to_sets_and_pair = 0;
};

// One MiB, filled in a few milliseconds at first use; thread-safe and read-only from then on.
class DeficitTable {
 public:
  static const DeficitTable& Get() {
    static const DeficitTable table;
    return table;
  }

  // REQUIRES: a key.
  Deficit Of(std::uint32_t key) const {
    const int packed = packed_[key / 4] >> (2 * (key & 2)) & 0xF;
    const int to_sets = packed >> 1;
    return {.to_sets = to_sets, .to_sets_and_pair = to_sets + ((packed & 1) != 0 ? -1 : 2)};
  }

 private:
  DeficitTable();

  // Half a byte for each key, the first in the lower half: the deficit to sets, doubled, and one bit
  // for the other. That is two more, for a pair besides, or one less, where a triplet that lacks one
  // can be the pair. Nothing else fits: sets, and sets and a pair, have a fixed number of tiles but
  // for threes.
  std::array<std::uint8_t, kKeyWords * 16> packed_{};
};

}  // namespace mj::rules::internal
