// Undoing a journal row by another one that says the opposite.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "libs/ledger/coins.h"
#include "libs/ledger/journal.h"

namespace mj::ledger {

// What the opposite of some entries comes to.
struct Reversal {
  // One for each account, kReversal; where the house pays for someone, one more of it, kCover. They
  // sum to zero. Those that add coins come first, so that nobody is short in between.
  std::vector<Entry> entries;
  // Of whom coins were to be taken back, and how many of them are gone. Empty: none.
  std::map<AccountId, Coins> missing;
  // What the house pays instead: the sum of `missing`.
  Coins covered;
};

// Reverses `entries`, which sum to zero, as far as `balances` reach. Never takes more from a player
// than it has, held coins included; what is missing there `house_loss` pays, so that whoever paid
// gets all of it back. Whether the house may pay is the caller's question: see `missing`.
//
//   balances   of the players among the accounts; an account that is not in it is the house's
//
// kUnbalanced  `entries` do not sum to zero. kTooLarge  an amount or a balance beyond 2^53.
[[nodiscard]] Outcome<Reversal> Reverse(std::span<const Entry> entries,
                                        const std::map<AccountId, Coins>& balances,
                                        const AccountId& house_loss);

}  // namespace mj::ledger
