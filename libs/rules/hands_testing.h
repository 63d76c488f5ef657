// Hands for tests and benchmarks, made from a seed: the same on every machine.
#pragma once

#include <cstdint>
#include <vector>

#include "libs/rules/reading.h"
#include "tests/support/random.h"

namespace mj::rules {

// Makes hands of 14 - 3 x melds tiles that the given wall can deal.
class HandMaker {
 public:
  HandMaker(std::uint64_t seed, const TileCounts& wall, Shapes shapes)
      : random_(seed), wall_(wall), shapes_(shapes) {}

  // A hand that wins. Of those without melds one in sixteen is seven pairs and one in sixty-four
  // thirteen orphans, where these are played. A third of the others is of few kinds, so that many
  // can be read in several ways; the rest is of any.
  TileCounts Winning(int melds = 0);
  // A winning hand in which one or two tiles were changed, so that it does not win any more.
  TileCounts NearMiss(int melds = 0);

 private:
  bool Possible(const TileCounts& tiles) const;
  Tile AnyTile();
  TileCounts Standard(int melds);
  TileCounts SevenPairs();
  TileCounts ThirteenOrphans();

  testing::Random random_;
  TileCounts wall_;
  Shapes shapes_;
};

// `count` hands of fourteen tiles, half of them wins, in random order.
std::vector<TileCounts> MixedHands(std::uint64_t seed, std::int64_t count, const TileCounts& wall,
                                   Shapes shapes);

// Four of each kind.
TileCounts FullWall();

}  // namespace mj::rules
