// Every object is explained, and a reading of a month or of a player leaves the rest alone: seen in
// PostgreSQL's plans.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "libs/pg/cluster_testing.h"
#include "tests/finance/generated_testing.h"
#include "tests/finance/psql_testing.h"

namespace mj::finance {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// A year of generated entries, a partition a month: 2025.
class PlansTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    database_ = new pg::testing::Database;
    Generate(*database_, {.settlements = 12000, .players = 400});
  }
  static void TearDownTestSuite() { delete database_; }

  // What it does, with what it did not get to do marked "never executed".
  static std::string Plan(const std::string& query) {
    return Psql(database_->url(), "finance_reader",
                "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) " + query);
  }

  // The lines of a plan that name a partition and were executed.
  static std::string Touched(const std::string& plan) {
    std::istringstream lines(plan);
    std::string touched;
    for (std::string line; std::getline(lines, line);) {
      if (line.find(" on entries_") != std::string::npos &&
          line.find("never executed") == std::string::npos) {
        touched += line + "\n";
      }
    }
    return touched;
  }

  static pg::testing::Database* database_;
};

pg::testing::Database* PlansTest::database_ = nullptr;

constexpr const char* kMarch = "written_at >= '2025-03-01Z' AND written_at < '2025-04-01Z'";

TEST_F(PlansTest, APlayersMonthIsOnePartitionByIndex) {
  const std::string plan = Plan(std::string("SELECT * FROM finance.player_statement WHERE"
                                            " player_id = 'p7' AND currency = 'COIN' AND ") +
                                kMarch);
  EXPECT_THAT(Touched(plan), AllOf(HasSubstr("entries_2025_03"), Not(HasSubstr("2025_02")),
                                   Not(HasSubstr("2025_04")), Not(HasSubstr("entries_default")),
                                   Not(HasSubstr("Seq Scan"))))
      << plan;
}

TEST_F(PlansTest, APlayersWholeStatementIsFoundByIndex) {
  const std::string plan =
      Plan("SELECT * FROM finance.player_statement WHERE player_id = 'p7' AND currency = 'COIN'");
  EXPECT_THAT(plan, AllOf(HasSubstr("entries_2025_01"), HasSubstr("entries_2025_12")));
  // Empty months may be read as they like.
  EXPECT_THAT(Touched(plan), Not(::testing::ContainsRegex("Seq Scan on entries_2025"))) << plan;
}

TEST_F(PlansTest, AMonthOfAllAccountsIsOnePartition) {
  for (const std::string view : {"player_statement", "house_statement"}) {
    const std::string plan = Plan("SELECT sum(coins) FROM finance." + view + " WHERE " + kMarch);
    EXPECT_THAT(Touched(plan), AllOf(HasSubstr("entries_2025_03"), Not(HasSubstr("2025_02")),
                                     Not(HasSubstr("2025_04")), Not(HasSubstr("entries_default"))))
        << plan;
  }
}

TEST_F(PlansTest, SealedMonthsAreNotAddedUpAgain) {
  const auto totals = [] {
    return database_->Execute("SELECT string_agg(t::text, ' ') FROM finance.trial_balance t");
  };
  const std::string before = totals();
  EXPECT_THAT(Touched(Plan("SELECT * FROM finance.trial_balance")), HasSubstr("entries_2025_01"));
  SealUntil(*database_, "2025-11-30");
  for (const std::string query :
       {"SELECT * FROM finance.trial_balance", "SELECT * FROM finance.roll_forward"}) {
    const std::string plan = Plan(query);
    EXPECT_THAT(Touched(plan), AllOf(HasSubstr("entries_2025_12"), Not(HasSubstr("2025_01")),
                                     Not(HasSubstr("2025_10"))))
        << plan;
  }
  EXPECT_EQ(totals(), before);
  EXPECT_EQ(
      database_->Execute("SELECT problems FROM finance.checks WHERE check_name = 'totals_fit'"),
      "0");
}

TEST(CommentsTest, EverythingIsExplained) {
  const pg::testing::Database database;
  EXPECT_EQ(database.Execute(R"sql(
      SELECT string_agg(concat_ws('.', c.relnamespace::regnamespace, c.relname, a.attname), ' ')
      FROM pg_class c LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
        AND NOT a.attisdropped
      WHERE c.relnamespace IN ('wallet'::regnamespace, 'finance'::regnamespace)
        AND c.relkind IN ('r', 'p', 'v')
        AND (obj_description(c.oid, 'pg_class') IS NULL OR col_description(c.oid, a.attnum) IS NULL))sql"),
            "");
  EXPECT_EQ(database.Execute(R"sql(
      SELECT string_agg(oid::regprocedure::text, ' ') FROM pg_proc
      WHERE pronamespace IN ('wallet'::regnamespace, 'finance'::regnamespace)
        AND obj_description(oid, 'pg_proc') IS NULL)sql"),
            "");
  EXPECT_EQ(database.Execute(R"sql(
      SELECT string_agg(rolname, ' ') FROM pg_roles
      WHERE rolname IN ('wallet_service', 'wallet_auditor', 'finance_reader', 'table_service',
                        'matchmaking_service')
        AND (shobj_description(oid, 'pg_authid') IS NULL OR rolcanlogin OR rolsuper))sql"),
            "");
  EXPECT_EQ(database.Execute("SELECT obj_description('finance'::regnamespace) IS NULL"), "f");
}

}  // namespace
}  // namespace mj::finance
