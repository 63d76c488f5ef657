// Who pays whom how much when a round is over and not everyone has enough (D-SET-1).
#pragma once

#include <span>

#include "libs/ledger/coins.h"
#include "libs/ledger/parties.h"
#include "libs/ledger/rejection.h"

namespace mj::ledger {

// What came of the debts of one round. For each ordered pair:
//   owed = set_off + paid + shortfall
// and for each party:
//   balance_after = balance + what it was paid - what it paid - rake_paid ≥ 0
//   rake_paid + rake_shortfall = rake
// So the parties together lose exactly the sum of rake_paid.
struct Clearing {
  PairTable owed;       // the debts, added up by pair
  PairTable set_off;    // cancelled against other debts of the same circle
  PairTable paid;       // moved
  PairTable shortfall;  // recorded, never collected
  PerParty<Coins> rake_paid;
  PerParty<Coins> rake_shortfall;
  PerParty<Coins> balance_after;
};

// The debts of each pair added up, in any order.
//
// kUnknownParty  a line names a party that is not 0–3.
// kSameAccount   a line from a party to itself.
// kNotPositive   a line of no coins or fewer.
// kTooLarge      the debts of one pair, or those of one payer, beyond 2^53.
[[nodiscard]] Outcome<PairTable> AddUp(std::span<const Debt> debts);

// Clears `debts` between four balances, then takes `rake` from each.
//
// 1. Set-off: while there is a circle of debts its smallest debt is taken from each of its debts;
//    circles of two first, then of three, then of four, each written from its lowest party and
//    taken in the order of that writing. Whatever the balances are.
// 2. Payment, each party after all who owe it, the lower party first where two could pay: it pays
//    what it owes; with less than that in hand (balance and receipts) it pays each creditor its
//    proportion of that, rounded down, and the indivisible rest stays with the payer.
// 3. Rake, last, as far as it is covered.
//
// Deterministic, and independent of the order of `debts`; several lines of one pair add up.
//
// Refuses as AddUp; kNotPositive for a negative balance or rake too, kTooLarge for a balance that
// would be beyond 2^53 afterwards.
[[nodiscard]] Outcome<Clearing> Clear(const PerParty<Coins>& balances, std::span<const Debt> debts,
                                      Coins rake);

}  // namespace mj::ledger
