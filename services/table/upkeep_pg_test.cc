// What the table service does about time that passes, on real PostgreSQL.

#include "services/table/upkeep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "libs/base/mutex.h"
#include "libs/base/reasons.h"
#include "libs/base/simulated_clock_testing.h"
#include "libs/base/status_testing.h"
#include "libs/base/strings.h"
#include "libs/pg/cluster_testing.h"
#include "services/table/app/world_testing.h"
#include "services/table/store/pg_event_log.h"
#include "services/table/store/schema_testing.h"

namespace mj::table {
namespace {

using base::Cat;
using base::IsOk;
using ::testing::HasSubstr;

class UpkeepTest : public ::testing::Test {
 protected:
  // A replica of its own. Its clock stands still until a test moves it.
  struct Replica {
    Replica(const std::string& url, JournalRows& rows, UpkeepOptions options)
        : pool({.url = url}, real),
          store(pool, real),
          outbox(pool, real),
          records(store, rows),
          upkeep(store, outbox, records, clock, metrics,
                 obs::Logger("table", obs::LogLevel::kInfo, real,
                             [this](std::string_view line) {
                               base::MutexLock lock(mutex);
                               log.append(line).push_back('\n');
                             }),
                 options) {}
    std::string Log() {
      base::MutexLock lock(mutex);
      return log;
    }
    [[nodiscard]] bool Says(const std::string& metric) const {
      return metrics.Text().find(metric) != std::string::npos;
    }

    base::SystemClock real;
    base::SimulatedClock clock;
    obs::Metrics metrics{"table"};
    base::Mutex mutex;
    std::string log ABSL_GUARDED_BY(mutex);
    pg::Pool pool;
    store::PgRoundStore store;
    store::PgOutbox outbox;
    Records records;
    Upkeep upkeep;
  };
  std::unique_ptr<Replica> Start(UpkeepOptions options = {}) {
    return std::make_unique<Replica>(database_.url(), world_.wallet, options);
  }

  // A table that plays so many rounds and closes, journalled.
  void Play(int rounds) {
    std::vector<std::vector<Append>> batches;
    world_.log.OnWrite([&batches](std::span<const Append> appends) {
      batches.emplace_back(appends.begin(), appends.end());
      // Whoever held it then, here it is of its first holder.
      for (Append& append : batches.back()) append.epoch = 1;
    });
    const TableId table = world_.MakeTable();
    Company company(world_, table);
    for (int i = 0; i < rounds; ++i) company.PlayRound();
    for (const char* player : {"p0", "p1", "p2", "p3"}) {
      ASSERT_THAT(world_.Leave(table, player), IsOk());
    }
    base::SystemClock clock;
    pg::Pool pool({.url = database_.url()}, clock);
    store::PgEventLog log(pool, clock);
    ASSERT_THAT(log.Create(world_.memory.All(table).front(), OwnerId("owner")), IsOk());
    for (const auto& batch : batches) {
      ASSERT_THAT(log.Write(batch), base::IsOkAndHolds(::testing::Each(Appended::kWritten)));
    }
  }
  std::string Sql(const std::string& sql) const { return database_.Execute(sql); }

  World world_;
  const pg::testing::Database database_{store::Migrations()};
};

TEST_F(UpkeepTest, EveryRoundThatIsOverIsRecorded) {
  Play(5);
  const auto replica = Start({.batch = 2});
  ASSERT_THAT(replica->upkeep.DoOnce(), IsOk());
  EXPECT_EQ(Sql("SELECT count(*) FROM tables.records"), "5");
  EXPECT_TRUE(replica->Says("mahjong_round_records_total{service=\"table\"} 5"));
  EXPECT_TRUE(replica->Says("mahjong_rounds_unrecorded{service=\"table\"} 0"));
  EXPECT_TRUE(replica->Says("mahjong_round_record_lag_seconds{service=\"table\"} 0"));
  EXPECT_TRUE(replica->Says("mahjong_table_partition_days_ahead{service=\"table\"} 7"));
  ASSERT_THAT(replica->upkeep.DoOnce(), IsOk());
  EXPECT_EQ(Sql("SELECT count(*) FROM tables.records"), "5");
}

TEST_F(UpkeepTest, TwoReplicasRecordEachRoundOnce) {
  Play(8);
  const auto one = Start({.batch = 1});
  const auto two = Start({.batch = 1});
  std::thread other([&two] { EXPECT_THAT(two->upkeep.DoOnce(), IsOk()); });
  EXPECT_THAT(one->upkeep.DoOnce(), IsOk());
  other.join();
  EXPECT_THAT(one->upkeep.DoOnce(), IsOk());
  EXPECT_EQ(Sql("SELECT count(*) FROM tables.records"), "8");
}

TEST_F(UpkeepTest, ARoundWithoutARecordIsCountedAndSaid) {
  Play(2);
  Sql("UPDATE tables.rounds SET ended_at = ended_at - interval '100 seconds'");
  world_.wallet.FailRowsWith({base::Error(base::Reason::kUnavailable)});
  const auto replica = Start();
  ASSERT_THAT(replica->upkeep.DoOnce(), IsOk());
  EXPECT_EQ(Sql("SELECT count(*) FROM tables.records"), "1");
  EXPECT_TRUE(replica->Says("mahjong_round_record_failures_total{service=\"table\"} 1"));
  EXPECT_TRUE(replica->Says("mahjong_rounds_unrecorded{service=\"table\"} 1"));
  EXPECT_TRUE(
      replica->Says("mahjong_round_record_lag_seconds{service=\"table\"} 1"));  // 100 and more
  EXPECT_THAT(replica->Log(), HasSubstr("no record of a round"));
  Sql("UPDATE tables.rounds SET record_tried_at = record_tried_at - interval '31 seconds'");
  ASSERT_THAT(replica->upkeep.DoOnce(), IsOk());
  EXPECT_TRUE(replica->Says("mahjong_rounds_unrecorded{service=\"table\"} 0"));
}

TEST_F(UpkeepTest, DaysAreLookedAtNowAndThen) {
  const auto replica = Start();
  ASSERT_THAT(replica->upkeep.DoOnce(), IsOk());
  Sql("DROP TABLE " + Sql("SELECT partition FROM tables.partition_days('tables.events')"
                          " ORDER BY day DESC LIMIT 1"));
  ASSERT_THAT(replica->upkeep.DoOnce(), IsOk());
  EXPECT_EQ(Sql("SELECT count(*) FROM tables.partition_days('tables.events')"), "7");
  replica->clock.Advance(std::chrono::hours(1));
  ASSERT_THAT(replica->upkeep.DoOnce(), IsOk());
  EXPECT_EQ(Sql("SELECT count(*) FROM tables.partition_days('tables.events')"), "8");
}

TEST_F(UpkeepTest, OldDaysGo) {
  Play(1);
  Sql("SET session_replication_role = replica;"
      "SELECT tables.add_day('events', opened_on - 9) FROM tables.tables;"
      "UPDATE tables.events SET opened_on = opened_on - 9;"
      "UPDATE tables.rounds SET opened_on = opened_on - 9, ended_at = ended_at - interval '9 days';"
      "UPDATE tables.tables SET opened_on = opened_on - 9, closed_at = closed_at - interval '9 "
      "days'");
  const auto keeps = Start({.keep_events_days = 9, .keep_records_days = 9});
  ASSERT_THAT(keeps->upkeep.DoOnce(), IsOk());
  EXPECT_NE(Sql("SELECT count(*) FROM tables.events"), "0");
  EXPECT_EQ(Sql("SELECT count(*) FROM tables.records"), "1");
  const auto replica = Start({.keep_events_days = 8, .keep_records_days = 8});
  ASSERT_THAT(replica->upkeep.DoOnce(), IsOk());
  EXPECT_EQ(Sql("SELECT count(*) FROM tables.events"), "0");
  EXPECT_EQ(Sql("SELECT count(*) FROM tables.records"), "0");
  EXPECT_TRUE(
      replica->Says("mahjong_table_partitions_dropped_total{service=\"table\",what=\"events\"} 1"));
  EXPECT_THAT(replica->Log(), HasSubstr("old days dropped"));
}

TEST_F(UpkeepTest, ADatabaseThatIsAwayIsSaidAndTriedAgain) {
  const auto replica = Start();
  Sql("ALTER SCHEMA tables RENAME TO away");
  EXPECT_THAT(replica->upkeep.DoOnce(), ::testing::Not(IsOk()));
  Sql("ALTER SCHEMA away RENAME TO tables");
  EXPECT_THAT(replica->upkeep.DoOnce(), IsOk());
}

TEST_F(UpkeepTest, StartsAndStops) {
  Play(1);
  const auto replica = Start();
  replica->upkeep.Start(std::chrono::milliseconds(1));
  while (Sql("SELECT count(*) FROM tables.records") == "0") std::this_thread::yield();
  replica->upkeep.Stop();
  replica->upkeep.Stop();
}

}  // namespace
}  // namespace mj::table
