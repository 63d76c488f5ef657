// What a tile may cost whoever throws it.
#pragma once

#include <cstdint>

#include "libs/bots/goals.h"
#include "libs/bots/sight.h"

namespace mj::bots {

// What is expected to come of something, of which so many are a unit.
using Expected = std::int64_t;
inline constexpr Expected kExpectedUnit = 100'000;

// Estimates, from one seat's view: how likely each of the three others waits, what for it has no use,
// what it would be paid. Does not allocate.
class Dangers {
 public:
  // Both outlive it.
  Dangers(const Sight& sight, const GoalFinder& goals);

  // What throwing `tile` is expected to cost.
  Expected Of(tiles::Tile tile) const;

 private:
  struct Other {
    rules::Seat seat = rules::Seat::k0;
    int ready = 0;          // thousandths
    rules::Units pays = 0;  // what its win on a discard costs; 0: it cannot win so
    rules::KindMask thrown = 0;
    rules::KindMask passed = 0;  // thrown by anybody since it last threw one itself
    rules::KindMask flush = 0;   // the kinds of its melds' suit and honours; 0: of several suits
    rules::Units last_meld = 0;  // what giving it one more meld may cost
  };

  int Wanted(const Other& other, tiles::Tile tile) const;

  const Sight& sight_;
  rules::InlineVector<Other, rules::kSeatCount - 1> others_;
};

}  // namespace mj::bots
