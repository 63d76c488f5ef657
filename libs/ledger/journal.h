// Double entry: what leaves one account arrives in another, or is refused.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "libs/ledger/coins.h"
#include "libs/ledger/rejection.h"

namespace mj::ledger {

// Which account. Opaque; equal text is the same account.
struct AccountId {
  std::string text;

  friend auto operator<=>(const AccountId&, const AccountId&) = default;
};

// Who owns an account. Players' balances are never below zero; the others' are the other side of
// players' money: `issue` is below zero by what was ever brought in and not taken out again.
enum class AccountKind : std::uint8_t { kPlayer, kHouseRake, kPenalties, kIssue, kHouseLoss };

// Two currencies that never meet: real coins, and those of practice tables.
enum class Currency : std::uint8_t { kCoin, kPractice };

// What an entry is for. An account has at most one entry of each purpose in a journal row.
enum class Purpose : std::uint8_t {
  kMoneyIn,
  kMoneyOut,
  kPayment,
  kRake,
  kPenalty,
  kReversal,    // of whatever an earlier row did to the account
  kCover,       // the house's loss pays what a reversal cannot take back
  kAdjustment,  // put right by hand
};

// One side of a posting: so many coins more (or, below zero, less) in an account. Never zero.
struct Entry {
  AccountId account;
  Coins coins;
  Purpose purpose = Purpose::kPayment;

  friend bool operator==(const Entry&, const Entry&) = default;
};

// kUnbalanced unless the entries sum to zero. For lists that come from elsewhere; a Journal's do by
// construction. Any number of entries of any size: the sum is taken in 128 bits.
[[nodiscard]] std::optional<Rejection> CheckBalanced(std::span<const Entry> entries);

// The entries of one business event. Moves are the only way in, so they always sum to zero; moves
// of one account and purpose are netted into one entry.
class Journal {
 public:
  // Moves coins. Changes nothing when it refuses:
  // kSameAccount, kNotPositive (coins ≤ 0), kTooLarge (a netted entry would pass 2^53).
  [[nodiscard]] std::optional<Rejection> Move(const AccountId& from, const AccountId& to,
                                              Coins coins, Purpose purpose);

  // In the order in which accounts were first named; entries that came to nothing are left out.
  [[nodiscard]] std::vector<Entry> Entries() const;

 private:
  std::vector<Entry> netted_;
};

// A player's account at one moment. Invariants: 0 ≤ held ≤ coins.
struct PlayerBalance {
  Coins coins;
  Coins held;                      // reserved for a seat; not to be withdrawn
  std::int64_t last_sequence = 0;  // of its latest entry; 0 before the first

  friend bool operator==(const PlayerBalance&, const PlayerBalance&) = default;
};

// coins - held.
[[nodiscard]] Coins Available(const PlayerBalance& balance);

// How far a debit may reach.
enum class Reach : std::uint8_t {
  kAvailable,  // what is held stays
  kHeld,  // into what is held too, which then shrinks to what is left: closing a round, reversal
};

// The balance after one more entry, which takes the next sequence number: without gaps, from 1.
// kTooLarge when it would pass 2^53, kInsufficientFunds when a debit is more than it may reach.
[[nodiscard]] Outcome<PlayerBalance> Post(const PlayerBalance& balance, Coins coins,
                                          Reach reach = Reach::kAvailable);

// `coins` more of the balance held. kNotPositive below 0, kInsufficientFunds when it is more than is
// available.
[[nodiscard]] Outcome<PlayerBalance> Hold(const PlayerBalance& balance, Coins coins);

}  // namespace mj::ledger
