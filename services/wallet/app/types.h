// The wallet's nouns, as its use cases and its store share them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libs/base/clock.h"
#include "libs/ledger/coins.h"
#include "libs/ledger/journal.h"
#include "libs/ledger/parties.h"
#include "libs/ledger/stake_tier.h"

namespace mj::wallet {

using ledger::AccountKind;
using ledger::Coins;
using ledger::Currency;

// An account is an id in one currency; a player may have one in each under the same id.
struct AccountKey {
  std::string id;
  Currency currency = Currency::kCoin;

  friend auto operator<=>(const AccountKey&, const AccountKey&) = default;
};

// An account as it stands.
struct Account {
  AccountKey key;
  AccountKind kind = AccountKind::kPlayer;
  // Of a player 0 to 2^53. Of the house the sum of its entries, of either sign and any size.
  std::int64_t balance = 0;
  std::int64_t last_sequence = 0;  // players only
  base::WallTime opened_at;

  friend bool operator==(const Account&, const Account&) = default;
};

// The ids of the house's accounts, the same in each currency. No player can have one of them.
[[nodiscard]] std::string_view HouseAccountId(AccountKind kind);

// What a journal row was written for.
enum class JournalKind : std::uint8_t { kDeposit, kWithdrawal, kSettlement };

// A number of the journal. Told to clients as decimal text.
using JournalNo = std::int64_t;

// One entry of a journal row, ready to be written.
struct Line {
  ledger::Entry entry;
  // On players' accounts: the balance and the number after this entry. On the house's: nothing.
  std::optional<ledger::PlayerBalance> after;
};

// One line that a seat owes another, by rule, as it was scored.
struct OwedLine {
  ledger::Party from = 0;
  ledger::Party to = 0;
  std::string rule_id;
  Coins coins;

  friend bool operator==(const OwedLine&, const OwedLine&) = default;
};

// What a settlement did, by seat and by pair of seats: [payer][payee].
struct Settlement {
  std::string variant;
  Coins base;
  Coins rake;  // due from each seat
  std::array<std::string, ledger::kParties> player_ids;
  std::vector<OwedLine> owed_lines;
  ledger::PairTable owed{};
  ledger::PairTable set_off{};
  ledger::PairTable paid{};
  ledger::PairTable shortfall{};
  ledger::PerParty<Coins> net{};  // received - paid, rake included
  ledger::PerParty<Coins> rake_paid{};
  ledger::PerParty<Coins> rake_shortfall{};
  ledger::PerParty<Coins> balance_after{};

  friend bool operator==(const Settlement&, const Settlement&) = default;
};

// A room of a game with its stable id.
struct Tier {
  std::string id;
  ledger::StakeTier stakes;

  friend bool operator==(const Tier&, const Tier&) = default;
};

// Where an entry stands in its account's list: a player's by its sequence, the house's by journal
// row and line.
struct EntryPosition {
  std::int64_t major = 0;
  std::int64_t minor = 0;

  friend auto operator<=>(const EntryPosition&, const EntryPosition&) = default;
};

// One entry as it is listed.
struct ListedEntry {
  EntryPosition position;
  std::int64_t sequence = 0;  // players only
  Coins coins;
  std::optional<Coins> balance_after;  // players only
  JournalNo journal_no = 0;
  JournalKind kind = JournalKind::kDeposit;
  std::string round_id;  // settlements only
  std::string table_id;  // settlements only
  std::string reason;
  base::WallTime written_at;
};

}  // namespace mj::wallet
