#include "services/table/store/pg_event_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "libs/base/clock.h"
#include "libs/base/status_testing.h"
#include "libs/base/strings.h"
#include "libs/pg/cluster_testing.h"
#include "libs/pg/pool.h"
#include "services/table/app/event_log_contract_testing.h"
#include "services/table/app/history.h"
#include "services/table/app/world_testing.h"
#include "services/table/store/pg_leases.h"
#include "services/table/store/schema_testing.h"

namespace mj::table {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using store::PgEventLog;

class PgFixture final : public EventLogFixture {
 public:
  EventLog& log() override { return log_; }
  Leases& leases() override { return leases_; }

  base::SystemClock clock;
  pg::testing::Database database{store::Migrations()};
  pg::Pool pool{{.url = database.url(), .connections_max = 4}, clock};

 private:
  PgEventLog log_{pool, clock};
  store::PgLeases leases_{pool, clock};
};

INSTANTIATE_TEST_SUITE_P(Postgres, EventLogContract,
                         ::testing::Values([] { return std::make_unique<PgFixture>(); }));

class PgEventLogTest : public ::testing::Test {
 protected:
  // Plays in memory, then writes the same journal, batch by batch as it was written there.
  std::vector<LogEntry> PlayInto(EventLog& log, int rounds) {
    World world(9);
    std::vector<std::vector<Append>> batches;
    world.log.OnWrite([&batches](std::span<const Append> appends) {
      batches.emplace_back(appends.begin(), appends.end());
    });
    const TableId table = world.MakeTable();
    Company company(world, table);
    for (int i = 0; i < rounds; ++i) company.PlayRound();
    const auto journal = world.memory.All(table);
    EXPECT_THAT(log.Create(journal[0], OwnerId("a")), IsOkAndHolds(Creation(Made{})));
    for (auto& batch : batches) {
      for (Append& append : batch) append.epoch = 1;
      EXPECT_THAT(log.Write(batch), IsOkAndHolds(::testing::Each(Appended::kWritten)));
    }
    return journal;
  }

  std::string Sql(const std::string& sql) { return fixture_.database.Execute(sql); }
  void ExpectRefused(const std::string& sql, const std::string& sqlstate) {
    EXPECT_EQ(fixture_.database.Refusal(sql), sqlstate) << sql;
  }

  PgFixture fixture_;
  EventLog& log_ = fixture_.log();
};

TEST_F(PgEventLogTest, APlayedRoundReplaysToTheSameState) {
  const auto journal = PlayInto(log_, 2);
  const TableId table = std::get<TableCreated>(journal[0].event).table;
  EXPECT_THAT(log_.Read(table, 0, 10'000), IsOkAndHolds(journal));
  Fold live;
  for (const LogEntry& entry : journal) ASSERT_THAT(live.Apply(entry), IsOk());
  const auto replayed = Replay(log_, table);
  ASSERT_THAT(replayed, IsOk());
  EXPECT_EQ(replayed->state.info(), live.state.info());
  EXPECT_EQ(replayed->state.round->play, live.state.round->play);
  EXPECT_EQ(replayed->state.next, live.state.next);
}

TEST_F(PgEventLogTest, ProjectionsFollowTheJournal) {
  const auto journal = PlayInto(log_, 1);
  EXPECT_EQ(Sql("SELECT state FROM tables.tables"), "waiting");
  EXPECT_EQ(Sql("SELECT count(*) FROM tables.seats"), "4");
  EXPECT_EQ(Sql("SELECT state FROM tables.rounds"), "settled");
  EXPECT_EQ(Sql("SELECT ended_at IS NOT NULL FROM tables.rounds"), "t");
  EXPECT_EQ(Sql("SELECT array_to_string(player_ids, ',') FROM tables.rounds"), "p0,p1,p2,p3");
  EXPECT_EQ(Sql("SELECT options ->> 'max_multiplier' FROM tables.tables"), "10");
  // The hash is of the seed that the journal keeps.
  for (const LogEntry& entry : journal) {
    const auto* begun = std::get_if<RoundBegun>(&entry.event);
    if (begun == nullptr) continue;
    const auto hash = SeedHash(*begun);
    EXPECT_EQ(Sql("SELECT encode(seed_hash, 'hex') FROM tables.rounds"),
              base::ToHex(std::as_bytes(std::span(hash))));
  }
}

TEST_F(PgEventLogTest, TheStateIsTheStageAtEveryStep) {
  World world(9);
  std::vector<std::string> states;
  world.log.OnWrite([&](std::span<const Append> appends) {
    for (const Append& append : appends) {
      if (states.empty()) {
        ASSERT_THAT(log_.Create(world.memory.All(append.table)[0], OwnerId("a")), IsOk());
      }
      ASSERT_THAT(log_.Write(std::vector<Append>{{append.table, 1, append.entries}}), IsOk());
      states.push_back(Sql("SELECT state FROM tables.tables"));
    }
  });
  const TableSpec spec = World::Spec();
  const TableId table = world.MakeTable();
  Company company(world, table);
  company.PlayRound();
  for (const char* player : {"p0", "p1", "p2", "p3"})
    ASSERT_THAT(world.Leave(table, player), IsOk());
  states.erase(std::unique(states.begin(), states.end()), states.end());
  EXPECT_EQ(states,
            (std::vector<std::string>{"waiting", "playing", "settling", "waiting", "closed"}));
  EXPECT_EQ(Sql("SELECT count(*) FROM tables.seats"), "0");
}

TEST_F(PgEventLogTest, AForeignRowOfANewerFormatIsDataLoss) {
  (void)PlayInto(log_, 0);
  const std::string table = Sql("SELECT id FROM tables.tables");
  Sql("INSERT INTO tables.events (opened_on, table_id, seq, epoch, kind, payload)"
      " SELECT opened_on, id, (SELECT max(seq) + 1 FROM tables.events), 1,"
      " 'from_the_future', '\\x0863' FROM tables.tables");
  EXPECT_THAT(log_.Read(TableId(table), 0, 10), base::HasCode(absl::StatusCode::kDataLoss));
}

TEST_F(PgEventLogTest, ADatabaseThatIsAwayIsUnavailable) {
  pg::Pool pool({.url = "postgresql:///nowhere?host=/nonexistent", .connections_max = 1},
                fixture_.clock);
  PgEventLog log(pool, fixture_.clock);
  EXPECT_TRUE(absl::IsUnavailable(log.Check()));
  EXPECT_TRUE(absl::IsUnavailable(log.Read(TableId("t"), 0, 1).status()));
  EXPECT_TRUE(absl::IsUnavailable(
      log.Write(std::vector<Append>{{TableId("t"), 1, {{2, {}, TableEnded{}}}}}).status()));
}

TEST_F(PgEventLogTest, CheckWantsTheWholeSchema) {
  auto& log = static_cast<PgEventLog&>(log_);
  EXPECT_THAT(log.Check(), IsOk());
  Sql("DROP TABLE tables.rounds");
  EXPECT_FALSE(log.Check().ok());
}

// ----------------------------------------------------------- what the database itself holds

TEST_F(PgEventLogTest, TheJournalIsAppendOnly) {
  (void)PlayInto(log_, 0);
  ExpectRefused("UPDATE tables.events SET kind = 'x'", "23001");
  ExpectRefused("DELETE FROM tables.events", "23001");
  ExpectRefused("TRUNCATE tables.events", "23001");
}

TEST_F(PgEventLogTest, TheJournalIsGaplessFencedAndOfATable) {
  (void)PlayInto(log_, 0);
  const std::string insert =
      "INSERT INTO tables.events (opened_on, table_id, seq, epoch, kind, payload) "
      "SELECT opened_on, id, ";
  const std::string tail = ", 'x', '\\x01' FROM tables.tables";
  // 1 is the table made, 2 the question whether to play on.
  ExpectRefused(insert + "4, 1" + tail, "23000");
  ExpectRefused(insert + "1, 1" + tail, "23505");
  ExpectRefused(insert + "3, 2" + tail, "23000");
  ExpectRefused(
      "INSERT INTO tables.events (opened_on, table_id, seq, epoch, kind, payload)"
      " VALUES (current_date, 'nobody', 1, 1, 'x', '\\x01')",
      "23000");
  EXPECT_EQ(fixture_.database.Refusal(insert + "3, 1" + tail), std::nullopt);
}

TEST_F(PgEventLogTest, OneLiveRoundAndOneSeatAPlayer) {
  (void)PlayInto(log_, 1);
  ExpectRefused(
      "INSERT INTO tables.seats (opened_on, table_id, seat, player_id)"
      " SELECT opened_on, table_id, 1, player_id FROM tables.seats WHERE seat = 0",
      "23505");
  const std::string round =
      "INSERT INTO tables.rounds (opened_on, table_id, number, id, rulebook_version, base,"
      " player_ids, seed_hash) SELECT opened_on, table_id, number + 1, 'other', 'v', 1,"
      " player_ids, seed_hash FROM tables.rounds";
  Sql("UPDATE tables.rounds SET state = 'scored', ended_at = NULL");
  ExpectRefused(round, "23505");
}

TEST_F(PgEventLogTest, EverythingIsCommented) {
  EXPECT_EQ(Sql("SELECT coalesce(string_agg(c.relname || '.' || a.attname, ', '), '')"
                "  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0"
                " WHERE c.relnamespace = 'tables'::regnamespace AND c.relkind = 'r'"
                "   AND NOT a.attisdropped AND col_description(c.oid, a.attnum) IS NULL"),
            "");
  EXPECT_EQ(Sql("SELECT coalesce(string_agg(c.relname, ', '), '') FROM pg_class c"
                " WHERE c.relnamespace = 'tables'::regnamespace AND c.relkind = 'r'"
                "   AND obj_description(c.oid) IS NULL"),
            "");
  EXPECT_EQ(Sql("SELECT coalesce(string_agg(p.proname, ', '), '') FROM pg_proc p"
                " WHERE p.pronamespace = 'tables'::regnamespace"
                "   AND obj_description(p.oid) IS NULL"),
            "");
  EXPECT_NE(Sql("SELECT obj_description('tables'::regnamespace)"), "");
}

}  // namespace
}  // namespace mj::table
