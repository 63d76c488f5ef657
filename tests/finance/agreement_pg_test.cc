// The views tell one story: what one of them sums up is what another lists.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "libs/books/statement.h"
#include "services/wallet/app/statement.h"
#include "tests/finance/story_testing.h"

namespace mj::finance {
namespace {

class AgreementTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { story_ = new Story; }
  static void TearDownTestSuite() { delete story_; }

  // Expects that `sql`, which lists disagreements, lists none.
  static void ExpectNone(const std::string& what, const std::string& sql) {
    EXPECT_EQ(Ask("SELECT count(*) || coalesce(': ' || min(d::text), '') FROM (" + sql + ") d"),
              "0")
        << what;
  }
  static std::string Ask(const std::string& sql) { return story_->database().Execute(sql); }

  static Story* story_;
};

Story* AgreementTest::story_ = nullptr;

TEST_F(AgreementTest, TheBooksAreThere) {
  EXPECT_EQ(Ask("SELECT bool_and(ok) FROM finance.checks"), "t");
  EXPECT_EQ(Ask("SELECT count(DISTINCT day) FROM finance.roll_forward WHERE currency = 'COIN'"),
            "3");
  EXPECT_EQ(Ask("SELECT count(*) FROM wallet.day_totals WHERE day = '2026-01-31'"),
            Ask("SELECT count(*) FROM wallet.day_totals"));
  EXPECT_NE(Ask("SELECT count(*) FROM wallet.day_totals"), "0");
}

TEST_F(AgreementTest, RollForwardEndsAtTheTrialBalance) {
  ExpectNone("last closing", R"sql(
      SELECT * FROM (SELECT DISTINCT ON (account_kind, currency) account_kind, currency, closing
                     FROM finance.roll_forward ORDER BY account_kind, currency, day DESC) r
      FULL JOIN (SELECT * FROM finance.trial_balance WHERE account_kind <> 'total' AND entries > 0) t
        USING (account_kind, currency)
      WHERE r.closing IS DISTINCT FROM t.balance)sql");
  ExpectNone("sums", R"sql(
      SELECT account_kind, currency, coins_in, coins_out FROM finance.trial_balance
        WHERE account_kind <> 'total' AND entries > 0
      EXCEPT
      SELECT account_kind, currency, sum(coins_in), sum(coins_out) FROM finance.roll_forward
        GROUP BY 1, 2)sql");
  ExpectNone("every day is balanced", R"sql(
      SELECT day, currency FROM finance.roll_forward GROUP BY 1, 2
      HAVING sum(coins_in) <> sum(coins_out))sql");
  ExpectNone("a day begins where the one before ended", R"sql(
      SELECT FROM (SELECT opening, lag(closing, 1, 0) OVER (PARTITION BY account_kind, currency
                                                           ORDER BY day) AS before
                   FROM finance.roll_forward) r WHERE opening <> before)sql");
}

TEST_F(AgreementTest, AsOfADaysEndIsItsClosing) {
  for (const std::string day : {"2026-01-31", "2026-02-01", "2026-02-02"}) {
    ExpectNone(day, R"sql(
        SELECT * FROM (
          SELECT DISTINCT ON (account_kind, currency) account_kind, currency, closing
          FROM finance.roll_forward WHERE day <= ')sql" +
                        day + R"sql('
          ORDER BY account_kind, currency, day DESC) r
        FULL JOIN (SELECT account_kind, currency, sum(balance) AS balance
                   FROM finance.as_of((')sql" +
                        day + R"sql('::date + 1)::timestamp AT TIME ZONE 'UTC')
                   GROUP BY 1, 2) a USING (account_kind, currency)
        WHERE coalesce(r.closing, 0) <> coalesce(a.balance, 0))sql");
  }
  ExpectNone("as of now, by either clock", R"sql(
      SELECT account_id, currency, balance, entries FROM finance.as_of('infinity')
      EXCEPT SELECT account_id, currency, balance, entries FROM finance.as_of_happened('infinity'))sql");
}

TEST_F(AgreementTest, StatementsAreBalances) {
  ExpectNone("last line", R"sql(
      SELECT * FROM (SELECT DISTINCT ON (player_id, currency) player_id, currency, balance_after,
                            sequence
                     FROM finance.player_statement ORDER BY player_id, currency, sequence DESC) s
      FULL JOIN (SELECT * FROM finance.accounts WHERE entries > 0) a USING (player_id, currency)
      WHERE s.balance_after IS DISTINCT FROM a.balance OR s.sequence IS DISTINCT FROM a.entries)sql");
  ExpectNone("each line begins where the one before ended", R"sql(
      SELECT FROM (SELECT balance_before, lag(balance_after, 1, 0::bigint) OVER (
                     PARTITION BY player_id, currency ORDER BY sequence) AS before
                   FROM finance.player_statement) s WHERE balance_before <> before)sql");
  ExpectNone("totals", R"sql(
      SELECT t.* FROM finance.player_totals t JOIN finance.accounts a USING (player_id, currency)
      WHERE t.balance <> a.balance OR t.balance <> deposited - withdrawn + won - lost - rake
                                                   + penalties + reversed + adjusted)sql");
  ExpectNone("players and house together are the ledger", R"sql(
      SELECT FROM (SELECT sum(coins) AS coins FROM finance.player_statement) p,
                  (SELECT sum(coins) AS coins FROM finance.house_statement) h
      WHERE p.coins + h.coins <> 0)sql");
}

TEST_F(AgreementTest, AStatementIsTheSameFileFromTheWalletAndFromItsDatabase) {
  for (const std::string player : {"ann", "cat", "eve"}) {
    const auto entries = story_->wallet().EntriesAfter(story_->Now(), {.account_id = player}, 100);
    ASSERT_TRUE(entries.ok()) << entries.status();
    std::string sent = wallet::StatementHeader();
    for (const wallet::ListedEntry& entry : *entries) sent += wallet::StatementLine(entry);
    std::string read;
    ASSERT_TRUE(books::WriteStatement(story_->pool(), player, "COIN", story_->Now().deadline,
                                      [&](std::string_view line) { read += line; })
                    .ok());
    EXPECT_EQ(sent, read);
    EXPECT_EQ(std::count(read.begin(), read.end(), '\n'),
              1 + std::stoi(Ask("SELECT entries FROM finance.accounts WHERE currency = 'COIN'"
                                " AND player_id = '" +
                                player + "'")));
  }
  EXPECT_TRUE(absl::IsNotFound(books::WriteStatement(
      story_->pool(), "nobody", "COIN", story_->Now().deadline, [](std::string_view) { FAIL(); })));
}

TEST_F(AgreementTest, EachHouseAccountIsWhatItsReportSays) {
  const auto balance = [](const std::string& kind) {
    return Ask(
        "SELECT balance FROM finance.trial_balance WHERE currency = 'COIN'"
        " AND account_kind = '" +
        kind + "'");
  };
  EXPECT_EQ(balance("house_rake"),
            Ask("SELECT sum(rake_net) FROM finance.rake_by_day WHERE currency = 'COIN'"));
  EXPECT_EQ(balance("penalties"), Ask("SELECT sum(house_part) FROM finance.penalties"));
  EXPECT_EQ(balance("house_loss"), Ask(R"sql(
      SELECT -(SELECT sum(coins) FROM finance.adjustments)
             - (SELECT sum(covered) FROM finance.reversals))sql"));
  EXPECT_EQ(balance("issue"),
            Ask("SELECT -sum(coins) FROM finance.coins_issued WHERE currency = 'COIN'"));
  EXPECT_EQ(balance("issue"),
            Ask("SELECT -sum(coins) FROM finance.external_movements WHERE currency = 'COIN'"));
}

TEST_F(AgreementTest, ASettlementIsTheSumOfItsParts) {
  ExpectNone("settlements and their pairs", R"sql(
      SELECT * FROM finance.settlements s
      FULL JOIN (SELECT journal_no, sum(owed) AS owed, sum(set_off) AS set_off, sum(paid) AS paid,
                        sum(shortfall) AS shortfall
                 FROM finance.settlement_payments GROUP BY journal_no) p USING (journal_no)
      WHERE (s.owed, s.set_off, s.paid, s.shortfall)
            IS DISTINCT FROM (p.owed, p.set_off, p.paid, p.shortfall)
         OR s.owed <> s.set_off + s.paid + s.shortfall)sql");
  ExpectNone("pairs and their lines", R"sql(
      SELECT journal_no, payer, payee, owed FROM finance.settlement_payments
      EXCEPT SELECT journal_no, payer, payee, sum(owed) FROM finance.settlement_transfers
             GROUP BY 1, 2, 3)sql");
  ExpectNone("seats and entries", R"sql(
      SELECT journal_no, player_id, net FROM finance.settlement_seats WHERE net <> 0
      EXCEPT SELECT journal_no, player_id, sum(coins) FROM finance.player_statement
             WHERE event = 'settlement' GROUP BY 1, 2)sql");
  ExpectNone("rake", R"sql(
      SELECT s.journal_no FROM finance.settlements s
      JOIN (SELECT journal_no, sum(rake_paid) AS paid, sum(rake_due) AS due
            FROM finance.settlement_seats GROUP BY 1) r USING (journal_no)
      WHERE s.rake_taken <> r.paid OR s.rake_due <> r.due)sql");
  EXPECT_EQ(Ask("SELECT sum(shortfall) FROM finance.shortfalls WHERE payee_kind = 'player'"),
            Ask("SELECT sum(shortfall) FROM finance.settlements"));
}

TEST_F(AgreementTest, WhatHasToBeEmptyShowsWhatIsWrong) {
  // As the superuser, behind the triggers' back, and undone again.
  const auto with = [](const std::string& damage, const std::string& check) {
    return Ask("BEGIN; SET LOCAL session_replication_role = replica; " + damage +
               "; SELECT problems FROM finance.checks WHERE check_name = '" + check + "'");
  };
  EXPECT_EQ(with("SELECT", "books_balance"), "0");
  EXPECT_EQ(with("UPDATE wallet.entries SET coins = coins + 1 WHERE sequence IS NULL AND"
                 " written_at > '2026-02-01Z'",
                 "books_balance"),
            "1");
  EXPECT_NE(with("UPDATE wallet.entries SET coins = coins + 1 WHERE line_no = 1", "events_balance"),
            "0");
  EXPECT_EQ(with("UPDATE wallet.balances SET coins = coins + 1 WHERE account_no ="
                 " (SELECT account_no FROM wallet.accounts WHERE account_id = 'eve')",
                 "balances_fit"),
            "1");
  EXPECT_EQ(with("DELETE FROM wallet.entries WHERE sequence = 2 AND account_no ="
                 " (SELECT account_no FROM wallet.accounts WHERE account_id = 'eve')",
                 "balances_fit"),
            "1");
  EXPECT_EQ(with("UPDATE wallet.day_totals SET coins_in = coins_in + 1 WHERE purpose = 'rake' AND"
                 " account_kind = 'player'",
                 "totals_fit"),
            "1");
  EXPECT_EQ(with("DELETE FROM wallet.journal WHERE journal_no ="
                 " (SELECT max(journal_no) FROM wallet.journal)",
                 "chains_fit"),
            "1");
  EXPECT_EQ(with("INSERT INTO wallet.entries_default SELECT journal_no, line_no, '1999-01-01Z',"
                 " account_no, currency, purpose, coins, balance_after, sequence"
                 " FROM wallet.entries",
                 "months_ready"),
            "1");
  EXPECT_EQ(with("UPDATE wallet.rounds SET begun_at = '2000-01-01', close_due = '2000-01-02'",
                 "rounds_closed"),
            "1");
}

}  // namespace
}  // namespace mj::finance
