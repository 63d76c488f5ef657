// What the ways to read a hand have in common.
#pragma once

#include "libs/rules/reading.h"

namespace mj::rules::internal {

// A terminal or an honour each.
inline constexpr KindMask kOrphanKinds = [] {
  KindMask kinds = 0;
  for (Tile tile : tiles::kAllKinds) {
    if (tile.is_terminal_or_honour()) kinds |= MaskOf(tile);
  }
  return kinds;
}();

// Which kinds there are; of which there is an odd number.
KindMask KindsOf(const TileCounts& counts);
KindMask OddKinds(const TileCounts& counts);

// Of how many kinds there are four or more.
int FourAlikes(const TileCounts& counts);

// To start from: a reading of four sets and a pair that are still to be named. Not known to the
// compiler where it is used, since it would clear a reading by a slow loop.
extern const Reading kFourBlankSets;

// Puts the melds first into a reading of four sets and a pair, with their tiles: it has `sets` for
// them, and nothing of them yet.
void AddMelds(Reading& reading, const Melds& melds);

}  // namespace mj::rules::internal
