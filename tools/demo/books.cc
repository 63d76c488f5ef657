#include "tools/demo/books.h"

#include <chrono>
#include <tuple>
#include <utility>

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
  MJ_ASSIGN_OR_RETURN(static_cast<books::PlayedBooks&>(books),
                      books::ReadPlayed(tx, question.tables));
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
