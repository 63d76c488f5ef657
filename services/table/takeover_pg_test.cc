// Two processes of the table service's own program on one database: one is killed, stands still, or
// ends in good order, and four bots that play over gRPC notice no more than a pause. A stream that broke
// behind any of its events goes on at the other process.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <atomic>
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
#include "libs/proof/replay.h"
#include "libs/round/follow.h"
#include "libs/rpc/client.h"
#include "libs/rpc/program_testing.h"
#include "libs/variants/registry.h"
#include "libs/wire/finished_round.h"
#include "libs/wire/kept_round.h"
#include "libs/wire/seat_events.h"
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
constexpr std::size_t kPlayers = rules::kSeatCount;

using Stream = std::vector<v1::TableEvent>;

// What can be compared: a stream names decisions, the engine numbers them.
round::SeatView Unnumbered(round::SeatView view) {
  if (view.ask) view.ask->decision = 0;
  return view;
}

// What a player knows of the round when it has heard its stream up to some event.
class Knowledge {
 public:
  Knowledge(const rules::PlayRules& play, rules::Seat seat)
      : follower_(play, round::Viewer::Player(seat)) {}

  // Whether it was an event of play, a win's horses apart: the stream tells the win itself with the coins.
  bool Hear(const v1::TableEvent& event) {
    if (event.has_deal_drawn()) {
      const v1::DealDrawn& drawn = event.deal_drawn();
      const auto deal =
          wire::DealFromProto(drawn.dealer(), drawn.round_wind(), drawn.seat_winds(), "");
      EXPECT_THAT(deal, IsOk());
      follower_.Take(round::RoundBegan{.deal = *deal});
      return false;
    }
    const auto played = wire::PlayedFromProto(event);
    EXPECT_THAT(played, IsOk());
    if (!played.ok() || !*played) return false;
    follower_.Take((*played)->event);
    return !event.has_horses_turned();
  }
  [[nodiscard]] round::SeatView view() const { return Unnumbered(follower_.view()); }

 private:
  round::Follower follower_;
};

// What the table's own state shows a seat after each of those events.
std::vector<round::SeatView> ShownBy(const record::RoundRecord& record, const round::Setup& setup,
                                     rules::Seat seat) {
  std::vector<round::SeatView> views;
  const auto viewer = round::Viewer::Player(seat);
  const proof::Played played =
      proof::ReplayPlay(setup, record, [&](std::size_t index, const round::State& state) {
        const auto* event = std::get_if<round::Event>(&record.events[index].what);
        if (event == nullptr) return;
        const auto seen = round::Filter(*event, viewer);
        v1::TableEvent told;
        if (!seen || !wire::ToProto(*seen, 0, told) || told.has_horses_turned()) return;
        views.push_back(Unnumbered(round::Project(setup, state, viewer)));
      });
  EXPECT_FALSE(played.misfit.has_value());
  return views;
}

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
    stub_ =
        v1::TableService::NewStub(mj::rpc::MakeChannel({.target = addresses, .retry_safe = true}));
  }

  v1::Table MakeTable(const std::string& variant, std::size_t number) {
    v1::CreateTableRequest request;
    request.set_request_id("match-" + std::to_string(number));
    request.set_variant(variant);
    request.set_base(100);
    for (const std::string& player : players_) request.add_player_ids(player);
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
    const auto played = PlayRound(table, 1, halt, [&](std::size_t i, const v1::TableEvent& event) {
      if (i == 0) see(event);
    });
    for (const absl::Status& each : played) EXPECT_THAT(each, IsOk());
  }
  // Four bots play so many rounds, or until they are halted. `see` hears each one's events, on a thread
  // for each.
  std::vector<absl::Status> PlayRound(
      const v1::Table& table, std::uint32_t rounds, mj::player::Halt& halt,
      const std::function<void(std::size_t player, const v1::TableEvent&)>& see) {
    std::vector<std::future<absl::Status>> plays;
    for (std::size_t i = 0; i < kPlayers; ++i) {
      plays.push_back(std::async(std::launch::async, [&, i] {
        const absl::Status played = mj::player::PlayAtTable(
            *stub_,
            {.table_id = table.table_id(), .player_id = players_[i], .seed = i, .rounds = rounds},
            [&](const v1::TableEvent& event) { see(i, event); }, halt);
        if (!played.ok()) halt.Now();
        return played;
      }));
    }
    std::vector<absl::Status> played;
    for (auto& play : plays) played.push_back(play.get());
    return played;
  }

  // A seat's stream from behind `after` to `last`, at whichever process holds the table.
  Stream Read(const std::string& table, const std::string& player, std::uint64_t after,
              std::uint64_t last) {
    v1::SubscribeRequest request;
    request.set_table_id(table);
    request.set_player_id(player);
    request.set_after_sequence(after);
    grpc::ClientContext context;
    mj::rpc::Prepare(context, kOptions);
    const auto reader = stub_->Subscribe(&context, request);
    Stream events;
    v1::SubscribeResponse response;
    while ((events.empty() || events.back().sequence() < last) && reader->Read(&response)) {
      events.insert(events.end(), response.events().begin(), response.events().end());
    }
    while (!events.empty() && events.back().sequence() > last) events.pop_back();
    context.TryCancel();
    (void)reader->Finish();
    return events;
  }

  record::RoundRecord RecordOf(const std::string& round) {
    v1::GetRoundRecordRequest request;
    request.set_round_id(round);
    const auto got = mj::rpc::Invoke(*stub_, &Stub::GetRoundRecord, request, kOptions);
    EXPECT_THAT(got, IsOk());
    const auto record = wire::ParseRoundRecord(got.ok() ? got->record() : "");
    EXPECT_THAT(record, IsOk());
    return record.ok() ? *record : record::RoundRecord();
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
        // There, or at the end of a round that is shorter.
        if (!holder.empty() || (seen.size() < until && !event.has_round_ended())) return;
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
  const std::size_t rounds_ = variants::All().size() * static_cast<std::size_t>(testing::Count(25));
  pg::testing::Database database_{store::Migrations()};
  peers::FakePeers peers_;
  std::array<std::string, kPlayers> players_{"a", "b", "c", "d"};
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

// The bots' seats are in the journal: whoever takes the table over plays them on.
TEST_F(TakeoverTest, AKilledOwnersBotsPlayOnElsewhere) {
  StartBoth();
  std::size_t number = 0;
  for (const rules::Variant* game : variants::All()) {
    SCOPED_TRACE(game->info().id);
    v1::CreateTableRequest request;
    request.set_request_id("practice-" + std::to_string(++number));
    request.set_variant(std::string(game->info().id));
    request.set_base(100);
    request.set_currency(::mahjong::common::v1::CURRENCY_PRACTICE);
    request.add_player_ids("a");
    request.set_bots(3);
    (*request.mutable_settings())["bot_think_ms"] = 20;
    const auto made = mj::rpc::Invoke(*stub_, &Stub::CreateTable, request, kOptions);
    ASSERT_THAT(made, IsOk());
    const std::string table = made->table().table_id();
    const std::size_t paid = peers_.wallet.rounds();
    std::vector<v1::TableEvent> seen;
    std::string killed;
    mj::player::Halt halt;
    EXPECT_THAT(mj::player::PlayAtTable(
                    *stub_, {.table_id = table, .player_id = "a", .rounds = 1},
                    [&](const v1::TableEvent& event) {
                      seen.push_back(event);
                      if (seen.size() != 30) return;
                      killed = HolderOf(table);
                      programs_[killed]->Kill();
                    },
                    halt),
                IsOk());
    ASSERT_NE(killed, "");
    ExpectWhole(seen);
    EXPECT_EQ(peers_.wallet.rounds(), paid + 1);
    EXPECT_EQ(Sql("SELECT state FROM tables.tables WHERE id = '" + table + "'"), "closed");
    Start(killed);
    Connect();
  }
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

// Each game: a client that lost its stream behind any event of the round takes it up at the process that
// took the table over, hears what the first one would have told it, and knows what the table knows.
TEST_F(TakeoverTest, AStreamGoesOnElsewhereBehindEachOfItsEvents) {
  const auto stride = static_cast<std::size_t>(100 / testing::Count(100));
  std::size_t number = 0;
  for (const rules::Variant* game : variants::All()) {
    const std::string id(game->info().id);
    SCOPED_TRACE(id);
    for (std::size_t i = 0; i < kPlayers; ++i) players_[i] = id + std::to_string(i);
    StartBoth();
    const v1::Table table = MakeTable(id, number++);
    std::array<Stream, kPlayers> streams;
    mj::player::Halt halt;
    std::atomic<int> over = 0;
    (void)PlayRound(table, 2, halt, [&](std::size_t i, const v1::TableEvent& event) {
      if (!streams[i].empty() && streams[i].back().has_round_settled()) return;
      streams[i].push_back(event);
      if (event.has_round_settled() && ++over == int{kPlayers}) halt.Now();
    });
    ASSERT_EQ(over, int{kPlayers});
    const std::string holder = HolderOf(table.table_id());
    programs_[holder]->Kill();
    programs_.erase(holder);
    Connect();
    while (HolderOf(table.table_id()).empty()) std::this_thread::yield();

    const record::RoundRecord record = RecordOf(streams[0].back().round_settled().round_id());
    const auto setup = proof::SetupOf(*game, record);
    ASSERT_TRUE(setup.has_value());
    for (const rules::Seat seat : rules::kSeats) {
      const auto at = static_cast<std::size_t>(seat);
      const std::string& player = players_[at];
      SCOPED_TRACE(player);
      const Stream& whole = streams[at];
      const std::vector<round::SeatView> shown = ShownBy(record, *setup, seat);
      std::size_t plays = 0;
      Knowledge before(setup->play(), seat);
      for (std::size_t heard = 0; heard < whole.size(); ++heard) {
        if (heard % stride == 0) {
          Stream rest = Read(table.table_id(), player, heard, whole.size());
          ASSERT_EQ(rest.size(), whole.size() - heard);
          Knowledge after = before;
          std::size_t next = plays;
          for (std::size_t i = heard; i < whole.size(); ++i) {
            ASSERT_EQ(rest[i - heard].SerializeAsString(), whole[i].SerializeAsString()) << heard;
            if (!after.Hear(rest[i - heard])) continue;
            ASSERT_LT(next, shown.size());
            ASSERT_EQ(after.view(), shown[next++]) << heard;
          }
          ASSERT_EQ(next, shown.size()) << heard;
        }
        if (before.Hear(whole[heard])) ++plays;
      }
    }
    programs_.clear();
  }
}

}  // namespace
}  // namespace mj::table
