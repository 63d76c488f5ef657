// Whole rounds of any game, checked at every event.
#pragma once

#include <cstdint>
#include <string>

#include "libs/rules/variant.h"

namespace mj::rules::contract {

// Plays `count` rounds from `seed`, with options, walls and players drawn from it: three of four by
// players that choose at random, the fourth by bots. The first fault in words, empty when all
// hold:
//   - every round ends within a bound of commands;
//   - every event leaves the tiles complete and the hands in shape (round/invariants.h);
//   - replaying the events gives the same state;
//   - every choice that is offered would be accepted, others (a sample) are refused, whoever is asked
//     may be late, anybody may leave, and none of these questions changes anything;
//   - the result can be a round of this game (CheckRound), all its wins are legal, and its
//     transfers sum to zero over the seats.
std::string CheckPlayouts(const Variant& game, std::int64_t count, std::uint64_t seed);

}  // namespace mj::rules::contract
