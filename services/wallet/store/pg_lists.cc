// Reading the books: rounds, journal rows, entries after a number, settlements.

#include <algorithm>
#include <limits>
#include <string_view>
#include <tuple>
#include <utility>

#include "libs/audit/digest.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "services/wallet/store/names.h"
#include "services/wallet/store/pg_ledger_store.h"
#include "services/wallet/store/round_rows.h"
#include "services/wallet/store/settlement_rows.h"

namespace mj::wallet::store {
namespace {

using base::Cat;

constexpr std::string_view kFindJournal = R"sql(
SELECT j.kind, coalesce(j.table_id, ''), coalesce(j.round_id, ''), coalesce(r.journal_no, 0)
FROM wallet.journal j LEFT JOIN wallet.journal r ON r.reverses_journal_no = j.journal_no
WHERE j.journal_no = $1
)sql";

constexpr std::string_view kFindEntries = R"sql(
SELECT a.account_id, a.kind, e.currency, e.purpose, e.coins
FROM wallet.journal j
JOIN wallet.entries e ON e.journal_no = j.journal_no AND e.written_at = j.written_at
JOIN wallet.accounts a ON a.account_no = e.account_no
WHERE j.journal_no = $1 ORDER BY e.line_no
)sql";

constexpr std::string_view kEntriesAfter = R"sql(
SELECT e.sequence, e.coins, e.balance_after, e.journal_no, j.kind, coalesce(j.round_id, ''),
       coalesce(j.table_id, ''), j.reason, (extract(epoch FROM e.written_at) * 1000000)::bigint
FROM wallet.accounts a
JOIN wallet.entries e USING (account_no)
JOIN wallet.journal j ON j.journal_no = e.journal_no
WHERE a.account_id = $1 AND a.currency = $2 AND a.kind = 'player' AND e.sequence > $3
ORDER BY e.sequence LIMIT $4
)sql";

constexpr std::string_view kLastSequences = R"sql(
SELECT a.account_id, a.currency, b.last_sequence
FROM unnest($1::text[], $2::text[]) named (account_id, currency)
JOIN wallet.accounts a ON a.account_id = named.account_id AND a.currency = named.currency
JOIN wallet.balances b ON b.account_no = a.account_no
)sql";

constexpr std::string_view kOfPlayer = R"sql(
SELECT s.round_no, s.journal_no, s.round_id, s.table_id, s.rulebook_version, s.currency,
       (extract(epoch FROM s.written_at) * 1000000)::bigint, coalesce(s.reversed_by, 0)
FROM wallet.accounts a
JOIN wallet.round_players p ON p.account_no = a.account_no
JOIN wallet.settled_rounds s ON s.round_no = p.round_no
WHERE a.account_id = $1 AND a.currency = $2 AND p.round_no < $3
ORDER BY p.round_no DESC LIMIT $4
)sql";

constexpr std::string_view kOfTable = R"sql(
SELECT round_no, journal_no, round_id, table_id, rulebook_version, currency,
       (extract(epoch FROM written_at) * 1000000)::bigint, coalesce(reversed_by, 0)
FROM wallet.settled_rounds WHERE table_id = $1 AND round_no < $2
ORDER BY round_no DESC LIMIT $3
)sql";

constexpr std::string_view kOfRound = R"sql(
SELECT round_no, journal_no, round_id, table_id, rulebook_version, currency,
       (extract(epoch FROM written_at) * 1000000)::bigint, coalesce(reversed_by, 0)
FROM wallet.settled_rounds WHERE round_id = $1
)sql";

constexpr std::string_view kOfJournal = R"sql(
SELECT round_no, journal_no, round_id, table_id, rulebook_version, currency,
       (extract(epoch FROM written_at) * 1000000)::bigint, coalesce(reversed_by, 0)
FROM wallet.settled_rounds WHERE journal_no = $1
)sql";

constexpr std::string_view kHashedRowOfRound = R"sql(
SELECT j.journal_no, wallet.canonical(j.journal_no), j.hash
FROM wallet.rounds r
JOIN wallet.round_closes c ON c.round_no = r.round_no
JOIN wallet.journal j ON j.journal_no = c.journal_no
WHERE r.round_id = $1
)sql";

constexpr std::string_view kHashedRowOfNumber = R"sql(
SELECT j.journal_no, wallet.canonical(j.journal_no), j.hash
FROM wallet.journal j WHERE j.journal_no = $1
)sql";

constexpr std::int64_t kBeforeAll = std::numeric_limits<std::int64_t>::max();

pg::RunOptions Read(base::MonotonicTime deadline) {
  return {.deadline = deadline, .read_only = true};
}

absl::StatusOr<std::vector<SettledRound>> SettledFrom(pg::Transaction& tx,
                                                      const pg::Result& result) {
  MJ_ASSIGN_OR_RETURN(const auto rows,
                      (result.Rows<std::int64_t, std::int64_t, std::string, std::string,
                                   std::string, std::string, base::WallTime, std::int64_t>()));
  std::vector<SettledRound> rounds;
  std::vector<JournalNo> journal_nos;
  for (const auto& row : rows) journal_nos.push_back(std::get<1>(row));
  MJ_ASSIGN_OR_RETURN(auto settlements, ReadSettlements(tx, journal_nos));
  for (const auto& [position, journal_no, round_id, table_id, version, currency, written_at,
                    reversed_by] : rows) {
    SettledRound round;
    round.position = position;
    round.journal_no = journal_no;
    round.round_id = round_id;
    round.table_id = table_id;
    round.rulebook_version = version;
    const auto known_currency = CurrencyFromSql(currency);
    const auto settlement = settlements.find(journal_no);
    if (!known_currency || settlement == settlements.end()) {
      return absl::InternalError(Cat("the settlement of round ", round_id, " is not whole"));
    }
    round.currency = *known_currency;
    round.settlement = std::move(settlement->second);
    round.written_at = written_at;
    round.reversed_by = reversed_by;
    rounds.push_back(std::move(round));
  }
  return rounds;
}

absl::StatusOr<std::optional<JournalRecord>> ReadJournal(pg::Transaction& tx,
                                                         JournalNo journal_no) {
  MJ_ASSIGN_OR_RETURN(const pg::Result found, tx.Execute(kFindJournal, journal_no));
  MJ_ASSIGN_OR_RETURN(const auto row,
                      (found.AtMostOne<std::string, std::string, std::string, std::int64_t>()));
  if (!row) return std::optional<JournalRecord>();
  const auto& [kind_word, table_id, round_id, reversed_by] = *row;
  const auto kind = JournalKindFromSql(kind_word);
  if (!kind) return absl::InternalError(Cat("a journal row of kind ", kind_word));
  JournalRecord record;
  record.journal_no = journal_no;
  record.kind = *kind;
  record.table_id = table_id;
  record.round_id = round_id;
  record.reversed_by = reversed_by;
  MJ_ASSIGN_OR_RETURN(const pg::Result lines, tx.Execute(kFindEntries, journal_no));
  MJ_ASSIGN_OR_RETURN(
      const auto rows,
      (lines.Rows<std::string, std::string, std::string, std::string, std::int64_t>()));
  for (const auto& [account_id, account_kind, currency, purpose_word, coins] : rows) {
    const auto purpose = PurposeFromSql(purpose_word);
    const auto amount = Coins::From(coins);
    const auto known_currency = CurrencyFromSql(currency);
    if (!purpose || !amount || !known_currency) {
      return absl::InternalError(Cat("an entry for ", purpose_word, " in ", currency));
    }
    record.currency = *known_currency;
    record.entries.push_back({{account_id}, *amount, *purpose});
    const bool player = AccountKindFromSql(account_kind) == AccountKind::kPlayer;
    if (player && std::count(record.player_ids.begin(), record.player_ids.end(), account_id) == 0) {
      record.player_ids.push_back(account_id);
    }
  }
  return std::optional<JournalRecord>(std::move(record));
}

}  // namespace

absl::StatusOr<LedgerStore::RoundLookup> PgLedgerStore::FindRound(const std::string& round_id,
                                                                  base::MonotonicTime deadline) {
  RoundLookup lookup;
  MJ_RETURN_IF_ERROR(pool_.Run(Read(deadline), [&](pg::Transaction& tx) -> absl::Status {
    lookup = {};
    MJ_ASSIGN_OR_RETURN(const std::optional<RoundRow> row, ReadRound(tx, round_id, rulebooks_));
    if (row) lookup = {*row->begun, row->closed};
    return absl::OkStatus();
  }));
  return lookup;
}

absl::StatusOr<std::optional<JournalRecord>> PgLedgerStore::FindJournal(
    JournalNo journal_no, base::MonotonicTime deadline) {
  std::optional<JournalRecord> record;
  MJ_RETURN_IF_ERROR(pool_.Run(Read(deadline), [&](pg::Transaction& tx) -> absl::Status {
    MJ_ASSIGN_OR_RETURN(record, ReadJournal(tx, journal_no));
    return absl::OkStatus();
  }));
  return record;
}

absl::StatusOr<std::vector<ListedEntry>> PgLedgerStore::ListEntriesAfter(
    const AccountKey& account, std::int64_t after, int count_max, base::MonotonicTime deadline) {
  MJ_ASSIGN_OR_RETURN(const pg::Result result,
                      pool_.Execute(Read(deadline), kEntriesAfter, account.id,
                                    ToSql(account.currency), after, count_max));
  MJ_ASSIGN_OR_RETURN(
      const auto rows,
      (result.Rows<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::string, std::string,
                   std::string, std::string, base::WallTime>()));
  std::vector<ListedEntry> entries;
  for (const auto& [sequence, coins, balance_after, journal_no, kind_word, round_id, table_id,
                    reason, written_at] : rows) {
    const auto amount = Coins::From(coins);
    const auto kind = JournalKindFromSql(kind_word);
    if (!amount || !kind) return absl::InternalError(Cat("an entry of kind ", kind_word));
    entries.push_back({.position = {sequence, 0},
                       .sequence = sequence,
                       .coins = *amount,
                       .balance_after = Coins::From(balance_after),
                       .journal_no = journal_no,
                       .kind = *kind,
                       .round_id = round_id,
                       .table_id = table_id,
                       .reason = reason,
                       .written_at = written_at});
  }
  return entries;
}

absl::StatusOr<std::map<AccountKey, std::int64_t>> PgLedgerStore::LastSequences(
    const std::vector<AccountKey>& accounts, base::MonotonicTime deadline) {
  std::vector<std::string> ids;
  std::vector<std::string> currencies;
  for (const AccountKey& account : accounts) {
    ids.push_back(account.id);
    currencies.emplace_back(ToSql(account.currency));
  }
  MJ_ASSIGN_OR_RETURN(const pg::Result result,
                      pool_.Execute(Read(deadline), kLastSequences, ids, currencies));
  MJ_ASSIGN_OR_RETURN(const auto rows, (result.Rows<std::string, std::string, std::int64_t>()));
  std::map<AccountKey, std::int64_t> sequences;
  for (const auto& [id, word, last_sequence] : rows) {
    const auto currency = CurrencyFromSql(word);
    if (!currency) return absl::InternalError(Cat("an account in ", word));
    sequences[{id, *currency}] = last_sequence;
  }
  return sequences;
}

absl::StatusOr<std::vector<SettledRound>> PgLedgerStore::ListSettlements(
    const SettlementFilter& filter, std::optional<std::int64_t> before, int count_max,
    base::MonotonicTime deadline) {
  const std::int64_t end = before.value_or(kBeforeAll);
  std::vector<SettledRound> rounds;
  MJ_RETURN_IF_ERROR(pool_.Run(Read(deadline), [&](pg::Transaction& tx) -> absl::Status {
    MJ_ASSIGN_OR_RETURN(const pg::Result result,
                        filter.account ? tx.Execute(kOfPlayer, filter.account->id,
                                                    ToSql(filter.account->currency), end, count_max)
                                       : tx.Execute(kOfTable, filter.table_id, end, count_max));
    MJ_ASSIGN_OR_RETURN(rounds, SettledFrom(tx, result));
    return absl::OkStatus();
  }));
  return rounds;
}

absl::StatusOr<std::optional<SettledRound>> PgLedgerStore::FindSettlement(
    const std::string& round_id, JournalNo journal_no, base::MonotonicTime deadline) {
  std::vector<SettledRound> rounds;
  MJ_RETURN_IF_ERROR(pool_.Run(Read(deadline), [&](pg::Transaction& tx) -> absl::Status {
    MJ_ASSIGN_OR_RETURN(const pg::Result result, round_id.empty()
                                                     ? tx.Execute(kOfJournal, journal_no)
                                                     : tx.Execute(kOfRound, round_id));
    MJ_ASSIGN_OR_RETURN(rounds, SettledFrom(tx, result));
    return absl::OkStatus();
  }));
  if (rounds.empty()) return std::optional<SettledRound>();
  return std::optional<SettledRound>(std::move(rounds.front()));
}

absl::StatusOr<std::optional<HashedRow>> PgLedgerStore::FindHashedRow(
    const std::string& round_id, JournalNo journal_no, base::MonotonicTime deadline) {
  MJ_ASSIGN_OR_RETURN(const pg::Result result,
                      round_id.empty()
                          ? pool_.Execute(Read(deadline), kHashedRowOfNumber, journal_no)
                          : pool_.Execute(Read(deadline), kHashedRowOfRound, round_id));
  MJ_ASSIGN_OR_RETURN(const auto row, (result.AtMostOne<std::int64_t, std::string, pg::Bytes>()));
  if (!row) return std::optional<HashedRow>();
  const auto& [number, canonical, stored] = *row;
  const auto hash = audit::DigestFromBytes(stored.data);
  if (!hash) return absl::InternalError(Cat("journal row ", std::to_string(number), ": no hash"));
  return std::optional(HashedRow{number, canonical, *hash});
}

}  // namespace mj::wallet::store
