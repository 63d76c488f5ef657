// From a game's units to coins: the one place where a base stake meets a score.
#pragma once

#include <cstdint>

#include "libs/ledger/coins.h"
#include "libs/ledger/rejection.h"

namespace mj::ledger {

// What `units` are worth at a table.
//
//   units            what the game counted, signed: a payer's may be negative.
//   units_per_base   how many of them make one base stake, ≥ 1: 1 in most games, 2 where a score
//                    comes in halves of the base.
//   base             the table's base stake, > 0.
//
// kNotPositive   base or units_per_base is not above zero.
// kBaseNotWhole  base is not a multiple of units_per_base. The base is refused, whatever the units:
//                it is never rounded, and whether a base is allowed never hangs on a score.
// kTooLarge      the result is beyond 2^53.
[[nodiscard]] Outcome<Coins> CoinsFromUnits(std::int64_t units, std::int64_t units_per_base,
                                            Coins base);

}  // namespace mj::ledger
