// Random hands out of a wall.
#pragma once

#include <optional>
#include <vector>

#include "libs/rules/variant.h"
#include "tests/scorer/readings_testing.h"
#include "tests/support/random.h"

namespace mj::scorer {

// What random hands are made from.
struct Wall {
  Kinds left{};
  bool chow = false;        // sequences may be called
  std::optional<int> wild;  // the wild kind
};

struct DealtHand {
  rules::Hand hand;  // givers of called melds are set
  int tile = 0;      // the winning one, taken from the wall unless it was asked for
};

// A hand of `seat` that wins, or nearly, and its winning tile; takes both from the wall. With
// `tile` it wins on that one, which has already left the wall. Nothing, and the wall as it was,
// when chance did not allow it.
std::optional<DealtHand> MakeHand(Wall& wall, rules::Seat seat, std::optional<int> tile,
                                  testing::Random& random);

// An element of a list that is not empty.
template <typename List>
auto PickFrom(const List& list, testing::Random& random) {
  return *(list.begin() + random.Below(static_cast<int>(list.size())));
}

}  // namespace mj::scorer
