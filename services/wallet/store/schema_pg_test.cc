// What the schema itself holds, whoever writes: as the superuser, since that is the hardest case.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "libs/pg/cluster_testing.h"
#include "libs/pg/migrations_testing.h"
#include "services/wallet/store/books_testing.h"

namespace mj::wallet::store {
namespace {

using ::testing::Optional;

class SchemaTest : public ::testing::Test {
 protected:
  SchemaTest() {
    database_.Execute(R"sql(
        INSERT INTO wallet.accounts (account_id, currency, kind)
          VALUES ('ann', 'COIN', 'player'), ('bob', 'COIN', 'player'), ('pat', 'PRACTICE', 'player');
        INSERT INTO wallet.balances (account_no)
          SELECT account_no FROM wallet.accounts WHERE kind = 'player')sql");
  }

  static std::string Account(const std::string& id, const std::string& currency = "COIN") {
    return "(SELECT account_no FROM wallet.accounts WHERE account_id = '" + id +
           "' AND currency = '" + currency + "')";
  }

  // A journal row and its entries, as one transaction.
  static std::string Post(const std::string& entries, const std::string& key = "k") {
    return "BEGIN;" + Journal(key) +
           "INSERT INTO wallet.entries (written_at, journal_no, line_no, account_no, currency,"
           " purpose, coins, balance_after, sequence) VALUES " +
           entries + "; COMMIT";
  }

  static std::string Journal(const std::string& key) {
    return "INSERT INTO wallet.journal (kind, request_key, content_version, content_hash, actor,"
           " reason, happened_at, journal_no, written_at, chain_no, chain_sequence, previous_hash,"
           " hash) SELECT 'deposit', '" +
           key +
           "', 1, sha256(''), 'test', '', now(), journal_nos[1], written_at, chain_no,"
           " head_sequence + 1, head_hash, sha256('x') FROM wallet.take_chain(1);";
  }

  static std::string Line(int line, const std::string& account, const std::string& currency,
                          const std::string& coins, const std::string& after,
                          const std::string& sequence) {
    return "((SELECT written_at FROM wallet.journal WHERE journal_no = lastval()), lastval(), " +
           std::to_string(line) + ", " + account + ", '" + currency + "', 'money_in', " + coins +
           ", " + after + ", " + sequence + ")";
  }

  static std::string Ann(const std::string& coins) {
    return Line(1, Account("ann"), "COIN", coins, coins, "1");
  }
  static std::string Issue(const std::string& coins) {
    return Line(2, Account("issue"), "COIN", coins, "NULL", "NULL");
  }

  const pg::testing::Database database_{Migrations()};
};

TEST_F(SchemaTest, GoesDownAndUpAgain) {
  const std::vector<pg::testing::Migration> migrations = pg::testing::ReadMigrations(Migrations());
  for (auto at = migrations.rbegin(); at != migrations.rend(); ++at) database_.Execute(at->down);
  EXPECT_EQ(database_.Execute("SELECT count(*) FROM pg_namespace WHERE nspname = 'wallet'"), "0");
  for (const auto& migration : migrations) database_.Execute(migration.up);
  EXPECT_EQ(database_.Execute("SELECT count(*) FROM wallet.accounts"), "8");
}

TEST_F(SchemaTest, EverythingIsExplained) {
  EXPECT_EQ(database_.Execute(R"sql(
      SELECT string_agg(c.relname || coalesce('.' || a.attname, ''), ' ')
      FROM pg_class c LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
      WHERE c.relnamespace = 'wallet'::regnamespace AND c.relkind IN ('r', 'p', 'v')
        AND (obj_description(c.oid, 'pg_class') IS NULL OR col_description(c.oid, a.attnum) IS NULL))sql"),
            "");
  EXPECT_EQ(database_.Execute(R"sql(
      SELECT string_agg(proname, ' ') FROM pg_proc
      WHERE pronamespace = 'wallet'::regnamespace AND obj_description(oid, 'pg_proc') IS NULL)sql"),
            "");
}

TEST_F(SchemaTest, EntriesOfAJournalRowSumToZero) {
  EXPECT_EQ(database_.Refusal(Post(Ann("5") + "," + Issue("-5"))), std::nullopt);
  const std::string next = Line(1, Account("ann"), "COIN", "5", "10", "2");
  EXPECT_THAT(database_.Refusal(Post(next + "," + Issue("-4"), "k2")),
              Optional(std::string("23514")));
  EXPECT_THAT(database_.Refusal(Post(next, "k2")), Optional(std::string("23514")));
  EXPECT_EQ(database_.Execute("SELECT count(*) FROM wallet.journal"), "1");
}

TEST_F(SchemaTest, EachCurrencySumsToZero) {
  const std::string pat = Line(2, Account("pat", "PRACTICE"), "PRACTICE", "-5", "0", "1");
  EXPECT_THAT(database_.Refusal(Post(Ann("5") + "," + pat)), Optional(std::string("23514")));
}

TEST_F(SchemaTest, AnEntryIsInItsAccountsCurrencyAndKind) {
  const std::vector<std::string> wrong = {
      // pat's account is a practice account, called COIN
      Line(1, Account("pat", "PRACTICE"), "COIN", "5", "5", "1") + "," + Issue("-5"),
      // an account that does not exist
      Line(1, "999999", "COIN", "5", "5", "1") + "," + Issue("-5"),
      // a player without a sequence
      Line(1, Account("ann"), "COIN", "5", "NULL", "NULL") + "," + Issue("-5"),
      // the house with one
      Ann("5") + "," + Line(2, Account("issue"), "COIN", "-5", "0", "1"),
      // a sequence without a balance
      Line(1, Account("ann"), "COIN", "5", "NULL", "1") + "," + Issue("-5"),
      // nothing, and too much
      Ann("0") + "," + Issue("-0"),
      Ann("9007199254740993") + "," + Issue("-9007199254740993"),
  };
  for (const std::string& entries : wrong) {
    EXPECT_THAT(database_.Refusal(Post(entries)), Optional(std::string("23514"))) << entries;
  }
}

TEST_F(SchemaTest, ASequenceIsUsedOnce) {
  EXPECT_EQ(database_.Refusal(Post(Ann("5") + "," + Issue("-5"))), std::nullopt);
  EXPECT_THAT(database_.Refusal(Post(Ann("5") + "," + Issue("-5"), "k2")),
              Optional(std::string("23505")));
}

TEST_F(SchemaTest, AKeyIsUsedOnce) {
  EXPECT_EQ(database_.Refusal(Journal("k")), std::nullopt);
  EXPECT_THAT(database_.Refusal(Journal("k")), Optional(std::string("23505")));
}

TEST_F(SchemaTest, NothingIsAddedToAJournalRowLater) {
  database_.Execute(Journal("k"));
  const std::string late =
      "INSERT INTO wallet.entries (written_at, journal_no, line_no, account_no, currency, purpose,"
      " coins, balance_after, sequence) SELECT j.written_at, j.journal_no, l.*"
      " FROM wallet.journal j, (VALUES "
      "(1::smallint, " +
      Account("ann") +
      ", 'COIN', 'money_in', 5, 5::bigint, 1::bigint), "
      "(2::smallint, " +
      Account("issue") + ", 'COIN', 'money_in', -5, NULL, NULL)) l";
  EXPECT_THAT(database_.Refusal(late), Optional(std::string("23514")));
}

TEST_F(SchemaTest, ABalanceIsNeverBelowZeroNorBelowItsHold) {
  const auto set = [&](const std::string& what) {
    return database_.Refusal("UPDATE wallet.balances SET " + what +
                             " WHERE account_no = " + Account("ann"));
  };
  EXPECT_EQ(set("coins = 5, held = 5"), std::nullopt);
  EXPECT_THAT(set("coins = 4"), Optional(std::string("23514")));
  EXPECT_THAT(set("held = 6"), Optional(std::string("23514")));
  EXPECT_THAT(set("held = -1"), Optional(std::string("23514")));
  EXPECT_THAT(set("coins = -1, held = 0"), Optional(std::string("23514")));
  EXPECT_THAT(set("coins = 9007199254740993"), Optional(std::string("23514")));
}

TEST_F(SchemaTest, TheHouseHasNoBalanceRow) {
  EXPECT_THAT(database_.Refusal("INSERT INTO wallet.balances (account_no) VALUES (" +
                                Account("issue") + ")"),
              Optional(std::string("23503")));
  EXPECT_THAT(database_.Refusal("INSERT INTO wallet.accounts (account_id, currency, kind)"
                                " VALUES ('issue2', 'COIN', 'issue')"),
              Optional(std::string("23505")));
}

TEST_F(SchemaTest, HistoryIsNotAltered) {
  database_.Execute(Post(Ann("5") + "," + Issue("-5")));
  for (const char* const table :
       {"journal", "entries", "settlements", "settlement_transfers", "settlement_set_offs",
        "shortfalls", "penalties", "money_movements", "requests", "stake_tiers", "accounts"}) {
    const std::string column = database_.Execute(
        std::string("SELECT attname FROM pg_attribute WHERE attnum = 2 AND attrelid = 'wallet.") +
        table + "'::regclass");
    const std::string name = std::string("wallet.") + table;
    EXPECT_THAT(database_.Refusal("UPDATE " + name + " SET " + column + " = " + column),
                Optional(std::string("23001")))
        << table;
    EXPECT_THAT(database_.Refusal("DELETE FROM " + name), Optional(std::string("23001"))) << table;
    EXPECT_THAT(database_.Refusal("TRUNCATE " + name + " CASCADE"), Optional(std::string("23001")))
        << table;
  }
  EXPECT_EQ(database_.Execute("SELECT sum(coins) FILTER (WHERE coins > 0) FROM wallet.entries"),
            "5");
}

TEST_F(SchemaTest, ShipsTheRulebooksRooms) {
  EXPECT_EQ(database_.Execute(R"sql(
      SELECT string_agg(concat_ws(' ', tier_id, minimum, rake, escape_penalty, escape_compensation),
                        E'\n' ORDER BY variant, base)
      FROM wallet.stake_tiers_at(now()) WHERE currency = 'COIN')sql"),
            "chaozhou-10 160 0 640 640\n"
            "chaozhou-100 1600 0 6400 6400\n"
            "chaozhou-1000 16000 0 64000 64000\n"
            "chaozhou-10000 160000 0 640000 640000\n"
            "guangdong-10 500 0 640 640\n"
            "guangdong-20 1000 0 1280 1280\n"
            "guangdong-50 2500 0 3200 3200\n"
            "guangdong-100 5000 0 6400 6400\n"
            "guangdong-200 10000 0 12800 12800\n"
            "guangdong-500 25000 0 32000 32000\n"
            "guangdong-1000 50000 0 64000 64000\n"
            "guangdong-2000 100000 0 128000 128000\n"
            "guangdong-5000 250000 0 320000 320000\n"
            "guangdong-10000 500000 0 640000 640000\n"
            "jieyang-10 160 0 640 640\n"
            "jieyang-100 1600 0 6400 6400\n"
            "jieyang-1000 16000 0 64000 64000\n"
            "jieyang-10000 160000 0 640000 640000\n"
            "shaoguan-10 640 4 640 640\n"
            "shaoguan-100 6400 40 6400 6400\n"
            "shaoguan-600 38400 250 38400 38400");
}

TEST_F(SchemaTest, ATiersLatestRowHoldsUntilItEnds) {
  const std::string add =
      "INSERT INTO wallet.stake_tiers SELECT tier_id, variant, currency, base, minimum, 7, "
      "escape_penalty,"
      " escape_compensation, '2030-01-01Z', '2031-01-01Z' FROM wallet.stake_tiers"
      " WHERE tier_id = 'shaoguan-10'";
  database_.Execute(add);
  const auto rake_at = [&](const std::string& moment) {
    return database_.Execute("SELECT rake FROM wallet.stake_tiers_at('" + moment +
                             "') WHERE tier_id = 'shaoguan-10'");
  };
  EXPECT_EQ(rake_at("1969-12-31 23:59:59Z"), "");
  EXPECT_EQ(rake_at("2029-12-31 23:59:59Z"), "4");
  EXPECT_EQ(rake_at("2030-01-01Z"), "7");
  EXPECT_EQ(rake_at("2030-12-31 23:59:59Z"), "7");
  EXPECT_EQ(rake_at("2031-01-01Z"), "");
}

TEST_F(SchemaTest, AJournalRowContinuesItsChain) {
  const auto with = [](const std::string& what, const std::string& instead) {
    std::string sql = Journal("k");
    sql.replace(sql.rfind(what), what.size(), instead);
    return sql;
  };
  for (const auto& [what, instead] : std::vector<std::pair<std::string, std::string>>{
           {"head_sequence + 1", "head_sequence + 2"},
           {"head_hash", "sha256('other')"},
           {"written_at", "written_at - interval '1 day'"},
           {"chain_no", "16::smallint"}}) {
    if (instead.find("interval") != std::string::npos) {
      database_.Execute(Journal("before"));
    }
    EXPECT_THAT(database_.Refusal(with(what, instead)), Optional(std::string("23514"))) << what;
  }
  EXPECT_EQ(database_.Refusal(Journal("k")), std::nullopt);
  EXPECT_EQ(database_.Execute("SELECT max(head_sequence) FROM wallet.chains"), "2");
}

TEST_F(SchemaTest, AWriterTakesAChainThatIsFree) {
  // Sixteen at once get sixteen chains; each sees its own only.
  EXPECT_EQ(database_.Execute("SELECT chain_no FROM wallet.take_chain(3)"), "0");
  EXPECT_EQ(database_.Execute("SELECT cardinality(journal_nos) FROM wallet.take_chain(3)"), "3");
  EXPECT_THAT(database_.Refusal("DELETE FROM wallet.chains"), Optional(std::string("23001")));
  EXPECT_THAT(database_.Refusal("INSERT INTO wallet.chains (chain_no) VALUES (3)"),
              Optional(std::string("23001")));
}

TEST_F(SchemaTest, EntriesComeThroughTheirParentOnly) {
  database_.Execute(Post(Ann("5") + "," + Issue("-5")));
  const std::string month =
      database_.Execute("SELECT tableoid::regclass::text FROM wallet.entries LIMIT 1");
  for (const std::string& partition : {month, std::string("wallet.entries_default")}) {
    EXPECT_THAT(database_.Refusal("INSERT INTO " + partition + " TABLE wallet.entries"),
                Optional(std::string("23001")));
    EXPECT_THAT(database_.Refusal("UPDATE " + partition + " SET coins = coins"),
                Optional(std::string("23001")));
    EXPECT_THAT(database_.Refusal("DELETE FROM " + partition), Optional(std::string("23001")));
    EXPECT_THAT(database_.Refusal("TRUNCATE " + partition), Optional(std::string("23001")));
  }
}

TEST_F(SchemaTest, MonthsAreMadeAheadAndOnce) {
  EXPECT_EQ(database_.Execute("SELECT wallet.make_partitions(3)"), "0");
  EXPECT_EQ(database_.Execute("SELECT wallet.make_partitions(14)"), "11");
  EXPECT_EQ(database_.Execute("SELECT wallet.make_partitions(14)"), "0");
  EXPECT_EQ(database_.Execute("SELECT count(*) FROM pg_inherits"
                              " WHERE inhparent = 'wallet.entries'::regclass"),
            "16");
}

TEST_F(SchemaTest, EntriesFitTheKindsOfTheirRowAndAccount) {
  for (const char* const purpose :
       {"money_out", "payment", "rake", "penalty", "reversal", "cover"}) {
    std::string entries = Ann("5") + "," + Issue("-5");
    for (std::size_t at = entries.find("money_in"); at != std::string::npos;
         at = entries.find("money_in")) {
      entries.replace(at, 8, purpose);
    }
    EXPECT_THAT(database_.Refusal(Post(entries)), Optional(std::string("23514"))) << purpose;
  }
}

TEST_F(SchemaTest, PartsComeWithTheirRowOnly) {
  database_.Execute(Journal("k"));
  EXPECT_THAT(database_.Refusal("INSERT INTO wallet.money_movements (journal_no, flow)"
                                " SELECT max(journal_no), 'grant' FROM wallet.journal"),
              Optional(std::string("23514")));
  EXPECT_THAT(database_.Refusal("BEGIN;" + Journal("k2") +
                                "INSERT INTO wallet.penalties SELECT lastval(), 'COIN',"
                                " '{1,2,3,4}', 0, 0, 0, 0, 0, 0, '{0,0,0,0}'; COMMIT"),
              Optional(std::string("23514")));
}

// A plan lives as long as its session: one made for small tables must not read large ones.
TEST_F(SchemaTest, WhatEveryWriteRunsTakesIndexes) {
  EXPECT_EQ(database_.Execute(R"sql(
      SELECT string_agg(proname, ' ' ORDER BY proname) FROM pg_proc
      WHERE pronamespace = 'wallet'::regnamespace AND 'enable_seqscan=off' = ANY (proconfig))sql"),
            "advance_chain check_entries check_part check_round_closes take_chain");
}

}  // namespace
}  // namespace mj::wallet::store
