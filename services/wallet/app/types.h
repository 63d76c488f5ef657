// The wallet's nouns, as its use cases and its store share them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libs/audit/digest.h"
#include "libs/audit/finding.h"
#include "libs/base/clock.h"
#include "libs/ledger/coins.h"
#include "libs/ledger/journal.h"
#include "libs/ledger/parties.h"
#include "libs/ledger/penalty.h"
#include "libs/ledger/stake_tier.h"

namespace mj::wallet {

using ledger::AccountKind;
using ledger::Coins;
using ledger::Currency;

// ------------------------------------------------------------------------------------ accounts

// An account is an id in one currency; a player may have one in each under the same id.
struct AccountKey {
  std::string id;
  Currency currency = Currency::kCoin;

  friend auto operator<=>(const AccountKey&, const AccountKey&) = default;
};

// A player's seat at a table, for which coins are held.
struct Hold {
  std::string table_id;
  Coins coins;           // 0 or more
  base::WallTime until;  // the store's clock; in a begun round it holds past that

  friend bool operator==(const Hold&, const Hold&) = default;
};

// What stands about a player besides its coins. A player has at most one live hold, and is in at
// most one begun round.
struct Standing {
  bool frozen = false;       // by an operator: no withdrawal, seat or round until it is lifted
  bool closed = false;       // for ever
  std::optional<Hold> hold;  // that is alive
  std::string round_id;      // the begun round, which locks the whole balance; empty: none

  friend bool operator==(const Standing&, const Standing&) = default;
};

// An account as it stands.
struct Account {
  AccountKey key;
  AccountKind kind = AccountKind::kPlayer;
  // Of a player 0 to 2^53. Of the house the sum of its entries, of either sign and any size.
  std::int64_t balance = 0;
  std::int64_t last_sequence = 0;  // players only
  base::WallTime opened_at;
  Standing standing = {};  // players only

  friend bool operator==(const Account&, const Account&) = default;
};

// The ids of the house's accounts, the same in each currency. No player can have one of them.
[[nodiscard]] std::string_view HouseAccountId(AccountKind kind);

// What happened to an account besides money.
enum class AccountEventKind : std::uint8_t { kFrozen, kUnfrozen, kClosed };

// ------------------------------------------------------------------------------------- journal

// What a journal row was written for.
enum class JournalKind : std::uint8_t {
  kDeposit,
  kWithdrawal,
  kSettlement,  // closes a round: it was played to its end
  kPenalty,     // closes a round: someone escaped
  kVoid,        // closes a round: nobody pays
  kReversal,
  kAdjustment,
};

// Whether such a row closes the round that it names.
[[nodiscard]] constexpr bool ClosesRound(JournalKind kind) {
  return kind == JournalKind::kSettlement || kind == JournalKind::kPenalty ||
         kind == JournalKind::kVoid;
}

// A number of the journal. Told to clients as decimal text.
using JournalNo = std::int64_t;

// Why coins come in or go out.
enum class Flow : std::uint8_t {
  kPurchase,    // in: bought
  kGrant,       // in: given
  kRefund,      // out: a purchase taken back by us
  kChargeback,  // out: a purchase taken back by the payer's bank
  kPayout,      // out: paid out
};

// Where coins come from or go to outside of the wallet. Unique: the same purchase at a provider is
// booked once.
struct Movement {
  Flow flow = Flow::kGrant;
  std::string provider;            // empty: none, and then no reference
  std::string external_reference;  // the provider's name of it

  friend bool operator==(const Movement&, const Movement&) = default;
};

// One entry of a journal row, ready to be written.
struct Line {
  ledger::Entry entry;
  // On players' accounts: coins, what is held of them, and the number after this entry. On the
  // house's: nothing.
  std::optional<ledger::PlayerBalance> after;
};

// ---------------------------------------------------------------------------- tiers and rounds

// A room of a game in one currency, as it stands for a time.
struct Tier {
  std::string id;  // stable over its validity periods
  ledger::StakeTier stakes;
  Currency currency = Currency::kCoin;
  base::WallTime valid_from{};
  std::optional<base::WallTime> valid_until = {};  // none: until the room's next period

  friend bool operator==(const Tier&, const Tier&) = default;
};

// The ids of rules, sorted. Cheap to copy: the same rulebook's are shared by all its rounds.
class RuleIds {
 public:
  RuleIds() = default;
  explicit RuleIds(std::vector<std::string> sorted)
      : sorted_(std::make_shared<const std::vector<std::string>>(std::move(sorted))) {}

  [[nodiscard]] const std::vector<std::string>& sorted() const {
    static const std::vector<std::string> kNone;
    return sorted_ == nullptr ? kNone : *sorted_;
  }
  [[nodiscard]] bool Contains(std::string_view id) const {
    return std::binary_search(sorted().begin(), sorted().end(), id);
  }

  friend bool operator==(const RuleIds& a, const RuleIds& b) { return a.sorted() == b.sorted(); }

 private:
  std::shared_ptr<const std::vector<std::string>> sorted_;
};

// A round as it was begun. Never changes; what the tier took and asked then is what its close goes
// by, whatever became of the tier.
struct BegunRound {
  std::string round_id{};
  std::string table_id{};
  std::string variant{};
  std::string rulebook_version{};
  Currency currency = Currency::kCoin;
  Coins base{};
  std::string tier_id{};
  Coins rake{};                 // due from each seat when the round is won or exhausted
  Coins escape_penalty{};       // what an escape costs
  Coins escape_compensation{};  // how much of that the three who stay share
  std::array<std::string, ledger::kParties> player_ids{};  // by seat
  RuleIds rule_ids{};                                      // that a settlement may name
  base::WallTime begun_at{};                               // the store's clock
  base::WallTime close_due{};  // from when on a round that is not closed is an alarm

  friend bool operator==(const BegunRound&, const BegunRound&) = default;
};

// How a round was closed.
struct RoundClose {
  JournalKind how = JournalKind::kSettlement;
  JournalNo journal_no = 0;

  friend bool operator==(const RoundClose&, const RoundClose&) = default;
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

// What an escape cost, by seat (COM-10).
struct PenaltyTaken {
  std::array<std::string, ledger::kParties> player_ids;
  ledger::Party escaper = 0;
  Coins penalty;                 // due
  ledger::PenaltyShares shares;  // as far as it was covered
  ledger::PerParty<Coins> balance_after{};

  friend bool operator==(const PenaltyTaken&, const PenaltyTaken&) = default;
};

// --------------------------------------------------------------------------------------- lists

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
  std::string round_id;  // where a round was closed
  std::string table_id;  // where a round was closed
  std::string reason;
  base::WallTime written_at;
};

// A journal row with its entries, as whoever reverses it has to know it.
struct JournalRecord {
  JournalNo journal_no = 0;
  JournalKind kind = JournalKind::kDeposit;
  Currency currency = Currency::kCoin;
  std::string table_id;
  std::string round_id;
  std::vector<ledger::Entry> entries;
  std::vector<std::string> player_ids;  // of the players among the accounts, each once
  JournalNo reversed_by = 0;            // 0: not

  friend bool operator==(const JournalRecord&, const JournalRecord&) = default;
};

// A settled round as it is listed.
struct SettledRound {
  std::int64_t position = 0;  // rises from round to round
  JournalNo journal_no = 0;
  std::string round_id;
  std::string table_id;
  std::string rulebook_version;
  Currency currency = Currency::kCoin;
  Settlement settlement;
  base::WallTime written_at;
  JournalNo reversed_by = 0;  // 0: not

  friend bool operator==(const SettledRound&, const SettledRound&) = default;
};

// A journal row as it is hashed (libs/audit/canonical.h).
struct HashedRow {
  JournalNo journal_no = 0;
  std::string canonical;
  audit::Digest hash{};  // as it is stored

  friend bool operator==(const HashedRow&, const HashedRow&) = default;
};

// What one step of an audit has checked, up to the finding if there is one.
struct LedgerCheck {
  std::optional<audit::Finding> finding = {};  // the first thing that is wrong
  std::int64_t rows = 0;                       // of the journal
  std::int64_t entries = 0;                    // against their accounts
  std::int64_t accounts = 0;                   // players'
  std::int64_t days = 0;                       // sealed
};

}  // namespace mj::wallet
