#include "tools/demo/books.h"

#include <chrono>

#include "libs/base/status.h"

namespace mj::demo {
namespace {

constexpr std::chrono::seconds kLimit{20};

constexpr char kKinds[] = R"(
  SELECT a.kind, count(DISTINCT a.account_no)::bigint, coalesce(sum(e.coins), 0)::bigint
    FROM wallet.accounts a LEFT JOIN wallet.entries e ON e.account_no = a.account_no
    WHERE a.currency = 'COIN' GROUP BY a.kind ORDER BY a.kind)";

constexpr char kPlayer[] = R"(
  SELECT coalesce(sum(e.coins) FILTER (WHERE e.purpose IN ('money_in', 'money_out')), 0)::bigint,
         coalesce(sum(e.coins) FILTER (WHERE e.purpose NOT IN ('money_in', 'money_out')), 0)::bigint,
         coalesce(sum(e.coins), 0)::bigint, b.coins
    FROM wallet.accounts a
    JOIN wallet.balances b ON b.account_no = a.account_no
    LEFT JOIN wallet.entries e ON e.account_no = a.account_no
    WHERE a.account_id = $1 AND a.currency = 'COIN' GROUP BY b.coins)";

constexpr char kChecks[] = R"(
  SELECT (SELECT coalesce(sum(coins), 0)::bigint FROM wallet.entries WHERE currency = 'COIN'),
         (SELECT count(*)::bigint FROM (SELECT 1 FROM wallet.entries
            GROUP BY journal_no, currency HAVING sum(coins) <> 0) unbalanced),
         (SELECT count(*)::bigint FROM (SELECT 1 FROM wallet.balances b
            LEFT JOIN wallet.entries e ON e.account_no = b.account_no
            GROUP BY b.account_no, b.coins HAVING coalesce(sum(e.coins), 0) <> b.coins) wrong),
         (SELECT count(*)::bigint FROM wallet.journal
            WHERE kind = 'settlement' AND table_id = ANY($1::text[])),
         (SELECT count(*)::bigint FROM wallet.reservations WHERE table_id = ANY($1::text[])),
         (SELECT count(*)::bigint FROM wallet.rounds WHERE table_id = ANY($1::text[])),
         (SELECT count(*)::bigint FROM wallet.rounds r LEFT JOIN wallet.round_closes c
            USING (round_no) WHERE r.table_id = ANY($1::text[]) AND c.round_no IS NULL))";

absl::StatusOr<AccountLine> ReadPlayer(pg::Transaction& tx, const std::string& player) {
  MJ_ASSIGN_OR_RETURN(const pg::Result found, tx.Execute(kPlayer, player));
  using Row = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>;
  MJ_ASSIGN_OR_RETURN(const Row row,
                      (found.One<std::int64_t, std::int64_t, std::int64_t, std::int64_t>()));
  const auto& [deposited, played, entries, balance] = row;
  return AccountLine{player, deposited, played, entries, balance};
}

absl::Status ReadInto(pg::Transaction& tx, const BooksQuestion& question, Books& out) {
  Books books;
  MJ_ASSIGN_OR_RETURN(const pg::Result kinds, tx.Execute(kKinds));
  using Kind = std::tuple<std::string, std::int64_t, std::int64_t>;
  MJ_ASSIGN_OR_RETURN(const std::vector<Kind> rows,
                      (kinds.Rows<std::string, std::int64_t, std::int64_t>()));
  for (const auto& [kind, accounts, coins] : rows) books.kinds.push_back({kind, accounts, coins});
  for (const std::string& player : question.players) {
    MJ_ASSIGN_OR_RETURN(AccountLine line, ReadPlayer(tx, player));
    books.players.push_back(std::move(line));
  }
  MJ_ASSIGN_OR_RETURN(const pg::Result checked, tx.Execute(kChecks, question.tables));
  using Number = std::int64_t;
  using Checks = std::tuple<Number, Number, Number, Number, Number, Number, Number>;
  MJ_ASSIGN_OR_RETURN(const Checks checks,
                      (checked.One<Number, Number, Number, Number, Number, Number, Number>()));
  std::tie(books.total, books.unbalanced_journal_rows, books.wrong_balances, books.settlements,
           books.reservations, books.rounds_begun, books.rounds_open) = checks;
  out = std::move(books);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Books> ReadBooks(pg::Pool& pool, base::Clock& clock, const BooksQuestion& question) {
  Books books;
  const absl::Status read =
      pool.Run({.deadline = clock.Monotonic() + kLimit,
                .isolation = pg::RunOptions::Isolation::kRepeatableRead,
                .read_only = true},
               [&](pg::Transaction& tx) { return ReadInto(tx, question, books); });
  if (!read.ok()) return read;
  return books;
}

}  // namespace mj::demo
