#include "services/wallet/store/posting_rows.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <utility>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "services/wallet/store/names.h"
#include "services/wallet/store/settlement_rows.h"
#include "services/wallet/store/tier_rows.h"

namespace mj::wallet::store {
namespace {

using base::Cat;
using Numbers = std::vector<std::int64_t>;

constexpr std::string_view kOk = "OK";

constexpr std::string_view kFindRequest = R"sql(
SELECT content_version = $2 AND content_hash = sha256($3::bytea), outcome, journal_no, balance
FROM wallet.requests WHERE request_key = $1
)sql";

constexpr std::string_view kFindJournal = R"sql(
SELECT content_version = $2 AND content_hash = sha256($3::bytea), journal_no
FROM wallet.journal WHERE request_key = $1
)sql";

constexpr std::string_view kLockBalances = R"sql(
SELECT a.account_id, a.account_no, b.coins, b.held, b.last_sequence
FROM wallet.accounts a JOIN wallet.balances b ON b.account_no = a.account_no
WHERE a.account_id = ANY ($1::text[]) AND a.currency = $2
ORDER BY a.account_no FOR UPDATE OF b
)sql";

constexpr std::string_view kWhatElse = R"sql(
SELECT account_id, kind <> 'player' FROM wallet.accounts WHERE account_id = ANY ($1::text[])
)sql";

constexpr std::string_view kHouse = R"sql(
SELECT account_id, account_no FROM wallet.accounts WHERE kind <> 'player' AND currency = $1
)sql";

// The balances change only if the journal row is new.
constexpr std::string_view kInsertJournal = R"sql(
WITH journal AS (
  INSERT INTO wallet.journal (kind, request_key, content_version, content_hash, actor, reason,
                              table_id, round_id, rulebook_version, happened_at, journal_no,
                              written_at, chain_no, chain_sequence, previous_hash, hash)
  SELECT $1, $2, $3, sha256($4::bytea), $5, $6, $7, $8, $9, $10::timestamptz, journal_nos[1],
         written_at, chain_no, head_sequence + 1, head_hash, sha256($4::bytea)
  FROM wallet.take_chain(1)
  ON CONFLICT (request_key) DO NOTHING
  RETURNING journal_no, written_at
), balances AS (
  UPDATE wallet.balances b SET coins = new.coins, last_sequence = new.sequence
  FROM journal, unnest($11::bigint[], $12::bigint[], $13::bigint[]) new (account_no, coins, sequence)
  WHERE b.account_no = new.account_no
), entries AS (
  INSERT INTO wallet.entries (journal_no, line_no, written_at, account_no, currency, purpose, coins,
                              balance_after, sequence)
  SELECT journal_no, line_no, written_at, account_no, $14, purpose, coins,
         nullif(balance_after, -1), nullif(sequence, 0)
  FROM journal, unnest($15::bigint[], $16::text[], $17::bigint[], $18::bigint[], $19::bigint[])
       WITH ORDINALITY line (account_no, purpose, coins, balance_after, sequence, line_no)
)
SELECT journal_no FROM journal
)sql";

constexpr std::string_view kInsertRequest = R"sql(
INSERT INTO wallet.requests (request_key, content_version, content_hash, outcome, account_no,
                             journal_no, balance)
VALUES ($1, $2, sha256($3::bytea), $4, $5, $6, $7)
ON CONFLICT (request_key) DO NOTHING
)sql";

absl::Status KeyJustUsed() { return absl::AbortedError("the key was used a moment ago"); }

pg::Bytes ContentOf(const RequestKey& key) { return {key.content}; }

absl::StatusOr<Coins> ToCoins(std::int64_t value) {
  const auto coins = Coins::From(value);
  if (!coins) return absl::InternalError(Cat("coins: got ", std::to_string(value)));
  return *coins;
}

absl::StatusOr<std::optional<PostOutcome>> FindSticky(pg::Transaction& tx, const RequestKey& key) {
  MJ_ASSIGN_OR_RETURN(const pg::Result found,
                      tx.Execute(kFindRequest, key.text, key.content_version, ContentOf(key)));
  MJ_ASSIGN_OR_RETURN(
      const auto row,
      (found.AtMostOne<bool, std::string, std::optional<std::int64_t>, std::int64_t>()));
  if (!row) return std::optional<PostOutcome>();
  const auto& [same, outcome, journal_no, balance] = *row;
  if (!same) return std::optional<PostOutcome>(KeyTaken{});
  MJ_ASSIGN_OR_RETURN(const Coins coins, ToCoins(balance));
  if (outcome == kOk) {
    return std::optional<PostOutcome>(Posted{journal_no.value_or(0), coins, std::nullopt, true});
  }
  const auto reason = base::ReasonByName(outcome);
  if (!reason) return absl::InternalError(Cat("a remembered outcome is ", outcome));
  return std::optional<PostOutcome>(Refused{{*reason}, coins, true});
}

absl::StatusOr<std::optional<PostOutcome>> FindInJournal(pg::Transaction& tx,
                                                         const RequestKey& key) {
  MJ_ASSIGN_OR_RETURN(const pg::Result found,
                      tx.Execute(kFindJournal, key.text, key.content_version, ContentOf(key)));
  MJ_ASSIGN_OR_RETURN(const auto row, (found.AtMostOne<bool, std::int64_t>()));
  if (!row) return std::optional<PostOutcome>();
  const auto& [same, journal_no] = *row;
  if (!same) return std::optional<PostOutcome>(KeyTaken{});
  MJ_ASSIGN_OR_RETURN(Settlement settlement, ReadSettlement(tx, journal_no));
  return std::optional<PostOutcome>(Posted{journal_no, Coins(), std::move(settlement), true});
}

absl::Status LockPlayers(pg::Transaction& tx, const Posting& posting, LockedGround& locked) {
  std::vector<Found>& accounts = locked.ground.accounts;
  accounts.assign(posting.account_ids.size(), Found{});
  const auto found_of = [&](std::string_view id) -> Found& {
    const auto at = std::find(posting.account_ids.begin(), posting.account_ids.end(), id);
    return accounts[static_cast<std::size_t>(at - posting.account_ids.begin())];
  };
  MJ_ASSIGN_OR_RETURN(const pg::Result result,
                      tx.Execute(kLockBalances, posting.account_ids, ToSql(posting.currency)));
  MJ_ASSIGN_OR_RETURN(
      const auto rows,
      (result.Rows<std::string, std::int64_t, std::int64_t, std::int64_t, std::int64_t>()));
  for (const auto& [id, account_no, coins, held, last_sequence] : rows) {
    Found& found = found_of(id);
    found.what = Found::What::kPlayer;
    MJ_ASSIGN_OR_RETURN(found.balance.coins, ToCoins(coins));
    MJ_ASSIGN_OR_RETURN(found.balance.held, ToCoins(held));
    found.balance.last_sequence = last_sequence;
    locked.account_nos[id] = account_no;
  }
  if (rows.size() == posting.account_ids.size()) return absl::OkStatus();

  MJ_ASSIGN_OR_RETURN(const pg::Result others, tx.Execute(kWhatElse, posting.account_ids));
  MJ_ASSIGN_OR_RETURN(const auto other_rows, (others.Rows<std::string, bool>()));
  for (const auto& [id, is_house] : other_rows) {
    Found& found = found_of(id);
    if (found.what == Found::What::kPlayer) continue;
    found.what = is_house ? Found::What::kHouse : Found::What::kOtherCurrency;
  }
  return absl::OkStatus();
}

std::optional<std::string> OrNull(const std::string& text) {
  if (text.empty()) return std::nullopt;
  return text;
}

// The event's lines as columns, and the balances that they leave.
struct Columns {
  Numbers account_nos;
  std::vector<std::string> purposes;
  Numbers coins;
  Numbers balances_after;  // -1: none
  Numbers sequences;       // 0: none
  std::map<std::int64_t, ledger::PlayerBalance> left;
};

absl::StatusOr<Columns> ColumnsOf(const Event& event, const LockedGround& locked) {
  Columns columns;
  for (const Line& line : event.lines) {
    const auto account = locked.account_nos.find(line.entry.account.text);
    if (account == locked.account_nos.end()) {
      return absl::InternalError(Cat("an entry on ", line.entry.account.text, ", not locked"));
    }
    columns.account_nos.push_back(account->second);
    columns.purposes.emplace_back(ToSql(line.entry.purpose));
    columns.coins.push_back(line.entry.coins.value());
    columns.balances_after.push_back(line.after ? line.after->coins.value() : -1);
    columns.sequences.push_back(line.after ? line.after->last_sequence : 0);
    if (line.after) columns.left[account->second] = *line.after;
  }
  return columns;
}

// What the schema refuses here is no question of the caller's: the decision was wrong.
absl::Status AsBug(const absl::Status& status) {
  if (!absl::IsFailedPrecondition(status) && !absl::IsAlreadyExists(status)) return status;
  return absl::InternalError(status.message());
}

}  // namespace

absl::StatusOr<std::optional<PostOutcome>> FindAnswer(pg::Transaction& tx, const Posting& posting) {
  return posting.sticky ? FindSticky(tx, posting.key) : FindInJournal(tx, posting.key);
}

absl::StatusOr<AccountNos> ReadHouse(pg::Transaction& tx, Currency currency) {
  MJ_ASSIGN_OR_RETURN(const pg::Result result, tx.Execute(kHouse, ToSql(currency)));
  MJ_ASSIGN_OR_RETURN(const auto rows, (result.Rows<std::string, std::int64_t>()));
  AccountNos house;
  for (const auto& [id, account_no] : rows) house[id] = account_no;
  if (house.empty()) return absl::InternalError("the house has no accounts: schema not migrated");
  return house;
}

absl::StatusOr<LockedGround> Lock(pg::Transaction& tx, const Posting& posting, AccountNos house) {
  LockedGround locked;
  locked.account_nos = std::move(house);
  if (!posting.tier_variant.empty()) {
    MJ_ASSIGN_OR_RETURN(const std::vector<Tier> tiers, ReadTiers(tx, posting.tier_variant));
    locked.ground.variant_known = !tiers.empty();
    for (const Tier& tier : tiers) {
      if (tier.stakes.base.value() == posting.tier_base) locked.ground.tier = tier;
    }
  }
  MJ_RETURN_IF_ERROR(LockPlayers(tx, posting, locked));
  return locked;
}

absl::StatusOr<Posted> WriteEvent(pg::Transaction& tx, const Posting& posting,
                                  const LockedGround& locked, const Event& event) {
  MJ_ASSIGN_OR_RETURN(const Columns columns, ColumnsOf(event, locked));
  Numbers left_nos;
  Numbers left_coins;
  Numbers left_sequences;
  for (const auto& [account_no, balance] : columns.left) {
    left_nos.push_back(account_no);
    left_coins.push_back(balance.coins.value());
    left_sequences.push_back(balance.last_sequence);
  }
  const RequestKey& key = posting.key;
  const auto inserted =
      tx.Execute(kInsertJournal, ToSql(event.kind), key.text, key.content_version, ContentOf(key),
                 event.actor, event.reason, OrNull(event.table_id), OrNull(event.round_id),
                 OrNull(event.rulebook_version), event.happened_at, left_nos, left_coins,
                 left_sequences, ToSql(posting.currency), columns.account_nos, columns.purposes,
                 columns.coins, columns.balances_after, columns.sequences);
  if (!inserted.ok()) return AsBug(inserted.status());
  MJ_ASSIGN_OR_RETURN(const auto row, inserted->AtMostOne<std::int64_t>());
  if (!row) return KeyJustUsed();

  Posted posted;
  posted.journal_no = std::get<0>(*row);
  if (event.settlement) {
    Numbers account_nos;
    for (const std::string& id : posting.account_ids) {
      account_nos.push_back(locked.account_nos.at(id));
    }
    const std::int64_t rake_no =
        locked.account_nos.find(HouseAccountId(AccountKind::kHouseRake))->second;
    MJ_RETURN_IF_ERROR(AsBug(InsertSettlement(tx, posted.journal_no, posting.currency,
                                              *event.settlement, account_nos, rake_no)));
    posted.settlement = event.settlement;
  }
  if (posting.sticky) {
    const std::int64_t account_no = locked.account_nos.at(posting.account_ids[0]);
    const auto left = columns.left.find(account_no);
    posted.balance =
        left == columns.left.end() ? locked.ground.accounts[0].balance.coins : left->second.coins;
    MJ_ASSIGN_OR_RETURN(const pg::Result kept,
                        tx.Execute(kInsertRequest, key.text, key.content_version, ContentOf(key),
                                   kOk, account_no, posted.journal_no, posted.balance.value()));
    if (kept.affected() == 0) return KeyJustUsed();
  }
  return posted;
}

absl::StatusOr<Refused> WriteRefusal(pg::Transaction& tx, const Posting& posting,
                                     const LockedGround& locked, const Refusal& refusal) {
  if (!posting.sticky) return absl::InternalError("a refusal of what is not remembered");
  const Coins balance = locked.ground.accounts.at(0).balance.coins;
  const auto account = locked.account_nos.find(posting.account_ids.at(0));
  if (account == locked.account_nos.end()) return absl::InternalError("a refusal without account");
  MJ_ASSIGN_OR_RETURN(const pg::Result kept,
                      tx.Execute(kInsertRequest, posting.key.text, posting.key.content_version,
                                 ContentOf(posting.key), base::InfoOf(refusal.reason).name,
                                 account->second, nullptr, balance.value()));
  if (kept.affected() == 0) return KeyJustUsed();
  return Refused{refusal, balance, false};
}

}  // namespace mj::wallet::store
