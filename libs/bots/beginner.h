// How somebody plays who has just learned the rules.
#pragma once

#include <cstdint>

#include "libs/bots/sight.h"

namespace mj::bots {

// Throws the tile that touches the fewest others, makes every kong and most pungs, some chows; counts
// nothing. `seed` decides between equals, and what is called.
round::Choice BeginnersChoice(const Sight& sight, std::uint64_t seed);

}  // namespace mj::bots
