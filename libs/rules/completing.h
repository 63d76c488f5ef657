// Which tiles a hand at rest could win on.
#pragma once

#include <optional>

#include "libs/rules/reading.h"

namespace mj::rules {

// The kinds that could complete `concealed` to a reading in one of `shapes`.
// No other kind does; whether one of these does, IsWin says. Almost every hand has none, which is
// what makes this worth keeping for as long as the hand rests: each of the three discards until its
// next draw, and that draw, then ask for a bit.
//
// Exact but for a wild kind (always in it), hands that hold one (every kind), and hands of terminals
// and honours alone where thirteen orphans are played (these kinds).
//
// REQUIRES: concealed.total() + 3 × melds.size() == 13. Does not allocate.
KindMask CompletingKinds(const TileCounts& concealed, const Melds& melds,
                         const std::optional<Tile>& wild, const Shapes& shapes);

}  // namespace mj::rules
