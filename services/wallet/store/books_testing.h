// Whether the books of a database are right, read with plain SQL.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "libs/pg/cluster_testing.h"

namespace mj::wallet::store {

// The migrations of the schema that the store writes to.
inline std::vector<std::string> Migrations() {
  return {"0001_wallet.sql", "0004_wallet_rounds.sql", "0005_wallet_audit.sql",
          "0028_wallet_trail.sql"};
}

// Expects: entries sum to zero in every currency and journal row; every balance is the sum of its
// account's entries; sequences run from 1 without gaps up to the balance's; every entry's balance is
// the one before plus its coins.
inline void ExpectBooksAreRight(const pg::testing::Database& database) {
  EXPECT_EQ(database.Execute(R"sql(
      SELECT count(*) FROM (SELECT FROM wallet.entries GROUP BY journal_no, currency
                            HAVING sum(coins) <> 0) unbalanced)sql"),
            "0");
  EXPECT_EQ(database.Execute(R"sql(
      SELECT count(*) FROM wallet.balances b
      LEFT JOIN (SELECT account_no, sum(coins) coins, count(*) lines, max(sequence) last
                 FROM wallet.entries GROUP BY account_no) e USING (account_no)
      WHERE b.coins <> coalesce(e.coins, 0) OR b.last_sequence <> coalesce(e.lines, 0)
         OR b.last_sequence <> coalesce(e.last, 0))sql"),
            "0");
  EXPECT_EQ(database.Execute(R"sql(
      SELECT count(*) FROM (
        SELECT coins, sequence, balance_after,
               lag(balance_after, 1, 0::bigint) OVER account AS before,
               row_number() OVER account AS place
        FROM wallet.entries WHERE sequence IS NOT NULL
        WINDOW account AS (PARTITION BY account_no ORDER BY sequence)) chain
      WHERE place <> sequence OR balance_after <> before + coins)sql"),
            "0");
}

}  // namespace mj::wallet::store
