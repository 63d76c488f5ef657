// What each role can do, tried as that role: history cannot be altered by the wallet's own.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <sstream>
#include <string>
#include <vector>

#include "libs/audit/finding.h"
#include "libs/base/clock.h"
#include "libs/books/audit.h"
#include "libs/books/days.h"
#include "libs/books/steps.h"
#include "libs/pg/pool.h"
#include "tests/finance/psql_testing.h"
#include "tests/finance/story_testing.h"

namespace mj::finance {
namespace {

using ::testing::HasSubstr;
using ::testing::Optional;

constexpr const char* kDenied = "42501";           // insufficient_privilege
constexpr const char* kNotUpdatable = "55000";     // object_not_in_prerequisite_state
constexpr const char* kWrongObjectType = "42809";  // wrong_object_type

class RolesTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { story_ = new Story; }
  static void TearDownTestSuite() { delete story_; }

  static std::string Ask(const std::string& sql) { return story_->database().Execute(sql); }

  static std::vector<std::string> List(const std::string& sql) {
    std::istringstream text(Ask("SELECT string_agg(name, ' ' ORDER BY name) FROM (" + sql + ") l"));
    std::vector<std::string> names;
    for (std::string name; text >> name;) names.push_back(name);
    return names;
  }

  // Every table and view of a schema, "schema.name"; with `leaves`, partitions too.
  static std::vector<std::string> Relations(const std::string& schema, bool leaves = true) {
    return List(
        "SELECT oid::regclass::text AS name FROM pg_class WHERE relkind IN ('r', 'p', 'v')"
        " AND relnamespace = '" +
        schema + "'::regnamespace" + (leaves ? "" : " AND NOT relispartition"));
  }

  // With what SQLSTATE a role is refused; nothing if it is not. Nothing is kept.
  static std::optional<std::string> Refusal(const std::string& role, const std::string& sql) {
    return story_->database().Refusal("BEGIN; SET LOCAL ROLE " + role + "; " + sql + "; ROLLBACK");
  }

  static std::string SomeColumn(const std::string& relation) {
    return Ask("SELECT quote_ident(attname) FROM pg_attribute WHERE attrelid = '" + relation +
               "'::regclass AND attnum > 0 AND attidentity = '' ORDER BY attnum LIMIT 1");
  }

  // Views are refused for what they are, before anybody looks at rights.
  static auto IsRefusal(const std::string& relation) {
    const bool view =
        Ask("SELECT relkind = 'v' FROM pg_class WHERE oid = '" + relation + "'::regclass") == "t";
    return Optional(::testing::AnyOf(kDenied, view ? kNotUpdatable : kDenied,
                                     view ? kWrongObjectType : kDenied));
  }

  static void ExpectNoWrites(const std::string& role, const std::string& relation) {
    const std::string column = SomeColumn(relation);
    const std::string set = "UPDATE " + relation + " SET " + column + " = " + column;
    for (const std::string& sql : {set, "DELETE FROM " + relation, "TRUNCATE " + relation}) {
      EXPECT_THAT(Refusal(role, sql), IsRefusal(relation)) << role << ": " << sql;
    }
  }

  static Story* story_;
};

Story* RolesTest::story_ = nullptr;

TEST_F(RolesTest, TheWalletAltersNoHistory) {
  for (const std::string& relation : Relations("wallet")) {
    ExpectNoWrites("wallet_service", relation);
    EXPECT_THAT(Refusal("wallet_service", "ALTER TABLE " + relation + " DISABLE TRIGGER ALL"),
                Optional(std::string(kDenied)))
        << relation;
    EXPECT_THAT(Refusal("wallet_service", "DROP TABLE " + relation + " CASCADE"),
                IsRefusal(relation))
        << relation;
  }
  EXPECT_THAT(Refusal("wallet_service", "SET session_replication_role = replica"),
              Optional(std::string(kDenied)));
  EXPECT_THAT(Refusal("wallet_service", "DROP FUNCTION wallet.refuse_change() CASCADE"),
              Optional(std::string(kDenied)));
  EXPECT_THAT(Refusal("wallet_service", "CREATE TABLE wallet.mine ()"),
              Optional(std::string(kDenied)));
  EXPECT_THAT(Refusal("wallet_service", "SELECT wallet.add_partition('x', 'DEFAULT')"),
              Optional(std::string(kDenied)));
  EXPECT_THAT(Refusal("wallet_service", "UPDATE wallet.balances SET account_no = 1"),
              Optional(std::string(kDenied)));
}

TEST_F(RolesTest, TheWalletReachesPartitionsThroughTheirParentOnly) {
  const auto partitions = List(
      "SELECT inhrelid::regclass::text AS name FROM pg_inherits"
      " WHERE inhparent = 'wallet.entries'::regclass");
  ASSERT_GE(partitions.size(), 3U);
  for (const std::string& partition : partitions) {
    EXPECT_THAT(Refusal("wallet_service", "SELECT FROM " + partition),
                Optional(std::string(kDenied)))
        << partition;
    EXPECT_THAT(
        Refusal("wallet_service", "INSERT INTO " + partition + " SELECT * FROM wallet.entries"),
        Optional(std::string(kDenied)))
        << partition;
  }
  EXPECT_EQ(Refusal("wallet_service", "SELECT FROM wallet.entries"), std::nullopt);
  // Those that the wallet has made for it have no more rights.
  EXPECT_EQ(Refusal("wallet_service", "SELECT wallet.make_partitions(12)"), std::nullopt);
  EXPECT_EQ(Ask("SELECT wallet.make_partitions(12); SELECT count(*) FROM pg_class"
                " WHERE relispartition AND relkind = 'r' AND relacl IS NOT NULL"),
            "0");
}

TEST_F(RolesTest, TheWalletPostsAsItsOwnRole) {
  // Reading and adding is all it needs: the whole path of a row, written by hand.
  EXPECT_EQ(Refusal("wallet_service", R"sql(
      SELECT FROM wallet.balances FOR UPDATE;
      UPDATE wallet.balances SET coins = coins + 5, last_sequence = last_sequence + 1
        WHERE account_no = (SELECT account_no FROM wallet.accounts WHERE account_id = 'eve');
      INSERT INTO wallet.journal (journal_no, kind, request_key, content_version, content_hash,
          actor, reason, happened_at, written_at, chain_no, chain_sequence, previous_hash, hash)
        SELECT journal_nos[1], 'deposit', 'by hand', 1, sha256(''), 'test', '', now(), written_at,
               chain_no, head_sequence + 1, head_hash, sha256('x') FROM wallet.take_chain(1);
      INSERT INTO wallet.entries (journal_no, line_no, written_at, account_no, currency, purpose,
                                  coins, balance_after, sequence)
        SELECT j.journal_no, l.line, j.written_at, a.account_no, 'COIN', 'money_in', l.coins,
               CASE WHEN l.line = 1 THEN 5 END, CASE WHEN l.line = 1 THEN 1000 END
        FROM wallet.journal j, (VALUES (1, 'eve', 5), (2, 'issue', -5)) l (line, id, coins)
        JOIN wallet.accounts a ON a.account_id = l.id AND a.currency = 'COIN'
        WHERE j.request_key = 'by hand')sql"),
            std::nullopt);
}

TEST_F(RolesTest, TheBooksAreAuditedAndSealedByTheRolesForIt) {
  base::SystemClock clock;
  const auto deadline = clock.Monotonic() + std::chrono::minutes(1);
  const auto as = [](const std::string& role) {
    return pg::PoolOptions{.url = story_->database().url() + "&options=-c%20role%3D" + role,
                           .plans_by_index = true};
  };
  pg::Pool auditor(as("wallet_auditor"), clock);
  const auto report = books::Audit(auditor, {}, deadline);
  ASSERT_TRUE(report.ok()) << report.status();
  // Every chain is right, and the day that the story sealed with a root of its own making is not.
  ASSERT_TRUE(report->finding.has_value());
  EXPECT_EQ(report->finding->fault, audit::Fault::kDayWrong) << audit::Describe(*report->finding);
  EXPECT_EQ(report->finding->day, "2026-01-31");
  EXPECT_EQ(std::to_string(report->rows), Ask("SELECT count(*) FROM wallet.journal"));
  const auto step = books::AuditFrom(auditor, {}, 1000, deadline);
  EXPECT_TRUE(step.ok()) << step.status();
  const books::AuditPlace players{.part = books::AuditPlace::Part::kPlayers};
  const auto rest = books::AuditFrom(auditor, players, 100'000, deadline);
  ASSERT_TRUE(rest.ok()) << rest.status();
  EXPECT_EQ(rest->next.part, books::AuditPlace::Part::kOver);
  const auto not_its_own = books::SealDay(auditor, "1999-12-31", deadline);
  EXPECT_THAT(std::string(not_its_own.status().message()),
              HasSubstr("permission denied for function end_day"));

  pg::Pool wallet(as("wallet_service"), clock);
  const auto steps = books::AuditFrom(wallet, {}, 1000, deadline);
  EXPECT_TRUE(steps.ok()) << steps.status();
  EXPECT_EQ(
      Refusal("wallet_service",
              "SELECT wallet.make_partitions(3), wallet.upkeep(), wallet.end_day('1999-12-31');"
              "INSERT INTO wallet.ledger_days (day, first_sequences, last_sequences, rows, root,"
              " previous_root) SELECT '1999-12-31', array_fill(1, '{16}'), array_fill(0, '{16}'),"
              " 0, sha256(''), sha256('')"),
      std::nullopt);
}

TEST_F(RolesTest, FinanceReadsFinanceAndNothingElse) {
  const auto views = Relations("finance");
  ASSERT_GE(views.size(), 25U);
  for (const std::string& view : views) {
    EXPECT_EQ(Refusal("finance_reader", "SELECT * FROM " + view), std::nullopt) << view;
    ExpectNoWrites("finance_reader", view);
  }
  EXPECT_EQ(Refusal("finance_reader", "SELECT * FROM finance.as_of(now())"), std::nullopt);
  for (const std::string schema : {"wallet", "tables", "matchmaking"}) {
    for (const std::string& relation : Relations(schema)) {
      EXPECT_THAT(Refusal("finance_reader", "SELECT FROM " + relation),
                  Optional(std::string(kDenied)))
          << relation;
    }
  }
  EXPECT_THAT(Refusal("finance_reader", "SELECT wallet.take_chain(1)"),
              Optional(std::string(kDenied)));
  for (const std::string schema : {"finance", "public"}) {
    EXPECT_THAT(Refusal("finance_reader", "CREATE TABLE " + schema + ".mine ()"),
                Optional(std::string(kDenied)));
  }
}

TEST_F(RolesTest, EachServiceHasItsOwnSchemaAlone) {
  const std::vector<std::pair<std::string, std::string>> owns = {
      {"wallet_service", "wallet"},
      {"table_service", "tables"},
      {"matchmaking_service", "matchmaking"},
      {"wallet_auditor", "wallet"}};
  for (const auto& [role, own] : owns) {
    for (const std::string schema : {"wallet", "tables", "matchmaking", "finance"}) {
      for (const std::string& relation : Relations(schema, false)) {
        const auto refused = Refusal(role, "SELECT FROM " + relation);
        EXPECT_EQ(refused.has_value(), schema != own) << role << " " << relation;
      }
    }
  }
  for (const std::string& relation : Relations("wallet")) {
    ExpectNoWrites("wallet_auditor", relation);
    EXPECT_THAT(Refusal("wallet_auditor", "INSERT INTO " + relation + " DEFAULT VALUES"),
                IsRefusal(relation))
        << relation;
  }
  // A live round's hidden tiles are in there: not by way of a partition either.
  const auto parts = List(
      "SELECT oid::regclass::text AS name FROM pg_class WHERE relispartition"
      " AND relkind = 'r' AND relnamespace = 'tables'::regnamespace");
  ASSERT_GE(parts.size(), 20U);
  for (const std::string role : {"wallet_service", "wallet_auditor", "finance_reader",
                                 "matchmaking_service", "table_service"}) {
    for (const std::string& part : parts) {
      EXPECT_THAT(Refusal(role, "SELECT FROM " + part), Optional(std::string(kDenied)))
          << role << " " << part;
    }
    if (role == "table_service") continue;
    for (const std::string call : {"make_partitions(1)", "drop_events(1)", "drop_records(1)"}) {
      EXPECT_THAT(Refusal(role, "SELECT tables." + call), Optional(std::string(kDenied))) << role;
    }
  }
}

TEST_F(RolesTest, TheTableServiceAddsToItsJournalAndLetsOldDaysGo) {
  for (const std::string table : {"events", "records", "record_players", "operations"}) {
    for (const std::string& sql : {"DELETE FROM tables." + table, "TRUNCATE tables." + table,
                                   "UPDATE tables." + table + " SET table_id = 'x'"}) {
      EXPECT_THAT(Refusal("table_service", sql), Optional(::testing::AnyOf(kDenied, "42703")))
          << sql;
    }
    EXPECT_EQ(Refusal("table_service", "SELECT FROM tables." + table), std::nullopt);
  }
  EXPECT_EQ(Refusal("table_service",
                    "SELECT tables.make_partitions(9), tables.drop_events(7),"
                    " tables.drop_records(180), tables.misplaced_events(),"
                    " (SELECT count(*) FROM tables.partition_days('tables.events'))"),
            std::nullopt);
  EXPECT_THAT(Refusal("table_service", "SELECT tables.add_day('events', '1999-01-01')"),
              Optional(std::string(kDenied)));
}

TEST_F(RolesTest, AHelpersFunctionsCannotBeTurnedOnTheirOwner) {
  EXPECT_EQ(Ask(R"sql(
      SELECT string_agg(oid::regprocedure::text, ' ') FROM pg_proc
      WHERE pronamespace IN ('wallet'::regnamespace, 'finance'::regnamespace, 'tables'::regnamespace)
        AND prosecdef
        AND NOT coalesce(proconfig @> '{search_path=pg_catalog}', false))sql"),
            "");
  EXPECT_EQ(Ask(R"sql(
      SELECT string_agg(p.oid::regprocedure::text, ' ') FROM pg_proc p,
        aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
      WHERE p.pronamespace IN ('wallet'::regnamespace, 'finance'::regnamespace) AND a.grantee = 0)sql"),
            "");
}

TEST_F(RolesTest, PsqlSaysWhy) {
  const std::string& url = story_->database().url();
  EXPECT_THAT(Psql(url, "wallet_service", "update wallet.entries set coins = 1"),
              HasSubstr("permission denied for table entries"));
  EXPECT_THAT(Psql(url, "finance_reader", "select * from wallet.journal"),
              HasSubstr("permission denied for schema wallet"));
  // And if someone should grant it, the triggers are still there.
  EXPECT_THAT(story_->database().Refusal("UPDATE wallet.entries SET coins = 1"),
              Optional(std::string("23001")));
}

}  // namespace
}  // namespace mj::finance
