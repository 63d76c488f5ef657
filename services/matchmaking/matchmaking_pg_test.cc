// Whole replicas of the service: on PostgreSQL, over gRPC, with a table service and a wallet that
// speak the real protos and fail when told to.
#include <gmock/gmock.h>
#include <grpcpp/client_context.h>
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "libs/base/reasons.h"
#include "libs/base/status_testing.h"
#include "libs/pg/cluster_testing.h"
#include "libs/rpc/client.h"
#include "libs/rpc/connected_testing.h"
#include "libs/rpc/service.h"
#include "mahjong/matchmaking/v1/matchmaking_service.grpc.pb.h"
#include "services/matchmaking/app/fake_peers_testing.h"
#include "services/matchmaking/peer_servers_testing.h"
#include "services/matchmaking/store/schema_testing.h"
#include "services/matchmaking/wiring.h"
#include "tests/support/counts.h"

namespace mj::matchmaking {
namespace {

namespace v1 = ::mahjong::matchmaking::v1;
using base::FailsWith;
using base::IsOk;
using base::Reason;
using Service = v1::MatchmakingService;
using Millis = std::chrono::milliseconds;

class MatchmakingTest : public ::testing::Test {
 protected:
  static inline const mj::rpc::CallOptions kOptions{.timeout = std::chrono::seconds(120)};

  MatchmakingTest() : peers_(StartPeers(tables_, &tables_)) {
    for (int i = 0; i < 2; ++i) StartReplica();
  }

  Config ReplicaConfig() const {
    Config config;
    config.database = database_.url();
    config.wallet_address = peers_->address();
    config.table_address = peers_->address();
    config.seat_check = std::chrono::seconds(1);
    config.table_timeout = Millis(2'000);
    return config;
  }
  void StartReplica() {
    const Config config = ReplicaConfig();
    auto started =
        mj::rpc::StartService("matchmaking", config.server,
                              [&](mj::rpc::Bindings& bindings) { return Bind(config, bindings); },
                              {.log_line = [](std::string_view) {}});
    ASSERT_THAT(started, IsOk());
    stubs_.push_back(
        Service::NewStub(mj::rpc::ConnectedChannel({.target = (*started)->address()})));
    replicas_.push_back(*std::move(started));
  }

  absl::StatusOr<v1::Ticket> Create(std::size_t replica, const std::string& player,
                                    const std::string& request) {
    v1::CreateTicketRequest ask;
    ask.set_request_id(request);
    ask.set_player_id(player);
    ask.set_variant("chaozhou");
    auto response =
        mj::rpc::Invoke(*stubs_[replica], &Service::StubInterface::CreateTicket, ask, kOptions);
    if (!response.ok()) return response.status();
    return response->ticket();
  }
  absl::Status Cancel(std::size_t replica, const std::string& ticket_id) {
    v1::CancelTicketRequest request;
    request.set_ticket_id(ticket_id);
    return mj::rpc::Invoke(*stubs_[replica], &Service::StubInterface::CancelTicket, request,
                           kOptions)
        .status();
  }
  // Every state that a watch tells until `last`, which it ends with.
  std::vector<v1::Ticket> WatchUntil(std::size_t replica, const std::string& ticket_id,
                                     v1::TicketState last) {
    grpc::ClientContext context;
    mj::rpc::Prepare(context, kOptions);
    v1::WatchTicketRequest request;
    request.set_ticket_id(ticket_id);
    const auto reader = stubs_[replica]->WatchTicket(&context, request);
    std::vector<v1::Ticket> seen;
    v1::WatchTicketResponse response;
    while (reader->Read(&response)) {
      seen.push_back(response.ticket());
      if (seen.back().state() == last) break;
    }
    context.TryCancel();
    EXPECT_FALSE(seen.empty());
    EXPECT_TRUE(!seen.empty() && seen.back().state() == last) << "the watch ended before";
    if (seen.empty()) seen.emplace_back();
    return seen;
  }
  v1::Ticket Await(std::size_t replica, const std::string& ticket_id, v1::TicketState state) {
    return WatchUntil(replica, ticket_id, state).back();
  }

  const pg::testing::Database database_{store::Migrations()};
  FakeTables tables_;
  std::unique_ptr<mj::rpc::RunningService> peers_;
  std::vector<std::unique_ptr<mj::rpc::RunningService>> replicas_;
  std::vector<std::unique_ptr<Service::Stub>> stubs_;
};

TEST_F(MatchmakingTest, WhoPractisesIsSeatedWithBotsAtOnce) {
  v1::CreateTicketRequest ask;
  ask.set_request_id("practice");
  ask.set_player_id("ann");
  ask.set_variant("chaozhou");
  ask.set_currency(::mahjong::common::v1::CURRENCY_PRACTICE);
  ask.set_bots(v1::BOTS_AT_ONCE);
  const auto made =
      mj::rpc::Invoke(*stubs_[0], &Service::StubInterface::CreateTicket, ask, kOptions);
  ASSERT_THAT(made, IsOk());
  const v1::Ticket seated = Await(1, made->ticket().ticket_id(), v1::TICKET_STATE_ASSIGNED);
  EXPECT_EQ(seated.assignment().seat(), 0U);
  EXPECT_EQ(tables_.Seated().at(PlayerId("ann")).value(), seated.assignment().table_id());
}

TEST_F(MatchmakingTest, EverybodyIsSeatedOnceOnWhicheverReplicaTheyAsk) {
  constexpr int kPlayers = 40;
  std::vector<std::string> tickets;
  for (int i = 0; i < kPlayers; ++i) {
    const std::string player = "player-" + std::to_string(i);
    const auto ticket = Create(static_cast<std::size_t>(i % 2), player, "request-" + player);
    ASSERT_THAT(ticket, IsOk());
    tickets.push_back(ticket->ticket_id());
  }
  std::set<std::pair<std::string, std::uint32_t>> places;
  for (std::size_t i = 0; i < tickets.size(); ++i) {
    // Watched on the other one than it was taken on.
    const v1::Ticket ticket = Await((i + 1) % 2, tickets[i], v1::TICKET_STATE_ASSIGNED);
    const v1::Assignment& assignment = ticket.assignment();
    EXPECT_TRUE(places.emplace(assignment.table_id(), assignment.seat()).second) << "a seat twice";
    EXPECT_EQ(tables_.Seated().at(PlayerId(ticket.player_id())).value(), assignment.table_id());
  }
  EXPECT_EQ(tables_.tables_made(), std::size_t{kPlayers} / kSeats);
}

TEST_F(MatchmakingTest, WhatOneReplicaWroteEveryOtherReads) {
  const auto get = [&](std::size_t replica, const std::string& id) {
    v1::GetTicketRequest request;
    request.set_ticket_id(id);
    const auto got =
        mj::rpc::Invoke(*stubs_[replica], &Service::StubInterface::GetTicket, request, kOptions);
    EXPECT_THAT(got, IsOk());
    return got.ok() ? got->ticket() : v1::Ticket();
  };
  const auto locate = [&](std::size_t replica, const std::string& player) {
    v1::LocatePlayerRequest request;
    request.set_player_id(player);
    const auto there =
        mj::rpc::Invoke(*stubs_[replica], &Service::StubInterface::LocatePlayer, request, kOptions);
    EXPECT_THAT(there, IsOk());
    return there.ok() ? *there : v1::LocatePlayerResponse();
  };
  for (std::int64_t round = 0; round < mj::testing::Count(2'000); ++round) {
    const auto here = static_cast<std::size_t>(round % 2);
    const std::size_t there = 1 - here;
    const std::string player = "p" + std::to_string(round);
    const auto ticket = Create(here, player, "r" + std::to_string(round));
    ASSERT_THAT(ticket, IsOk());
    const std::string& id = ticket->ticket_id();
    ASSERT_EQ(get(there, id).state(), v1::TICKET_STATE_QUEUED);
    ASSERT_EQ(locate(there, player).ticket().ticket_id(), id);
    ASSERT_THAT(Create(there, player, "other"), FailsWith(Reason::kTicketExists));
    ASSERT_EQ(Create(there, player, "r" + std::to_string(round))->ticket_id(), id) << "idempotent";
    ASSERT_THAT(Cancel(there, id), IsOk());
    ASSERT_EQ(get(here, id).state(), v1::TICKET_STATE_CANCELLED);
    ASSERT_FALSE(locate(here, player).has_ticket());
  }
}

TEST_F(MatchmakingTest, ATicketSaysAfterItsAssignmentWhatItSaidBefore) {
  std::vector<v1::Ticket> taken;
  for (int i = 0; i < 3; ++i) {  // with a friend they are four
    v1::CreateTicketRequest ask;
    ask.set_request_id("r" + std::to_string(i));
    ask.set_player_id("p" + std::to_string(i));
    ask.set_variant("chaozhou");
    (*ask.mutable_options())["max_multiplier"] = "20";
    ask.set_base(100);
    ask.set_media(v1::MEDIA_VIDEO);
    ask.mutable_client()->set_device_id("d" + std::to_string(i));
    ask.mutable_client()->set_network_address("10.0.0." + std::to_string(i + 1));
    (*ask.mutable_client()->mutable_latency_ms())["east"] = 10 * i;
    ask.add_avoid_player_ids("nobody");
    if (i == 0) {
      v1::Friend& other = *ask.add_friends();
      other.set_player_id("friend");
      other.mutable_client()->set_device_id("own");
    }
    const auto made = mj::rpc::Invoke(*stubs_[static_cast<std::size_t>(i % 2)],
                                      &Service::StubInterface::CreateTicket, ask, kOptions);
    ASSERT_THAT(made, IsOk());
    taken.push_back(made->ticket());
    for (const v1::Ticket& ticket : made->friend_tickets()) taken.push_back(ticket);
  }
  ASSERT_EQ(taken.size(), 4u);
  std::set<std::string> media_rooms;
  std::set<std::string> tokens;
  for (v1::Ticket before : taken) {
    v1::Ticket after = Await(1, before.ticket_id(), v1::TICKET_STATE_ASSIGNED);
    EXPECT_EQ(after.assignment().region(), "east");
    media_rooms.insert(after.assignment().media_room_id());
    tokens.insert(after.assignment().join_token());
    for (v1::Ticket* ticket : {&before, &after}) {
      ticket->clear_state();
      ticket->clear_assignment();
      ticket->clear_estimated_wait();
    }
    EXPECT_EQ(after.DebugString(), before.DebugString());
  }
  EXPECT_EQ(media_rooms.size(), 1u) << "one for the four";
  EXPECT_FALSE(media_rooms.contains(""));
  EXPECT_EQ(tokens.size(), 4u) << "one for each";
  EXPECT_FALSE(tokens.contains(""));
}

TEST_F(MatchmakingTest, APlayerIsBusyUntilTheTableIsLeftAndThenQueuesAgain) {
  std::vector<std::string> tickets;
  for (int i = 0; i < 4; ++i) {
    tickets.push_back(Create(0, "p" + std::to_string(i), "r" + std::to_string(i))->ticket_id());
  }
  const TableId table_id(Await(0, tickets[0], v1::TICKET_STATE_ASSIGNED).assignment().table_id());
  const auto busy = Create(1, "p0", "again");
  EXPECT_THAT(busy, FailsWith(Reason::kPlayerBusy));
  EXPECT_EQ(base::CarriedBy(busy.status())->details.metadata.at("table_id"), table_id.value());
  tables_.Leave(table_id, PlayerId("p0"));
  EXPECT_THAT(Create(1, "p0", "again"), IsOk()) << "asked for, the table tells";
  tables_.Close(table_id);
  while (database_.Execute("SELECT count(*) FROM matchmaking.live_seats") != "0") {
  }  // and without being asked for, the sweep finds it
}

TEST_F(MatchmakingTest, ASeatThatIsGivenUpIsRefilledWithTheOldestTicket) {
  std::vector<std::string> tickets;
  for (int i = 0; i < 4; ++i) {
    tickets.push_back(Create(0, "p" + std::to_string(i), "r" + std::to_string(i))->ticket_id());
  }
  const TableId table_id(Await(0, tickets[0], v1::TICKET_STATE_ASSIGNED).assignment().table_id());
  const auto fifth = Create(1, "p4", "r4");
  ASSERT_THAT(fifth, IsOk());
  tables_.Leave(table_id, PlayerId("p2"));
  const v1::Ticket seated = Await(0, fifth->ticket_id(), v1::TICKET_STATE_ASSIGNED);
  EXPECT_EQ(seated.assignment().table_id(), table_id.value());
  EXPECT_EQ(tables_.Seated().at(PlayerId("p4")), table_id);
  EXPECT_EQ(tables_.tables_made(), 1u);
  // Nobody had to ask whether p2 still sits there.
  EXPECT_EQ(database_.Execute("SELECT count(*) FROM matchmaking.live_seats WHERE player_id = 'p2'"),
            "0");
  EXPECT_THAT(Create(1, "p2", "again"), IsOk());
}

TEST_F(MatchmakingTest, ARoundThatEndedRatesItsPlayersOnce) {
  while (database_.Execute("SELECT count(*) FROM matchmaking.ratings") != "4") {
  }
  EXPECT_EQ(database_.Execute("SELECT count(*) FROM matchmaking.rated_rounds"), "1");
  ASSERT_THAT(Create(0, "rated-3", "r"), IsOk());
  EXPECT_EQ(database_.Execute(
                "SELECT t.rating = r.mean AND r.mean > 25000000 AND r.rounds = 1"
                "  FROM matchmaking.tickets t JOIN matchmaking.ratings r USING (player_id)"),
            "t");
}

TEST_F(MatchmakingTest, ATableServiceThatDoesNotAnswerCostsNobodyTheirTurn) {
  tables_.SetFaults([] { return Fault::kAnswerLost; });  // it makes tables and cannot say so
  std::vector<v1::Ticket> tickets;
  for (int i = 0; i < 4; ++i) {
    tickets.push_back(*Create(0, "p" + std::to_string(i), "r" + std::to_string(i)));
  }
  // Matched, and back in the queue.
  while (database_.Execute("SELECT count(*) FROM matchmaking.matches WHERE state = 'abandoned'") !=
         "1") {
  }
  const v1::Ticket queued = Await(1, tickets[3].ticket_id(), v1::TICKET_STATE_QUEUED);
  EXPECT_EQ(queued.create_time().SerializeAsString(), tickets[3].create_time().SerializeAsString());
  EXPECT_THAT(Cancel(1, tickets[3].ticket_id()), IsOk());
  const auto fifth = Create(1, "p4", "r4");
  ASSERT_THAT(fifth, IsOk());

  tables_.SetFaults(nullptr);
  std::set<std::string> tables;
  for (const std::string& id : {tickets[0].ticket_id(), tickets[1].ticket_id(),
                                tickets[2].ticket_id(), fifth->ticket_id()}) {
    tables.insert(Await(0, id, v1::TICKET_STATE_ASSIGNED).assignment().table_id());
  }
  EXPECT_EQ(tables.size(), 1u) << "the three who stayed and the one who came";
  EXPECT_FALSE(tables_.Seated().contains(PlayerId("p3")));
  EXPECT_EQ(tables_.Seated().size(), 4u);
}

TEST_F(MatchmakingTest, AReplicaThatStopsLeavesItsWorkToTheOther) {
  tables_.SetFaults([] { return Fault::kLostOnTheWay; });
  std::vector<std::string> tickets;
  for (int i = 0; i < 8; ++i) {
    tickets.push_back(Create(0, "p" + std::to_string(i), "r" + std::to_string(i))->ticket_id());
  }
  while (database_.Execute("SELECT count(*) FROM matchmaking.matches") != "2") {
  }
  replicas_[0]->Stop();
  tables_.SetFaults(nullptr);
  for (const std::string& id : tickets) Await(1, id, v1::TICKET_STATE_ASSIGNED);
  EXPECT_EQ(tables_.tables_made(), 2u);
}

TEST_F(MatchmakingTest, OperatorsSeeWhatItDoes) {
  std::vector<std::string> tickets;
  for (int i = 0; i < 4; ++i) {
    tickets.push_back(Create(0, "p" + std::to_string(i), "r" + std::to_string(i))->ticket_id());
  }
  for (const std::string& id : tickets) Await(0, id, v1::TICKET_STATE_ASSIGNED);
  std::string text;
  for (const auto& replica : replicas_) text += replica->metrics().Text();
  for (const char* name :
       {"mahjong_matches_total", "mahjong_tickets_queued", "mahjong_tickets_oldest_age_seconds",
        "mahjong_matches_unfinished_oldest_age_seconds", "mahjong_seats_live",
        "mahjong_seats_freed_total", "mahjong_tickets_expired_total", "mahjong_pg_connections",
        "mahjong_matchmaking_feed_lag_seconds"}) {
    EXPECT_NE(text.find(name), std::string::npos) << name;
  }
}

TEST_F(MatchmakingTest, DoesNotStartWithoutItsSchemaOrItsDatabase) {
  const pg::testing::Database other({"0002_tables.sql"});
  Config config = ReplicaConfig();
  const auto start = [&config] {
    return mj::rpc::StartService(
               "matchmaking", config.server,
               [&](mj::rpc::Bindings& bindings) { return Bind(config, bindings); },
               {.log_line = [](std::string_view) {}})
        .status();
  };
  config.database = other.url();
  EXPECT_THAT(start(), base::HasCode(absl::StatusCode::kFailedPrecondition));
  config.database = "postgresql://nobody@127.0.0.1:1/none";
  EXPECT_THAT(start(), base::HasCode(absl::StatusCode::kUnavailable));
}

}  // namespace
}  // namespace mj::matchmaking
