// What an escape costs, and who gets it (COM-10, D-COM-9).
#pragma once

#include "libs/ledger/coins.h"
#include "libs/ledger/parties.h"
#include "libs/ledger/rejection.h"

namespace mj::ledger {

// taken = 3 × share + house; taken + shortfall = the penalty.
struct PenaltyShares {
  Coins taken;      // from the escaper
  Coins share;      // to each of the other three
  Coins house;      // the indivisible rest, and what the tier does not share out
  Coins shortfall;  // of the penalty, not covered

  friend bool operator==(const PenaltyShares&, const PenaltyShares&) = default;
};

// Takes `penalty` from a balance as far as it covers it. Of what was taken, up to `compensation`
// goes to the three who stayed, in equal whole shares; all else to the house.
//
//   balance        the escaper's, ≥ 0
//   penalty        the stake tier's escape amount, ≥ 0
//   compensation   how much of it the tier shares out, 0 ≤ compensation ≤ penalty
//
// kNotPositive  an amount below zero. kTooLarge  compensation above penalty.
[[nodiscard]] Outcome<PenaltyShares> SharePenalty(Coins balance, Coins penalty, Coins compensation);

}  // namespace mj::ledger
