// Who watches a table, over gRPC (COM-13).
#include <gmock/gmock.h>
#include <grpcpp/create_channel.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <future>
#include <string>
#include <utility>
#include <vector>

#include "libs/base/status_testing.h"
#include "libs/rpc/grpc_status.h"
#include "services/table/rpc/client_testing.h"
#include "services/table/rpc/table_server_testing.h"

namespace mj::table::rpc {
namespace {

using base::FailsWith;
using base::IsOk;
using base::Reason;
using Stub = proto::TableService::StubInterface;

const std::vector<std::string> kFour = {"p0", "p1", "p2", "p3"};

TableServerOptions NoDelay() { return {.settings = {.claim_pause_ms = 0, .watch_delay_ms = 0}}; }

std::string Text(const std::vector<proto::WatchedEvent>& events) {
  std::string text;
  for (const proto::WatchedEvent& event : events) text += event.ShortDebugString() + "\n";
  return text;
}

class WatchServiceTest : public ::testing::Test {
 protected:
  explicit WatchServiceTest(TableServerOptions options = NoDelay()) : server_(options) {}

  absl::Status ShowHand(const std::string& table, const std::string& player, bool show) {
    proto::ShowHandRequest request;
    request.set_table_id(table);
    request.set_player_id(player);
    request.set_show(show);
    return server_.Call(&Stub::ShowHand, request).status();
  }
  // Why nobody can watch so.
  absl::Status Refused(const proto::WatchRequest& request) {
    grpc::ClientContext context;
    mj::rpc::Prepare(context, {.timeout = std::chrono::seconds(30)});
    const auto stream = server_.stub().Watch(&context, request);
    proto::WatchResponse response;
    EXPECT_FALSE(stream->Read(&response)) << response.ShortDebugString();
    return mj::rpc::FromGrpc(stream->Finish());
  }
  static proto::WatchRequest Request(const std::string& table, const std::string& player) {
    proto::WatchRequest request;
    request.set_table_id(table);
    request.set_player_id(player);
    request.set_seat(0);
    return request;
  }
  std::array<Client, 4> SitDown(const std::string& table) {
    return {Client(server_, table, "p0", Seat::k0), Client(server_, table, "p1", Seat::k1),
            Client(server_, table, "p2", Seat::k2), Client(server_, table, "p3", Seat::k3)};
  }
  static void PlayTogether(std::array<Client, 4>& clients, int rounds) {
    std::vector<std::future<bool>> plays;
    for (Client& client : clients) {
      plays.push_back(std::async(std::launch::async, [&client, rounds] {
        if (client.events().empty()) client.Subscribe();
        return client.Play(rounds);
      }));
    }
    for (auto& play : plays) EXPECT_TRUE(play.get());
  }
  static bool Settled(const proto::WatchedEvent& event) { return event.has_round_settled(); }

  TableServer server_;
  const std::string table_ = server_.MakeTable("match", kFour);
};

TEST_F(WatchServiceTest, AFifthSeesTheRoundAndItsResult) {
  Watcher watcher(server_, table_, "x", 2);
  watcher.Watch();
  auto clients = SitDown(table_);
  PlayTogether(clients, 1);
  ASSERT_TRUE(watcher.ReadUntil(Settled)) << watcher.end;
  std::string discards;
  std::string seen_discards;
  std::uint64_t sequence = 0;
  for (const proto::WatchedEvent& event : watcher.events()) {
    EXPECT_EQ(event.sequence(), ++sequence);
    EXPECT_NE(event.event_case(), proto::WatchedEvent::EVENT_NOT_SET);
    EXPECT_TRUE(event.hand().empty());
    if (event.has_tile_discarded()) seen_discards += event.tile_discarded().ShortDebugString();
  }
  const proto::RoundSettled* settled = nullptr;
  const proto::RoundEnded* ended = nullptr;
  for (const proto::TableEvent& event : clients[0].events()) {
    if (event.has_tile_discarded()) discards += event.tile_discarded().ShortDebugString();
    if (event.has_round_settled()) settled = &event.round_settled();
    if (event.has_round_ended()) ended = &event.round_ended();
  }
  ASSERT_NE(settled, nullptr);
  ASSERT_NE(ended, nullptr);
  EXPECT_NE(discards, "");
  EXPECT_EQ(seen_discards, discards);
  for (const proto::WatchedEvent& event : watcher.events()) {
    if (event.has_round_settled()) {
      EXPECT_EQ(event.round_settled().ShortDebugString(), settled->ShortDebugString());
    }
    if (event.has_round_ended()) {
      EXPECT_EQ(event.round_ended().ShortDebugString(), ended->ShortDebugString());
    }
    if (event.has_round_began()) {
      EXPECT_EQ(event.round_began().table().seats(3).player_id(), "p3");
    }
  }
}

TEST_F(WatchServiceTest, AHandIsSentWhileItsPlayerLendsIt) {
  ASSERT_THAT(ShowHand(table_, "p2", true), IsOk());
  Watcher own(server_, table_, "x", 2);
  Watcher other(server_, table_, "y", 1);
  own.Watch();
  other.Watch();
  auto clients = SitDown(table_);
  PlayTogether(clients, 1);
  std::string dealt;
  for (const proto::TableEvent& event : clients[2].events()) {
    if (event.has_tiles_dealt()) dealt = event.tiles_dealt().hand();
  }
  ASSERT_TRUE(own.ReadUntil(Settled));
  ASSERT_TRUE(other.ReadUntil(Settled));
  for (const proto::WatchedEvent& event : own.events()) {
    if (event.has_hands_dealt()) {
      EXPECT_EQ(event.hand(), dealt);
    }
    if (event.has_tile_discarded()) {
      EXPECT_FALSE(event.hand().empty());
    }
  }
  for (const proto::WatchedEvent& event : other.events()) EXPECT_TRUE(event.hand().empty());
  // The player is told that it lends it.
  bool told = false;
  for (const proto::TableEvent& event : clients[2].events()) {
    told = told || event.hand_showing().on();
  }
  EXPECT_TRUE(told);
  // Nobody else has ever seen it, taken back it is gone from the past as well.
  ASSERT_THAT(ShowHand(table_, "p2", false), IsOk());
  Watcher late(server_, table_, "z", 2);
  late.Watch();
  ASSERT_TRUE(late.ReadUntil(Settled));
  for (const proto::WatchedEvent& event : late.events()) EXPECT_TRUE(event.hand().empty());
}

TEST_F(WatchServiceTest, TheFourAreToldHowManyWatch) {
  auto clients = SitDown(table_);
  clients[1].Subscribe();
  Watcher first(server_, table_, "x", 0);
  Watcher second(server_, table_, "y", 3);
  first.Watch();
  ASSERT_TRUE(clients[1].ReadUntilWatchedBy(1));
  second.Watch();
  ASSERT_TRUE(clients[1].ReadUntilWatchedBy(2));
  clients[3].Subscribe();
  ASSERT_TRUE(clients[3].ReadUntilWatchedBy(2));
  first.Hang();
  second.Hang();
  ASSERT_TRUE(clients[1].ReadUntilWatchedBy(0));
  clients[1].Hang();
  clients[3].Hang();
}

TEST_F(WatchServiceTest, ItGoesOnInAnotherProcess) {
  auto clients = SitDown(table_);
  Watcher watcher(server_, table_, "x", 0);
  watcher.Watch();
  PlayTogether(clients, 1);
  ASSERT_TRUE(watcher.ReadUntil([](const auto& event) { return event.has_round_ended(); }));
  for (Client& client : clients) client.Hang();
  server_.Stop();
  while (watcher.Read()) {
  }
  EXPECT_THAT(watcher.end, FailsWith(Reason::kShuttingDown));
  server_.Restart();
  watcher.Watch();
  for (Client& client : clients) client.Subscribe();
  PlayTogether(clients, 1);
  int settled = 0;
  for (const proto::WatchedEvent& event : watcher.events()) settled += Settled(event) ? 1 : 0;
  while (settled < 2) {
    ASSERT_TRUE(watcher.ReadUntil(Settled)) << watcher.end;
    ++settled;
  }
  for (std::size_t i = 0; i < watcher.events().size(); ++i) {
    ASSERT_EQ(watcher.events()[i].sequence(), i + 1) << "nothing is missed, nothing twice";
  }
}

TEST_F(WatchServiceTest, MalformedRequests) {
  for (const auto& [id, reason] : std::vector<std::pair<std::string, Reason>>{
           {"", Reason::kFieldRequired}, {"a b", Reason::kBadId}, {"../x", Reason::kBadId}}) {
    EXPECT_THAT(Refused(Request(id, "x")), FailsWith(reason, "table_id"));
    EXPECT_THAT(Refused(Request(table_, id)), FailsWith(reason, "player_id"));
    EXPECT_THAT(ShowHand(id, "p0", true), FailsWith(reason, "table_id"));
    EXPECT_THAT(ShowHand(table_, id, true), FailsWith(reason, "player_id"));
  }
  proto::WatchRequest request = Request(table_, "x");
  request.clear_seat();
  EXPECT_THAT(Refused(request), FailsWith(Reason::kFieldRequired, "seat"));
  for (const std::uint32_t seat : {4U, 1'000U, 0xffff'ffffU}) {
    request.set_seat(seat);
    EXPECT_THAT(Refused(request), FailsWith(Reason::kBadSeat, "seat"));
  }
}

TEST_F(WatchServiceTest, WhoIsRefusedIsToldWhy) {
  EXPECT_THAT(Refused(Request("none", "x")), FailsWith(Reason::kTableNotFound));
  EXPECT_THAT(Refused(Request(table_, "p3")), FailsWith(Reason::kSeatedHere));
  proto::WatchRequest ahead = Request(table_, "x");
  ahead.set_after_sequence(1'000);
  EXPECT_THAT(Refused(ahead), FailsWith(Reason::kSequenceAhead, "after_sequence"));
  EXPECT_THAT(ShowHand(table_, "x", true), FailsWith(Reason::kNotSeated));
  EXPECT_THAT(ShowHand("none", "x", true), FailsWith(Reason::kTableNotFound));

  proto::JoinTableRequest join;
  join.set_table_id(table_);
  join.set_player_id("x");
  const auto full = server_.Call(&Stub::JoinTable, join);
  EXPECT_THAT(full, FailsWith(Reason::kTableFull));
  EXPECT_EQ(base::CarriedBy(full.status())->details.metadata.at("watchable"), "true");

  proto::CreateTableRequest create;
  create.set_request_id("private");
  create.set_variant("jieyang");
  create.set_base(100);
  create.add_player_ids("a");
  (*create.mutable_settings())["watchable"] = 0;
  const auto made = server_.Call(&Stub::CreateTable, create);
  ASSERT_THAT(made, IsOk());
  const std::string table = made->table().table_id();
  EXPECT_EQ(made->table().settings().at("watchable"), 0);
  EXPECT_THAT(Refused(Request(table, "x")), FailsWith(Reason::kTableNotWatchable));
  EXPECT_THAT(ShowHand(table, "a", true), FailsWith(Reason::kTableNotWatchable));

  proto::LeaveTableRequest leave;
  leave.set_table_id(table);
  leave.set_player_id("a");
  ASSERT_THAT(server_.Call(&Stub::LeaveTable, leave), IsOk());
  EXPECT_THAT(Refused(Request(table, "x")), FailsWith(Reason::kTableClosed));
}

class SlowWatchTest : public WatchServiceTest {
 protected:
  static TableServerOptions Narrow() {
    TableServerOptions options = NoDelay();
    options.limits.outbox_max = 64;
    return options;
  }
  SlowWatchTest() : WatchServiceTest(Narrow()) {}
};

TEST_F(SlowWatchTest, WhoDoesNotReadIsCutOffAndTheTableGoesOn) {
  // gRPC itself takes for a client that does not read as much as this client lets it.
  grpc::ChannelArguments narrow;
  narrow.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  narrow.SetInt(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, 2'048);
  const auto stub = proto::TableService::NewStub(
      grpc::CreateCustomChannel(server_.address(), grpc::InsecureChannelCredentials(), narrow));
  Watcher slow(server_, table_, "x", 0);
  slow.WatchOn(*stub);
  ASSERT_TRUE(slow.Read());
  auto clients = SitDown(table_);
  int rounds = 0;
  while (server_.monitor.counts().slow == 0 && rounds < 20) {
    PlayTogether(clients, 1);
    ++rounds;
  }
  EXPECT_EQ(server_.monitor.counts().slow, 1);
  EXPECT_EQ(server_.wallet.rounds(), static_cast<std::size_t>(rounds));
  while (slow.Read()) {
  }
  EXPECT_THAT(slow.end, FailsWith(Reason::kStreamTooSlow));
  Watcher whole(server_, table_, "y", 0);
  whole.Watch();
  slow.Watch();
  int settled = 0;
  for (const proto::WatchedEvent& event : slow.events()) settled += Settled(event) ? 1 : 0;
  for (; settled < rounds; ++settled) ASSERT_TRUE(slow.ReadUntil(Settled)) << slow.end;
  // The latest round is the same to whoever comes now.
  ASSERT_TRUE(whole.ReadUntil(Settled));
  const std::vector<proto::WatchedEvent> latest(
      slow.events().end() - static_cast<std::ptrdiff_t>(whole.events().size()),
      slow.events().end());
  EXPECT_EQ(Text(latest), Text(whole.events()));
}

}  // namespace
}  // namespace mj::table::rpc
