// The whole service in this process, on real PostgreSQL, with peers over gRPC: what only the wiring
// can get wrong, and what must outlive a process.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "libs/base/clock.h"
#include "libs/base/mutex.h"
#include "libs/base/status_testing.h"
#include "libs/pg/cluster_testing.h"
#include "libs/player/table_player.h"
#include "libs/player/watcher.h"
#include "libs/rpc/client.h"
#include "libs/rpc/connected_testing.h"
#include "libs/rpc/service.h"
#include "services/table/config.h"
#include "services/table/peers/fake_peers_testing.h"
#include "services/table/store/schema_testing.h"
#include "services/table/wiring.h"
#include "tests/support/counts.h"

namespace mj::table {
namespace {

namespace v1 = ::mahjong::table::v1;
using base::IsOk;
using Stub = v1::TableService::StubInterface;

const mj::rpc::CallOptions kOptions{.timeout = std::chrono::seconds(30), .request_id = {}};

constexpr std::chrono::milliseconds kWatchDelay{100};

class TableServiceTest : public ::testing::Test {
 protected:
  void Start() {
    service_ = nullptr;
    Config config;
    config.database = database_.url();
    config.scoring_address = peers_.address();
    config.wallet_address = peers_.address();
    config.settings.claim_pause_ms = 0;
    config.settings.watch_delay_ms = kWatchDelay.count();
    config.server.drain = std::chrono::seconds(20);
    auto started = mj::rpc::StartService(
        "table", config.server,
        [config](mj::rpc::Bindings& bindings) { return Bind(config, bindings); },
        {.log_line = [this](std::string_view line) {
          base::MutexLock lock(mutex_);
          log_ += line;
          log_ += '\n';
        }});
    ASSERT_THAT(started, IsOk());
    service_ = *std::move(started);
    stub_ = v1::TableService::NewStub(mj::rpc::ConnectedChannel({.target = service_->address()}));
  }

  std::string MakeTable() {
    v1::CreateTableRequest request;
    request.set_request_id("match-1");
    request.set_variant("chaozhou");
    request.set_base(100);
    for (const char* player : {"a", "b", "c", "d"}) request.add_player_ids(player);
    const auto made = mj::rpc::Invoke(*stub_, &Stub::CreateTable, request, kOptions);
    EXPECT_THAT(made, IsOk());
    return made.ok() ? made->table().table_id() : "";
  }

  absl::StatusOr<v1::Table> Get(const std::string& table) {
    v1::GetTableRequest request;
    request.set_table_id(table);
    auto got = mj::rpc::Invoke(*stub_, &Stub::GetTable, request, kOptions);
    if (!got.ok()) return got.status();
    return got->table();
  }

  using Listener = std::function<void(const v1::TableEvent&, mj::player::Halt&)>;

  // Who has played its rounds and left, now or in an earlier process.
  static bool Done(const absl::Status& end) {
    return end.ok() || base::HasReason(end, base::Reason::kNotSeated) ||
           base::HasReason(end, base::Reason::kTableClosed);
  }

  // Four bots play `rounds` rounds and leave; all go when one fails, or when `listener` halts them.
  std::vector<absl::Status> Play(const std::string& table, std::uint32_t rounds,
                                 const Listener& listener) {
    mj::player::Halt halt;
    std::vector<std::future<absl::Status>> plays;
    for (const char* player : {"a", "b", "c", "d"}) {
      plays.push_back(std::async(std::launch::async, [&, player] {
        const absl::Status played = mj::player::PlayAtTable(
            *stub_, {.table_id = table, .player_id = player, .seed = 1, .rounds = rounds},
            [&](const v1::TableEvent& event) { listener(event, halt); }, halt);
        if (!Done(played)) halt.Now();
        return played;
      }));
    }
    std::vector<absl::Status> ends;
    for (auto& play : plays) ends.push_back(play.get());
    return ends;
  }
  void PlayAndLeave(const std::string& table, std::uint32_t rounds) {
    for (const absl::Status& end :
         Play(table, rounds, [](const v1::TableEvent&, mj::player::Halt&) {})) {
      EXPECT_THAT(end, IsOk());
    }
  }
  // One round, from the beginning of the streams; all go when one has seen event `until`.
  std::vector<absl::Status> PlayUntil(const std::string& table, std::uint64_t until) {
    return Play(table, 1, [until](const v1::TableEvent& event, mj::player::Halt& halt) {
      if (event.sequence() == until) halt.Now();
    });
  }

  std::string Sql(const std::string& sql) { return database_.Execute(sql); }

  pg::testing::Database database_{store::Migrations()};
  peers::FakePeers peers_;
  base::Mutex mutex_;
  std::string log_;
  std::unique_ptr<mj::rpc::RunningService> service_;
  std::unique_ptr<v1::TableService::Stub> stub_;
};

TEST_F(TableServiceTest, BotsPlayRoundsAndTheJournalHasThem) {
  Start();
  const std::string table = MakeTable();
  const auto rounds = static_cast<std::uint32_t>(testing::Count(500));
  PlayAndLeave(table, rounds);
  EXPECT_EQ(peers_.wallet.rounds(), rounds);
  EXPECT_EQ(Sql("SELECT count(*) FROM tables.rounds WHERE state = 'settled'"),
            std::to_string(rounds));
  EXPECT_EQ(Sql("SELECT state FROM tables.tables"), "closed");
  EXPECT_EQ(Sql("SELECT max(seq) = count(*) FROM tables.events"), "t");
  const auto got = Get(table);
  ASSERT_THAT(got, IsOk());
  EXPECT_EQ(got->state(), v1::TABLE_STATE_CLOSED);
  EXPECT_EQ(got->address(), service_->address());
  EXPECT_NE(service_->metrics().Text().find("mahjong_rounds_settled_total"), std::string::npos);
}

TEST_F(TableServiceTest, ARoundThatWaitsForItsPeersIsFinishedByTheNextProcess) {
  Start();
  const std::string table = MakeTable();
  // They are there for its beginning, and gone before its end.
  std::once_flag dealt;
  Play(table, 1, [&](const v1::TableEvent& event, mj::player::Halt& halt) {
    if (event.has_tiles_dealt()) std::call_once(dealt, [this] { peers_.Stop(); });
    if (event.has_round_ended()) halt.Now();
  });
  EXPECT_EQ(Get(table)->state(), v1::TABLE_STATE_SETTLING);
  EXPECT_EQ(Sql("SELECT state FROM tables.tables"), "settling");
  Start();
  EXPECT_EQ(Get(table)->state(), v1::TABLE_STATE_SETTLING) << "and it says so";
  peers_.Start();
  // Nobody calls; the table goes on by itself.
  while (Sql("SELECT state FROM tables.rounds") != "settled") std::this_thread::yield();
  EXPECT_EQ(peers_.wallet.rounds(), 1U);
  PlayAndLeave(table, 2);  // the first is among the past events
  EXPECT_EQ(peers_.wallet.rounds(), 2U);
}

TEST_F(TableServiceTest, ARoundGoesOnWhileProcessesComeAndGo) {
  Start();
  const std::string table = MakeTable();
  int processes = 1;
  // Small steps: however short the round, it lives through several processes.
  for (std::uint64_t until = 12;; until += 6) {
    const std::vector<absl::Status> ends = PlayUntil(table, until);
    if (std::all_of(ends.begin(), ends.end(), Done)) break;
    for (const absl::Status& end : ends) ASSERT_TRUE(Done(end) || absl::IsCancelled(end)) << end;
    Start();
    ++processes;
  }
  EXPECT_GT(processes, 3);
  EXPECT_EQ(peers_.wallet.rounds(), 1U);
  EXPECT_EQ(Sql("SELECT max(seq) = count(*) FROM tables.events"), "t");
  EXPECT_EQ(Sql("SELECT state FROM tables.tables"), "closed");
}

// Who watches resumes after the last event: everything comes once, nothing before its time, and a hand
// that is lent stays so.
TEST_F(TableServiceTest, WhoWatchesGoesOnWhileProcessesComeAndGo) {
  Start();
  const std::string table = MakeTable();
  v1::ShowHandRequest show;
  show.set_table_id(table);
  show.set_player_id("c");
  show.set_show(true);
  ASSERT_THAT(mj::rpc::Invoke(*stub_, &Stub::ShowHand, show, kOptions), IsOk());
  std::vector<v1::WatchedEvent> seen;
  int early = 0;
  int hands = 0;  // in the present process
  const auto see = [&](const v1::WatchedEvent& event) {
    const auto told = std::chrono::seconds(event.time().seconds()) +
                      std::chrono::nanoseconds(event.time().nanos()) + kWatchDelay;
    early += base::SystemClock().Now().time_since_epoch() < told ? 1 : 0;
    hands += event.hand().empty() ? 0 : 1;
    seen.push_back(event);
    return true;
  };
  int processes_with_hands = 0;
  bool over = false;
  for (std::uint64_t until = 24; !over; until += 12) {
    mj::player::Halt halt;
    auto watching =
        std::async(std::launch::async, [&, after = seen.empty() ? 0 : seen.back().sequence()] {
          return mj::player::WatchTable(
              *stub_, {.table_id = table, .player_id = "x", .seat = 2, .after = after}, see, halt);
        });
    const std::vector<absl::Status> ends = PlayUntil(table, until);
    over = std::all_of(ends.begin(), ends.end(), Done);
    if (!over) halt.Now();
    const absl::Status watched = watching.get();
    EXPECT_TRUE(over ? watched.ok() : absl::IsCancelled(watched)) << watched;
    processes_with_hands += hands > 0 ? 1 : 0;
    hands = 0;
    if (!over) Start();
  }
  EXPECT_EQ(early, 0);
  EXPECT_GT(processes_with_hands, 1);
  ASSERT_FALSE(seen.empty());
  // Who comes late begins with the round.
  const std::uint64_t first = seen.front().sequence();
  EXPECT_TRUE(seen.front().has_table_made() || seen.front().has_round_began());
  for (std::size_t i = 0; i < seen.size(); ++i) ASSERT_EQ(seen[i].sequence(), first + i);
  EXPECT_TRUE(seen.back().has_table_closed());
}

// GD-90, from the empty table to the coins.
TEST_F(TableServiceTest, AnAgreementGoesOnWhileProcessesComeAndGo) {
  Start();
  v1::CreateTableRequest create;
  create.set_request_id("empty");
  create.set_variant("guangdong");
  const auto made = mj::rpc::Invoke(*stub_, &Stub::CreateTable, create, kOptions);
  ASSERT_THAT(made, IsOk());
  const std::string table = made->table().table_id();
  for (const char* player : {"a", "b", "c", "d"}) {
    v1::JoinTableRequest join;
    join.set_table_id(table);
    join.set_player_id(player);
    ASSERT_THAT(mj::rpc::Invoke(*stub_, &Stub::JoinTable, join, kOptions), IsOk());
    Start();
  }
  EXPECT_EQ(Sql("SELECT base FROM tables.tables"), "0");
  for (std::uint64_t until = 4;; ++until) {
    const std::vector<absl::Status> ends = PlayUntil(table, until);
    for (const absl::Status& end : ends) ASSERT_TRUE(Done(end) || absl::IsCancelled(end)) << end;
    if (Sql("SELECT count(*) FROM tables.rounds") != "0") break;
    Start();
  }
  EXPECT_EQ(Sql("SELECT base FROM tables.tables"), "10");
  EXPECT_EQ(Sql("SELECT string_agg(kind, ' ' ORDER BY seq) FROM tables.events"
                " WHERE kind LIKE '%stakes%' OR kind LIKE '%consent%'"),
            "stakes_asked stakes_proposed consent_asked stakes_accepted stakes_accepted"
            " stakes_accepted");
  PlayAndLeave(table, 1);
  EXPECT_EQ(peers_.wallet.rounds(), 1U);
  EXPECT_EQ(Sql("SELECT base FROM tables.rounds"), "10");
}

TEST_F(TableServiceTest, RefusesToStartWithoutItsSchema) {
  pg::testing::Database empty{{"0001_wallet.sql"}};
  Config config;
  config.database = empty.url();
  config.scoring_address = peers_.address();
  config.wallet_address = peers_.address();
  EXPECT_FALSE(mj::rpc::StartService(
                   "table", config.server,
                   [config](mj::rpc::Bindings& bindings) { return Bind(config, bindings); },
                   {.log_line = [](std::string_view) {}})
                   .ok());
}

}  // namespace
}  // namespace mj::table
