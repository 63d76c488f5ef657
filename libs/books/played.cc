#include "libs/books/played.h"

#include <tuple>

#include "libs/base/status.h"

namespace mj::books {
namespace {

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

}  // namespace

absl::StatusOr<PlayedBooks> ReadPlayed(pg::Transaction& tx,
                                       const std::vector<std::string>& tables) {
  using Number = std::int64_t;
  using Checks = std::tuple<Number, Number, Number, Number, Number, Number, Number>;
  MJ_ASSIGN_OR_RETURN(const pg::Result checked, tx.Execute(kChecks, tables));
  MJ_ASSIGN_OR_RETURN(const Checks checks,
                      (checked.One<Number, Number, Number, Number, Number, Number, Number>()));
  PlayedBooks books;
  std::tie(books.total, books.unbalanced_journal_rows, books.wrong_balances, books.settlements,
           books.reservations, books.rounds_begun, books.rounds_open) = checks;
  return books;
}

}  // namespace mj::books
