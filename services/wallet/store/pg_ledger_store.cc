#include "services/wallet/store/pg_ledger_store.h"

#include <string_view>
#include <tuple>
#include <utility>
#include <variant>

#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "services/wallet/store/account_rows.h"
#include "services/wallet/store/names.h"

namespace mj::wallet::store {
namespace {

using base::Cat;

constexpr std::string_view kFindOpening = R"sql(
SELECT r.content_version = $2 AND r.content_hash = sha256($3::bytea), a.account_id, a.currency,
       (extract(epoch FROM a.opened_at) * 1000000)::bigint
FROM wallet.requests r JOIN wallet.accounts a USING (account_no) WHERE r.request_key = $1
)sql";

constexpr std::string_view kInsertAccount = R"sql(
WITH account AS (
  INSERT INTO wallet.accounts (account_id, currency, kind) VALUES ($1, $2, 'player')
  ON CONFLICT (account_id, currency) DO NOTHING
  RETURNING account_no
), balance AS (
  INSERT INTO wallet.balances (account_no) SELECT account_no FROM account
), request AS (
  INSERT INTO wallet.requests (request_key, content_version, content_hash, outcome, account_no,
                               balance)
  SELECT $3, $4, sha256($5::bytea), 'OK', account_no, 0 FROM account
  ON CONFLICT (request_key) DO NOTHING
  RETURNING 1
)
SELECT (SELECT count(*) FROM account), (SELECT count(*) FROM request)
)sql";

// A player's balance is a row, the house's the sum of its entries.
constexpr std::string_view kFindAccount = R"sql(
SELECT a.currency, a.kind, (extract(epoch FROM a.opened_at) * 1000000)::bigint,
       coalesce(b.coins, (SELECT coalesce(sum(e.coins), 0) FROM wallet.entries e
                          WHERE e.account_no = a.account_no AND e.sequence IS NULL)::bigint),
       coalesce(b.last_sequence, 0)
FROM wallet.accounts a LEFT JOIN wallet.balances b USING (account_no)
WHERE a.account_id = $1
)sql";

// A player's entries go by their sequence, the house's by journal row and line: each has an index
// of its own, which is why these are two statements.
constexpr std::string_view kListPlayers = R"sql(
SELECT e.sequence, 0, e.sequence, e.coins, e.balance_after, e.journal_no, j.kind,
       coalesce(j.round_id, ''), coalesce(j.table_id, ''), j.reason,
       (extract(epoch FROM e.written_at) * 1000000)::bigint
FROM wallet.accounts a
JOIN wallet.entries e USING (account_no)
JOIN wallet.journal j ON j.journal_no = e.journal_no
WHERE a.account_id = $1 AND a.currency = $2 AND a.kind = 'player' AND e.sequence IS NOT NULL
  AND ($3::bigint IS NULL OR e.sequence < $3::bigint)
ORDER BY e.sequence DESC LIMIT $4
)sql";

constexpr std::string_view kListHouses = R"sql(
SELECT e.journal_no, e.line_no, 0, e.coins, e.balance_after, e.journal_no, j.kind,
       coalesce(j.round_id, ''), coalesce(j.table_id, ''), j.reason,
       (extract(epoch FROM e.written_at) * 1000000)::bigint
FROM wallet.accounts a
JOIN wallet.entries e USING (account_no)
JOIN wallet.journal j ON j.journal_no = e.journal_no
WHERE a.account_id = $1 AND a.currency = $2 AND a.kind <> 'player' AND e.sequence IS NULL
  AND ($3::bigint IS NULL OR (e.journal_no, e.line_no) < ($3::bigint, $4::bigint))
ORDER BY e.journal_no DESC, e.line_no DESC LIMIT $5
)sql";

using ListedRow =
    std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::optional<std::int64_t>,
               std::int64_t, std::string, std::string, std::string, std::string, base::WallTime>;

pg::RunOptions Write(base::MonotonicTime deadline) { return {.deadline = deadline}; }
pg::RunOptions Read(base::MonotonicTime deadline) {
  return {.deadline = deadline, .read_only = true};
}

absl::StatusOr<std::optional<OpenOutcome>> FindOpening(pg::Transaction& tx, const RequestKey& key,
                                                       const AccountKey& account) {
  MJ_ASSIGN_OR_RETURN(
      const pg::Result found,
      tx.Execute(kFindOpening, key.text, key.content_version, pg::Bytes{key.content}));
  MJ_ASSIGN_OR_RETURN(const auto row,
                      (found.AtMostOne<bool, std::string, std::string, base::WallTime>()));
  if (!row) return std::optional<OpenOutcome>();
  const auto& [same, id, currency, opened_at] = *row;
  if (!same) return std::optional<OpenOutcome>(KeyTaken{});
  if (id != account.id || currency != ToSql(account.currency)) {
    return absl::InternalError(Cat("request ", key.text, " opened another account: ", id));
  }
  return std::optional<OpenOutcome>(Account{account, AccountKind::kPlayer, 0, 0, opened_at});
}

absl::StatusOr<ListedEntry> ToListed(const ListedRow& row) {
  const auto& [major, minor, sequence, coins, balance_after, journal_no, kind, round_id, table_id,
               reason, written_at] = row;
  const auto amount = Coins::From(coins);
  const auto journal_kind = JournalKindFromSql(kind);
  if (!amount || !journal_kind) return absl::InternalError(Cat("an entry of kind ", kind));
  ListedEntry entry;
  entry.position = {major, minor};
  entry.sequence = sequence;
  entry.coins = *amount;
  if (balance_after) entry.balance_after = Coins::From(*balance_after);
  entry.journal_no = journal_no;
  entry.kind = *journal_kind;
  entry.round_id = round_id;
  entry.table_id = table_id;
  entry.reason = reason;
  entry.written_at = written_at;
  return entry;
}

}  // namespace

PgLedgerStore::PgLedgerStore(pg::Pool& pool, GroupCommitOptions options)
    : pool_(pool),
      writer_(pool, rulebooks_,
              [this](PendingPosting& pending, const Ground& ground) {
                return commit_.Decide(pending, ground);
              }),
      commit_(options, pool.clock(),
              [this](GroupCommit::Group group, base::MonotonicTime deadline) {
                writer_.Write(group, deadline);
              }) {}

absl::StatusOr<OpenOutcome> PgLedgerStore::OpenAccount(const RequestKey& key,
                                                       const AccountKey& account,
                                                       base::MonotonicTime deadline) {
  OpenOutcome outcome;
  MJ_RETURN_IF_ERROR(pool_.Run(Write(deadline), [&](pg::Transaction& tx) -> absl::Status {
    MJ_ASSIGN_OR_RETURN(std::optional<OpenOutcome> before, FindOpening(tx, key, account));
    if (before) {
      outcome = *std::move(before);
      return absl::OkStatus();
    }
    MJ_ASSIGN_OR_RETURN(const pg::Result inserted,
                        tx.Execute(kInsertAccount, account.id, ToSql(account.currency), key.text,
                                   key.content_version, pg::Bytes{key.content}));
    MJ_ASSIGN_OR_RETURN(const auto counts, (inserted.One<std::int64_t, std::int64_t>()));
    const auto& [accounts, requests] = counts;
    if (accounts == 1 && requests == 0) return absl::AbortedError("the key was used a moment ago");
    if (accounts == 0) {
      // Opened by another request, or by this one a moment ago, which can be seen by now.
      MJ_ASSIGN_OR_RETURN(std::optional<OpenOutcome> just_now, FindOpening(tx, key, account));
      outcome = just_now ? *std::move(just_now) : OpenOutcome(AccountExists{});
      return absl::OkStatus();
    }
    MJ_ASSIGN_OR_RETURN(std::optional<OpenOutcome> opened, FindOpening(tx, key, account));
    if (!opened) return absl::InternalError("an account that was opened is not there");
    outcome = *std::move(opened);
    return absl::OkStatus();
  }));
  return outcome;
}

absl::StatusOr<LedgerStore::Lookup> PgLedgerStore::FindAccount(const AccountKey& account,
                                                               base::MonotonicTime deadline) {
  Lookup lookup;
  MJ_RETURN_IF_ERROR(pool_.Run(Read(deadline), [&](pg::Transaction& tx) -> absl::Status {
    lookup = {};
    MJ_ASSIGN_OR_RETURN(const pg::Result found, tx.Execute(kFindAccount, account.id));
    MJ_ASSIGN_OR_RETURN(
        const auto rows,
        (found.Rows<std::string, std::string, base::WallTime, std::int64_t, std::int64_t>()));
    for (const auto& [currency, kind_word, opened_at, balance, last_sequence] : rows) {
      if (currency != ToSql(account.currency)) {
        lookup.in_other_currency = true;
        continue;
      }
      const auto kind = AccountKindFromSql(kind_word);
      if (!kind) return absl::InternalError(Cat("an account of kind ", kind_word));
      lookup.account = Account{account, *kind, balance, last_sequence, opened_at};
    }
    if (lookup.account && lookup.account->kind == AccountKind::kPlayer) {
      MJ_ASSIGN_OR_RETURN(lookup.account->standing, ReadStanding(tx, account));
    }
    return absl::OkStatus();
  }));
  return lookup;
}

absl::StatusOr<PostOutcome> PgLedgerStore::Post(const Posting& posting,
                                                base::MonotonicTime deadline) {
  return commit_.Post(posting, deadline);
}

void PgLedgerStore::PostAsync(std::shared_ptr<const Posting> posting, base::MonotonicTime deadline,
                              PostDone done) {
  commit_.PostAsync(std::move(posting), deadline, std::move(done));
}

absl::StatusOr<std::vector<ListedEntry>> PgLedgerStore::ListEntries(
    const AccountKey& account, std::optional<EntryPosition> before, int count_max,
    base::MonotonicTime deadline) {
  std::optional<std::int64_t> major;
  std::optional<std::int64_t> minor;
  if (before) {
    major = before->major;
    minor = before->minor;
  }
  std::vector<ListedEntry> entries;
  MJ_RETURN_IF_ERROR(pool_.Run(Read(deadline), [&](pg::Transaction& tx) -> absl::Status {
    entries.clear();
    MJ_ASSIGN_OR_RETURN(pg::Result result, tx.Execute(kListPlayers, account.id,
                                                      ToSql(account.currency), major, count_max));
    if (result.empty()) {
      MJ_ASSIGN_OR_RETURN(result, tx.Execute(kListHouses, account.id, ToSql(account.currency),
                                             major, minor, count_max));
    }
    MJ_ASSIGN_OR_RETURN(const auto rows,
                        (result.Rows<std::int64_t, std::int64_t, std::int64_t, std::int64_t,
                                     std::optional<std::int64_t>, std::int64_t, std::string,
                                     std::string, std::string, std::string, base::WallTime>()));
    for (const auto& row : rows) {
      MJ_ASSIGN_OR_RETURN(ListedEntry entry, ToListed(row));
      entries.push_back(std::move(entry));
    }
    return absl::OkStatus();
  }));
  return entries;
}

}  // namespace mj::wallet::store
