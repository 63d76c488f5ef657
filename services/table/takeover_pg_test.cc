// Two processes of the table service's own program on one database: one is killed, stands still, or
// ends in good order, and four bots that play over gRPC notice no more than a pause.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "libs/base/status_testing.h"
#include "libs/pg/cluster_testing.h"
#include "libs/player/table_player.h"
#include "libs/rpc/client.h"
#include "libs/rpc/program_testing.h"
#include "libs/variants/registry.h"
#include "mahjong/table/v1/table_service.grpc.pb.h"
#include "services/table/peers/fake_peers_testing.h"
#include "services/table/store/schema_testing.h"
#include "tests/support/counts.h"

namespace mj::table {
namespace {

namespace v1 = ::mahjong::table::v1;
using base::IsOk;
using mj::rpc::Program;
using Stub = v1::TableService::StubInterface;

const mj::rpc::CallOptions kOptions{.timeout = std::chrono::seconds(30), .request_id = {}};
constexpr const char* kPlayers[] = {"a", "b", "c", "d"};

class TakeoverTest : public ::testing::Test {
 protected:
  void StartBoth() {
    Start("one");
    Start("two");
    Connect();
  }
  void Start(const std::string& instance) {
    programs_[instance] = nullptr;
    programs_[instance] = std::make_unique<Program>(
        MJ_TABLE, std::vector<std::string>{"--database", database_.url(), "--scoring-address",
                                           peers_.address(), "--wallet-address", peers_.address(),
                                           "--instance", instance, "--setting", "claim_pause_ms=0",
                                           "--lease-ms", "1000"});
  }
  // Reaches every process that runs now.
  void Connect() {
    std::string addresses;
    for (const auto& [name, program] : programs_) {
      addresses += (addresses.empty() ? "ipv4:" : ",") + program->address();
    }
    stub_ = v1::TableService::NewStub(mj::rpc::MakeChannel(
        {.target = addresses, .retry_safe = {v1::TableService::service_full_name()}}));
  }

  v1::Table MakeTable(const std::string& variant, std::size_t number) {
    v1::CreateTableRequest request;
    request.set_request_id("match-" + std::to_string(number));
    request.set_variant(variant);
    request.set_base(100);
    for (const char* player : kPlayers) request.add_player_ids(player);
    const auto made = mj::rpc::Invoke(*stub_, &Stub::CreateTable, request, kOptions);
    EXPECT_THAT(made, IsOk());
    return made.ok() ? made->table() : v1::Table();
  }
  // The instance of the process that holds the table.
  std::string HolderOf(const std::string& table) {
    v1::GetTableRequest request;
    request.set_table_id(table);
    const auto got = mj::rpc::Invoke(*stub_, &Stub::GetTable, request, kOptions);
    EXPECT_THAT(got, IsOk());
    for (const auto& [name, program] : programs_) {
      if (got.ok() && program->address() == got->table().address()) return name;
    }
    return "";
  }

  // Four bots play a round and leave. `see` hears the first one's events.
  void Play(const v1::Table& table, const std::function<void(const v1::TableEvent&)>& see) {
    mj::player::Halt halt;
    std::vector<std::future<absl::Status>> plays;
    for (std::size_t i = 0; i < std::size(kPlayers); ++i) {
      plays.push_back(std::async(std::launch::async, [&, i] {
        const absl::Status played = mj::player::PlayAtTable(
            *stub_,
            {.table_id = table.table_id(), .player_id = kPlayers[i], .seed = i, .rounds = 1},
            [&](const v1::TableEvent& event) {
              if (i == 0) see(event);
            },
            halt);
        if (!played.ok()) halt.Now();
        return played;
      }));
    }
    for (auto& play : plays) EXPECT_THAT(play.get(), IsOk());
  }

  // The stream is whole, the round paid once, and the journal by one process at a time.
  void ExpectWhole(const std::vector<v1::TableEvent>& seen) {
    for (std::size_t i = 0; i < seen.size(); ++i) ASSERT_EQ(seen[i].sequence(), i + 1);
    const auto settled = std::count_if(seen.begin(), seen.end(), [](const v1::TableEvent& event) {
      return event.has_round_settled();
    });
    EXPECT_EQ(settled, 1);
    EXPECT_EQ(Sql("SELECT count(*) FROM (SELECT epoch < max(epoch) OVER (PARTITION BY table_id"
                  " ORDER BY seq) AS back FROM tables.events) e WHERE back"),
              "0");
  }

  // Rounds of the games in turn; when a player has seen so many events, `strike` is told who holds the
  // table. Afterwards both processes are there again.
  void PlayRounds(std::size_t rounds, const std::function<void(const std::string&)>& strike,
                  const std::function<void()>& recover) {
    for (std::size_t i = 0; i < rounds; ++i) {
      const std::string game(variants::All()[i % variants::All().size()]->info().id);
      SCOPED_TRACE(game + " " + std::to_string(i));
      const v1::Table table = MakeTable(game, i);
      const std::size_t paid = peers_.wallet.rounds();
      const std::size_t until = 8 + 11 * i % 60;
      std::vector<v1::TableEvent> seen;
      std::string holder;
      Play(table, [&](const v1::TableEvent& event) {
        seen.push_back(event);
        if (seen.size() != until) return;
        holder = HolderOf(table.table_id());
        strike(holder);
      });
      ASSERT_NE(holder, "");
      ExpectWhole(seen);
      EXPECT_EQ(peers_.wallet.rounds(), paid + 1);
      recover();
    }
  }

  std::string Sql(const std::string& sql) { return database_.Execute(sql); }

  // Each game once, at least.
  const std::size_t rounds_ =
      variants::All().size() * static_cast<std::size_t>(testing::Count(100));
  pg::testing::Database database_{store::Migrations()};
  peers::FakePeers peers_;
  std::map<std::string, std::unique_ptr<Program>> programs_;
  std::unique_ptr<v1::TableService::Stub> stub_;
};

TEST_F(TakeoverTest, AKilledOwnersRoundGoesOnElsewhere) {
  StartBoth();
  std::string killed;
  PlayRounds(
      rounds_,
      [&](const std::string& holder) {
        killed = holder;
        programs_[holder]->Kill();
      },
      [&] {
        Start(killed);
        Connect();
      });
  EXPECT_GT(std::stoi(Sql("SELECT count(DISTINCT epoch) FROM tables.events")), 1);
}

// It goes on when the round is over, and has nothing to say any more.
TEST_F(TakeoverTest, AnOwnerThatStandsStillIsPassedOver) {
  StartBoth();
  std::string paused;
  PlayRounds(
      static_cast<std::size_t>(testing::Count(20)),
      [&](const std::string& holder) {
        paused = holder;
        programs_[holder]->Signal(SIGSTOP);
      },
      [&] {
        const std::string before = Sql("SELECT count(*) FROM tables.events");
        programs_[paused]->Signal(SIGCONT);
        // It has found out when it takes part again.
        while (Sql("SELECT count(*) FROM tables.owners WHERE alive_until > clock_timestamp()") !=
               "2") {
          std::this_thread::yield();
        }
        EXPECT_EQ(Sql("SELECT count(*) FROM tables.events"), before);
      });
}

TEST_F(TakeoverTest, AnOwnerThatEndsGivesItsTablesAway) {
  StartBoth();
  std::string ended;
  PlayRounds(
      rounds_,
      [&](const std::string& holder) {
        ended = holder;
        programs_[holder]->Signal(SIGTERM);
      },
      [&] {
        EXPECT_EQ(programs_[ended]->End(), 0);
        Start(ended);
        Connect();
      });
}

}  // namespace
}  // namespace mj::table
