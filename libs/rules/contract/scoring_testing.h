// What a game's options and judgements must not hang on.
#pragma once

#include <cstdint>
#include <string>

#include "libs/rules/variant.h"

namespace mj::rules::contract {

// Options: what is parsed writes back to the same texts, and what is out of range, of another type
// or unknown is refused with its name. The first fault in words, empty when there is none.
std::string CheckOptions(const Variant& game);

// Hands that are held in `count` rounds from `seed`, as they wait for each tile in each way of
// winning: whether the game lets them win does not hang on how many win on that tile (which the
// round relies on when it offers a win before anybody has answered), and what they are worth does
// not hang on the order of their melds.
std::string CheckJudgements(const Variant& game, std::int64_t count, std::uint64_t seed);

}  // namespace mj::rules::contract
