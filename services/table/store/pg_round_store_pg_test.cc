#include "services/table/store/pg_round_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "libs/base/clock.h"
#include "libs/base/status_testing.h"
#include "libs/base/strings.h"
#include "libs/packing/packing.h"
#include "libs/pg/cluster_testing.h"
#include "libs/pg/pool.h"
#include "libs/variants/registry.h"
#include "libs/wire/kept_round.h"
#include "services/table/app/round_store_contract_testing.h"
#include "services/table/store/pg_event_log.h"
#include "services/table/store/schema_testing.h"
#include "tests/support/counts.h"

namespace mj::table {
namespace {

using base::Cat;
using base::IsOk;
using base::IsOkAndHolds;
using store::PgEventLog;
using store::PgRoundStore;
using ::testing::IsEmpty;

class PgRounds final : public RoundStoreFixture {
 public:
  RoundStore& store() override { return rounds; }
  void Journal(const std::vector<std::vector<LogEntry>>& groups) override {
    const LogEntry& first = groups.front().front();
    ASSERT_THAT(log.Create(first, OwnerId("owner")), IsOkAndHolds(Creation(Made{})));
    for (std::size_t i = 1; i < groups.size(); ++i) {
      const Append append{std::get<TableCreated>(first.event).table, 1, groups[i]};
      ASSERT_THAT(log.Write(std::span(&append, 1)),
                  IsOkAndHolds(::testing::ElementsAre(Appended::kWritten)));
    }
  }
  void Pass(std::chrono::milliseconds time) override {
    Sql(Cat("UPDATE tables.rounds SET record_tried_at = record_tried_at - ",
            std::to_string(time.count()), " * interval '1 millisecond'"));
  }
  std::string Sql(const std::string& sql) const { return database.Execute(sql); }

  base::SystemClock clock;
  pg::testing::Database database{store::Migrations()};
  pg::Pool pool{{.url = database.url(), .connections_max = 8}, clock};
  PgEventLog log{pool, clock};
  PgRoundStore rounds{pool, clock};
};

INSTANTIATE_TEST_SUITE_P(Postgres, RoundStoreContract,
                         ::testing::Values([] { return std::make_unique<PgRounds>(); }));

class PgRoundStoreTest : public ::testing::Test {
 protected:
  // A table of p0 to p3 that plays, journalled; ends when `close`.
  std::vector<RoundId> Play(const std::string& game, int rounds, bool close = false) {
    World world(++seed_);
    std::vector<std::vector<LogEntry>> groups;
    world.log.OnWrite([&groups](std::span<const Append> appends) {
      for (const Append& append : appends) groups.push_back(append.entries);
    });
    const TableId table = world.MakeTable(game, "request-" + game);
    groups.insert(groups.begin(), {world.memory.All(table).front()});
    Company company(world, table);
    for (int i = 0; i < rounds; ++i) company.PlayRound();
    if (close) {
      for (const char* player : {"p0", "p1", "p2", "p3"}) {
        EXPECT_THAT(world.Leave(table, player), IsOk());
      }
    }
    pg_.Journal(groups);
    std::vector<RoundId> played;
    for (const LogEntry& entry : world.memory.All(table)) {
      const auto* begun = std::get_if<RoundBegun>(&entry.event);
      if (begun == nullptr) continue;
      played.push_back(begun->round);
      rows_[begun->round] = *world.wallet.ReadRow(begun->round);
    }
    return played;
  }
  record::RoundRecord RecordOf(const RoundId& round) {
    const auto entries = pg_.rounds.ReadRound(round);
    EXPECT_THAT(entries, IsOk());
    const auto record = Compact(*entries, round, rows_.at(round));
    EXPECT_THAT(record, IsOk());
    return *record;
  }
  // As if table and rounds were `days` older.
  void Age(int days) {
    const std::string by = Cat(" - ", std::to_string(days));
    pg_.Sql(
        Cat("SET session_replication_role = replica;"
            "SELECT tables.add_day('events', opened_on",
            by,
            ") FROM tables.tables;"
            "UPDATE tables.events SET opened_on = opened_on",
            by,
            ";"
            "UPDATE tables.rounds SET opened_on = opened_on",
            by, ", ended_at = ended_at", by,
            " * interval '1 day';"
            "UPDATE tables.seats SET opened_on = opened_on",
            by,
            ";"
            "UPDATE tables.tables SET opened_on = opened_on",
            by, ", closed_at = closed_at", by, " * interval '1 day'"));
  }
  std::string Partitions(const std::string& parent) {
    return pg_.Sql(Cat("SELECT count(*) FROM tables.partition_days('tables.", parent, "')"));
  }

  PgRounds pg_;
  std::uint64_t seed_ = 6;
  std::map<RoundId, record::JournalRow> rows_;
};

TEST_F(PgRoundStoreTest, WhatIsKeptIsTheRecordPacked) {
  for (const rules::Variant* game : variants::All()) {
    const std::string id(game->info().id);
    pg_.Sql("SET session_replication_role = replica; DELETE FROM tables.seats");
    for (const RoundId& round : Play(id, static_cast<int>(testing::Count(100)))) {
      const record::RoundRecord record = RecordOf(round);
      ASSERT_THAT(pg_.rounds.Keep(record), IsOkAndHolds(true));
      ::mahjong::record::v1::RoundRecord message;
      wire::ToRecord(record, message);
      const auto read = pg_.rounds.ReadRecord(round);
      ASSERT_THAT(read, IsOkAndHolds(std::optional(wire::Serialized(message))));
      const auto again = wire::ParseRoundRecord(**read);
      ASSERT_THAT(again, IsOk());
      EXPECT_EQ(again->events, record.events);
      EXPECT_EQ(again->end, record.end);
    }
    const std::string of = Cat(" FROM tables.records WHERE variant = '", id, "'");
    RecordProperty(id + "_packed", pg_.Sql("SELECT avg(length(payload))::int" + of));
  }
  EXPECT_EQ(
      pg_.Sql("SELECT count(*) FROM tables.rounds r JOIN tables.records c ON c.round_id = r.id"
              " WHERE c.ended_at <> r.ended_at OR c.began_at <> r.began_at"
              "    OR c.player_ids <> r.player_ids OR c.state <> r.state OR c.format <> 1"),
      "0");
  EXPECT_EQ(pg_.Sql("SELECT count(*) = 4 * (SELECT count(*) FROM tables.records)"
                    "  FROM tables.record_players"),
            "t");
}

TEST_F(PgRoundStoreTest, OfManyWhoMakeARecordOneKeepsIt) {
  const RoundId round = Play("chaozhou", 1).front();
  const record::RoundRecord record = RecordOf(round);
  std::vector<std::thread> threads;
  std::atomic<int> kept{0};
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&] {
      const auto done = pg_.rounds.Keep(record);
      ASSERT_THAT(done, IsOk());
      if (*done) ++kept;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(kept, 1);
  EXPECT_EQ(pg_.Sql("SELECT count(*) FROM tables.records"), "1");
}

TEST_F(PgRoundStoreTest, OfManyWhoClaimEachGetsRoundsOfItsOwn) {
  const auto rounds = Play("chaozhou", 12);
  std::vector<std::thread> threads;
  std::vector<std::vector<RoundId>> claimed(4);
  for (auto& mine : claimed) {
    threads.emplace_back([this, &mine] {
      while (true) {
        const auto more = pg_.rounds.Claim(2, std::chrono::minutes(1));
        ASSERT_THAT(more, IsOk());
        if (more->empty()) break;
        mine.insert(mine.end(), more->begin(), more->end());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<RoundId> all;
  for (const auto& mine : claimed) all.insert(all.end(), mine.begin(), mine.end());
  // Whoever finds every round locked by others may leave early; nothing is claimed twice.
  const auto left = pg_.rounds.Claim(100, std::chrono::minutes(1));
  ASSERT_THAT(left, IsOk());
  all.insert(all.end(), left->begin(), left->end());
  EXPECT_THAT(all, ::testing::UnorderedElementsAreArray(rounds));
}

TEST_F(PgRoundStoreTest, ARecordIsNeitherChangedNorRemoved) {
  const RoundId round = Play("chaozhou", 1).front();
  ASSERT_THAT(pg_.rounds.Keep(RecordOf(round)), IsOk());
  for (const char* table : {"records", "record_players"}) {
    const std::string leaf =
        pg_.Sql(Cat("SELECT tableoid::regclass FROM tables.", table, " LIMIT 1"));
    for (const std::string& relation : {Cat("tables.", table), leaf}) {
      for (const std::string& sql : {Cat("UPDATE ", relation, " SET round_id = 'x'"),
                                     Cat("DELETE FROM ", relation), Cat("TRUNCATE ", relation)}) {
        EXPECT_EQ(pg_.database.Refusal(sql), "23001") << sql;
      }
    }
    EXPECT_EQ(pg_.database.Refusal(Cat("INSERT INTO ", leaf, " SELECT * FROM ", leaf)), "23001");
  }
}

TEST_F(PgRoundStoreTest, ARecordThatWasDamagedIsNotReadAsAnother) {
  const RoundId round = Play("chaozhou", 1).front();
  ASSERT_THAT(pg_.rounds.Keep(RecordOf(round)), IsOk());
  pg_.Sql(
      "SET session_replication_role = replica;"
      "UPDATE tables.records SET payload = set_byte(payload, 200, 255 - get_byte(payload, 200))");
  EXPECT_THAT(pg_.rounds.ReadRecord(round), base::HasCode(absl::StatusCode::kDataLoss));
}

// ------------------------------------------------------------------------------ days that pass

TEST_F(PgRoundStoreTest, PartitionsAreMadeAheadOfTime) {
  EXPECT_EQ(Partitions("events"), "8");
  const auto made = pg_.rounds.MakePartitions(9);
  ASSERT_THAT(made, IsOk());
  EXPECT_EQ(made->days_ahead, 9);
  EXPECT_EQ(made->misplaced_events, 0);
  EXPECT_EQ(Partitions("events"), "10");
  EXPECT_EQ(Partitions("records"), "10");
  EXPECT_EQ(Partitions("record_players"), "10");
  ASSERT_THAT(pg_.rounds.MakePartitions(9), IsOk());
  EXPECT_EQ(Partitions("events"), "10");
}

TEST_F(PgRoundStoreTest, ATablesJournalLiesInOnePartition) {
  Play("chaozhou", 1);
  EXPECT_EQ(pg_.Sql("SELECT count(DISTINCT tableoid) FROM tables.events"), "1");
  EXPECT_EQ(pg_.Sql("SELECT tableoid::regclass::text FROM tables.events LIMIT 1"),
            pg_.Sql("SELECT 'tables.events_' || to_char(now() AT TIME ZONE 'UTC', 'YYYY_MM_DD')"));
}

TEST_F(PgRoundStoreTest, EventsOfADayWithoutAPartitionAreKeptAndCounted) {
  pg_.Sql("DROP TABLE " +
          pg_.Sql("SELECT 'tables.events_' || to_char(now() AT TIME ZONE 'UTC', 'YYYY_MM_DD')"));
  const auto rounds = Play("chaozhou", 1);
  ASSERT_EQ(rounds.size(), 1U);
  RecordOf(rounds.front());
  const auto partitions = pg_.rounds.MakePartitions(3);
  ASSERT_THAT(partitions, IsOk());
  EXPECT_GT(partitions->misplaced_events, 0);
}

TEST_F(PgRoundStoreTest, EventsGoWhenTheirTablesAreClosedRecordedAndOldEnough) {
  const RoundId round = Play("chaozhou", 1, /*close=*/true).front();
  const auto drop = [this] { return pg_.rounds.DropEvents(7); };
  EXPECT_THAT(drop(), IsOkAndHolds(0)) << "today";
  Age(9);
  EXPECT_THAT(drop(), IsOkAndHolds(0)) << "the round has no record";
  ASSERT_THAT(pg_.rounds.MakePartitions(1), IsOk());
  ASSERT_THAT(pg_.rounds.Keep(RecordOf(round)), IsOkAndHolds(true));
  pg_.Sql("UPDATE tables.tables SET closed_at = now() - interval '6 days'");
  EXPECT_THAT(drop(), IsOkAndHolds(0)) << "closed six days ago";
  pg_.Sql("UPDATE tables.tables SET closed_at = NULL, state = 'waiting'");
  EXPECT_THAT(drop(), IsOkAndHolds(0)) << "open";
  pg_.Sql("UPDATE tables.tables SET closed_at = now() - interval '8 days', state = 'closed'");
  EXPECT_THAT(drop(), IsOkAndHolds(1));
  EXPECT_THAT(drop(), IsOkAndHolds(0)) << "gone already";
  EXPECT_EQ(pg_.Sql("SELECT count(*) FROM tables.events"), "0");
  // The record stays, and so does the list.
  EXPECT_THAT(pg_.rounds.Find(round), IsOkAndHolds(RoundStore::Standing::kRecorded));
  const auto record = pg_.rounds.ReadRecord(round);
  ASSERT_THAT(record, IsOk());
  EXPECT_TRUE(record->has_value());
  EXPECT_EQ(pg_.rounds.List({PlayerId("p1"), TableId()}, {}, 9)->size(), 1U);
  EXPECT_THAT(pg_.rounds.ReadRound(round), IsOkAndHolds(IsEmpty()));
}

TEST_F(PgRoundStoreTest, ATableWhoseEventsAreGoneIsNotFoundAndNotMadeAgain) {
  const RoundId round = Play("chaozhou", 1, /*close=*/true).front();
  ASSERT_THAT(pg_.rounds.Keep(RecordOf(round)), IsOk());
  const TableId table(pg_.Sql("SELECT id FROM tables.tables"));
  Age(20);
  ASSERT_THAT(pg_.rounds.DropEvents(7), IsOkAndHolds(1));
  EXPECT_THAT(pg_.log.Read(table, 0, 100), IsOkAndHolds(IsEmpty()));
  World again(3);
  TableCreated second{TableId("second"), RequestId("request-chaozhou"), World::Spec()};
  EXPECT_THAT(pg_.log.Create({1, {}, second}, OwnerId("owner")),
              IsOkAndHolds(Creation(MadeBefore{table})));
}

TEST_F(PgRoundStoreTest, RecordsGoByAge) {
  const RoundId round = Play("chaozhou", 1, /*close=*/true).front();
  Age(181);
  EXPECT_THAT(pg_.rounds.DropRecords(180), IsOkAndHolds(0));
  ASSERT_THAT(pg_.rounds.MakePartitions(1), IsOk());
  EXPECT_THAT(pg_.rounds.DropRecords(180), IsOkAndHolds(0)) << "still to be recorded";
  ASSERT_THAT(pg_.rounds.Keep(RecordOf(round)), IsOkAndHolds(true));
  EXPECT_THAT(pg_.rounds.DropRecords(181), IsOkAndHolds(0));
  EXPECT_THAT(pg_.rounds.DropRecords(180), IsOkAndHolds(2)) << "records, and who played them";
  EXPECT_THAT(pg_.rounds.Find(round), IsOkAndHolds(RoundStore::Standing::kRecorded));
  EXPECT_THAT(pg_.rounds.ReadRecord(round), IsOkAndHolds(std::nullopt));
  EXPECT_THAT(pg_.rounds.List({PlayerId("p1"), TableId()}, {}, 9), IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(pg_.rounds.Claim(9, std::chrono::minutes(1)), IsOkAndHolds(IsEmpty()));
}

TEST_F(PgRoundStoreTest, NothingIsKeptForLessThanADay) {
  EXPECT_THAT(pg_.rounds.DropEvents(0), ::testing::Not(IsOk()));
  EXPECT_THAT(pg_.rounds.DropRecords(0), ::testing::Not(IsOk()));
}

TEST_F(PgRoundStoreTest, ListsAreReadByTheirIndexes) {
  Play("chaozhou", 1);
  for (const std::string& sql :
       {std::string(
            "SELECT FROM tables.record_players WHERE player_id = 'p' AND ended_on <= '2030-01-01'"
            " ORDER BY ended_on DESC, ended_at DESC, round_id DESC LIMIT 20"),
        std::string("SELECT FROM tables.records WHERE table_id = 't' AND ended_on <= '2030-01-01'"
                    " ORDER BY ended_on DESC, ended_at DESC, round_id DESC LIMIT 20")}) {
    const std::string plan = pg_.Sql(
        "SET enable_seqscan = off; SET enable_bitmapscan = off;"
        "CREATE FUNCTION pg_temp.plan() RETURNS text LANGUAGE plpgsql AS"
        " $f$ DECLARE l text; a text := ''; BEGIN FOR l IN EXECUTE"
        " 'EXPLAIN ' || $q$" +
        sql +
        "$q$ LOOP a := a || l || E'\\n';"
        " END LOOP; RETURN a; END $f$; SELECT pg_temp.plan()");
    EXPECT_EQ(plan.find("Sort"), std::string::npos) << plan;
    EXPECT_NE(plan.find("Index"), std::string::npos) << plan;
  }
}

// ------------------------------------------------------------------------------ migrations

TEST(EventPartitionsTest, RowsThatAreThereAreCarriedOver) {
  // The schema as it was before, with a journal of two days.
  std::vector<std::string> before = store::Migrations();
  std::vector<std::string> after;
  std::erase_if(before, [&after](const std::string& file) {
    if (file < "0014") return false;
    after.push_back(file);
    return true;
  });
  const pg::testing::Database database(before);
  const auto apply = [&database](const std::string& file, bool up) {
    const auto migration = pg::testing::ReadMigrations({file}).front();
    database.Execute(up ? migration.up : migration.down);
  };
  database.Execute(
      "INSERT INTO tables.tables (id, opened_on, request_id, variant, options, base, room_base,"
      "                           currency)"
      " SELECT 't' || d, (now() AT TIME ZONE 'UTC')::date - d, 'r' || d, 'chaozhou', '{}', 100, "
      "100,"
      "        'COIN' FROM unnest('{0,40}'::int[]) d;"
      "INSERT INTO tables.events (opened_on, table_id, seq, epoch, kind, payload)"
      " SELECT opened_on, id, s, 1, 'seat_readied', '\\x01' FROM tables.tables,"
      "        generate_series(1, 3) s ORDER BY s");
  const std::string all =
      "SELECT string_agg(table_id || seq || kind || epoch || payload || written_at, ',' ORDER BY"
      " table_id, seq) FROM tables.events";
  const std::string rows = database.Execute(all);
  for (const std::string& file : after) apply(file, true);
  EXPECT_EQ(database.Execute(all), rows);
  EXPECT_EQ(database.Execute("SELECT count(DISTINCT tableoid) FROM tables.events"), "2");
  EXPECT_EQ(database.Execute("SELECT count(*) FROM tables.events_default"), "0");
  EXPECT_EQ(
      database.Refusal("INSERT INTO tables.events (opened_on, table_id, seq, epoch, kind,"
                       " payload) SELECT opened_on, id, 9, 1, 'x', '\\x01' FROM tables.tables"),
      "23000")
      << "gapless as before";
  EXPECT_EQ(database.Refusal("DELETE FROM tables.events"), "23001");
  for (auto file = after.rbegin(); file != after.rend(); ++file) apply(*file, false);
  EXPECT_EQ(database.Execute(all), rows);
  EXPECT_EQ(database.Execute("SELECT relkind FROM pg_class WHERE oid = 'tables.events'::regclass"),
            "r");
  EXPECT_EQ(database.Refusal("DELETE FROM tables.events"), "23001");
}

}  // namespace
}  // namespace mj::table
