#include "services/table/rpc/service.h"

#include <gmock/gmock.h>
#include <grpcpp/create_channel.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <future>
#include <limits>
#include <regex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "libs/audit/digest.h"
#include "libs/base/status_testing.h"
#include "libs/fairness/commitment.h"
#include "libs/rpc/grpc_status.h"
#include "libs/tiles/mpsz.h"
#include "services/table/rpc/client_testing.h"
#include "services/table/rpc/table_server_testing.h"

namespace mj::table::rpc {
namespace {

using base::FailsWith;
using base::IsOk;
using base::Reason;
using Stub = proto::TableService::StubInterface;

const std::vector<std::string> kFour = {"p0", "p1", "p2", "p3"};

std::array<Client, 4> SitDown(TableServer& server, const std::string& table) {
  return {Client(server, table, "p0", Seat::k0), Client(server, table, "p1", Seat::k1),
          Client(server, table, "p2", Seat::k2), Client(server, table, "p3", Seat::k3)};
}

// Four clients on four threads.
void PlayTogether(std::array<Client, 4>& clients, int rounds) {
  std::vector<std::future<bool>> plays;
  for (Client& client : clients) {
    plays.push_back(std::async(std::launch::async, [&client, rounds] {
      if (client.events().empty()) client.Subscribe();
      return client.Play(rounds);
    }));
  }
  for (std::size_t i = 0; i < plays.size(); ++i) {
    EXPECT_TRUE(plays[i].get()) << clients[i].id() << ": " << clients[i].end;
  }
}

std::string Text(const std::vector<proto::TableEvent>& events) {
  std::string text;
  for (const proto::TableEvent& event : events) text += event.ShortDebugString() + "\n";
  return text;
}

// ---------------------------------------------------------------------------------- whole rounds

TEST(TableServiceTest, FourClientsPlayRoundsToTheirCoins) {
  TableServer server;
  const std::string table = server.MakeTable("match", kFour);
  auto clients = SitDown(server, table);
  PlayTogether(clients, 3);
  EXPECT_EQ(server.wallet.rounds(), 3U);

  for (Client& client : clients) {
    std::string seed_hash;
    int settled = 0;
    for (const proto::TableEvent& event : client.events()) {
      if (event.has_round_began()) seed_hash = event.round_began().seed_hash();
      if (!event.has_round_settled()) continue;
      ++settled;
      const proto::RoundSettled& round = event.round_settled();
      fairness::Seed seed{};
      ASSERT_EQ(round.seed().size(), seed.size());
      std::copy(round.seed().begin(), round.seed().end(), seed.begin());
      const fairness::Digest digest = fairness::CommitSeed(seed);
      EXPECT_EQ(std::string(digest.begin(), digest.end()), seed_hash);
      std::int64_t sum = 0;
      for (const proto::SeatResult& result : round.seats()) sum += result.net();
      EXPECT_EQ(sum, 0);
    }
    EXPECT_EQ(settled, 3);
  }

  proto::GetTableRequest get;
  get.set_table_id(table);
  const auto got = server.Call(&Stub::GetTable, get);
  ASSERT_THAT(got, IsOk());
  EXPECT_EQ(got->table().state(), proto::TABLE_STATE_WAITING);
  EXPECT_EQ(got->table().round_number(), 3U);
  EXPECT_EQ(got->table().address(), server.address());
  EXPECT_EQ(got->table().seats(2).player_id(), "p2");
  EXPECT_EQ(got->table().base(), 100);
}

// Everything that each stream received, read as a spy would.
TEST(TableServiceTest, NoStreamSaysWhatIsHidden) {
  TableServer server({.seed = 7});
  const std::string table = server.MakeTable("match", kFour);
  auto clients = SitDown(server, table);
  PlayTogether(clients, 2);
  for (Client& client : clients) {
    const auto own = static_cast<std::uint32_t>(rules::IndexOf(client.seat()));
    bool live = false;
    std::uint64_t sequence = 0;
    for (const proto::TableEvent& event : client.events()) {
      EXPECT_EQ(event.sequence(), ++sequence) << "a gap tells that something else happened";
      if (event.has_round_began()) {
        live = true;
        EXPECT_EQ(event.round_began().seed_hash().size(), 32U);
      }
      if (event.has_tile_drawn()) {
        EXPECT_EQ(event.tile_drawn().tile().empty(), event.tile_drawn().seat() != own);
      }
      if (event.has_round_ended()) live = false;
      EXPECT_FALSE(live && event.has_round_settled()) << "the seed";
      EXPECT_FALSE(event.has_round_void());
      if (live) {
        // Neither the seed's bytes nor anybody's whole hand but the own one.
        EXPECT_LT(event.ByteSizeLong(), 600U) << event.ShortDebugString();
      }
    }
  }
  // The dealer's first hand is told to the dealer alone.
  for (std::size_t i = 0; i < clients.size(); ++i) {
    for (const proto::TableEvent& event : clients[i].events()) {
      if (!event.has_tiles_dealt()) continue;
      for (std::size_t j = 0; j < clients.size(); ++j) {
        if (j == i) continue;
        bool over = false;
        for (const proto::TableEvent& other : clients[j].events()) {
          over = over || other.has_round_ended();
          const bool tells =
              other.ShortDebugString().find(event.tiles_dealt().hand()) != std::string::npos;
          EXPECT_TRUE(over || !tells);
        }
      }
      break;
    }
  }
}

TEST(TableServiceTest, ResumingAnywhereGivesTheRestOfTheSameStream) {
  TableLimits limits;
  limits.kept_max = 16;  // most of it comes from the journal
  TableServer server({.limits = limits, .seed = 3});
  const std::string table = server.MakeTable("match", kFour);
  auto clients = SitDown(server, table);
  PlayTogether(clients, 1);
  for (Client& client : clients) {
    const auto& whole = client.events();
    for (std::size_t after = 0; after < whole.size(); after += 1 + whole.size() / 7) {
      Client again(server, table, client.id(), client.seat());
      proto::SubscribeRequest request;
      request.set_table_id(table);
      request.set_player_id(client.id());
      request.set_after_sequence(after);
      grpc::ClientContext context;
      mj::rpc::Prepare(context, {.timeout = std::chrono::minutes(1)});
      const auto stream = server.stub().Subscribe(&context, request);
      std::vector<proto::TableEvent> rest;
      proto::SubscribeResponse response;
      while (after + rest.size() < whole.size() && stream->Read(&response)) {
        rest.insert(rest.end(), response.events().begin(), response.events().end());
      }
      rest.resize(std::min(rest.size(), whole.size() - after));
      context.TryCancel();
      EXPECT_EQ(Text(rest),
                Text({whole.begin() + static_cast<std::ptrdiff_t>(after), whole.end()}));
    }
  }
}

TEST(TableServiceTest, StreamsGoOnInAnotherProcess) {
  TableServer server({.seed = 5});
  const std::string table = server.MakeTable("match", kFour);
  auto clients = SitDown(server, table);
  PlayTogether(clients, 1);
  for (Client& client : clients) client.Hang();
  server.Restart();
  for (Client& client : clients) client.Subscribe();
  PlayTogether(clients, 1);
  EXPECT_EQ(server.wallet.rounds(), 2U);
  for (Client& client : clients) {
    for (std::size_t i = 0; i < client.events().size(); ++i) {
      ASSERT_EQ(client.events()[i].sequence(), i + 1);
    }
  }
}

TEST(TableServiceTest, AStopInTheMiddleOfARoundEndsStreamsThatCanBeResumed) {
  TableServer server({.seed = 6});
  const std::string table = server.MakeTable("match", kFour);
  auto clients = SitDown(server, table);
  for (Client& client : clients) {
    client.Subscribe();
    ASSERT_THAT(client.Ready(), IsOk());
  }
  for (Client& client : clients) {
    ASSERT_TRUE(client.ReadUntil([](const auto& event) { return event.has_tiles_dealt(); }));
  }
  server.Stop();
  while (clients[0].Read()) {
  }
  EXPECT_THAT(clients[0].end, FailsWith(Reason::kShuttingDown));
  for (std::size_t i = 1; i < 4; ++i) clients[i].Hang();
  server.Restart();
  for (Client& client : clients) client.Subscribe();
  std::vector<std::future<bool>> plays;
  for (Client& client : clients) {
    plays.push_back(std::async(std::launch::async, [&client] {
      // The decision of before the end is still open.
      if (client.wish() && !client.Answer()) return false;
      return client.Play(1);
    }));
  }
  for (auto& play : plays) EXPECT_TRUE(play.get());
  EXPECT_EQ(server.wallet.rounds(), 1U);
}

// ---------------------------------------------------------------------------------- slow clients

TEST(TableServiceTest, AClientThatDoesNotReadIsCutOffAndCanResume) {
  TableLimits limits;
  limits.outbox_max = 64;
  TableServer server({.limits = limits, .seed = 8});
  const std::string table = server.MakeTable("match", kFour);
  // gRPC itself takes for a client that does not read as much as this client lets it.
  grpc::ChannelArguments narrow;
  narrow.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  narrow.SetInt(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, 2'048);
  const auto stub = proto::TableService::NewStub(
      grpc::CreateCustomChannel(server.address(), grpc::InsecureChannelCredentials(), narrow));
  Client slow(server, table, "p0", Seat::k0);
  slow.SubscribeOn(*stub);
  ASSERT_TRUE(slow.Read());
  auto clients = SitDown(server, table);
  int rounds = 0;
  while (server.monitor.counts().slow == 0 && rounds < 20) {
    PlayTogether(clients, 1);
    ++rounds;
  }
  EXPECT_EQ(server.monitor.counts().slow, 1);
  EXPECT_EQ(server.wallet.rounds(), static_cast<std::size_t>(rounds)) << "the table went on";
  while (slow.Read()) {
  }
  EXPECT_THAT(slow.end, FailsWith(Reason::kStreamTooSlow));
  EXPECT_LT(slow.last(), clients[0].last());
  slow.Subscribe();
  while (slow.last() < clients[0].last()) ASSERT_TRUE(slow.Read()) << slow.end;
  EXPECT_EQ(Text(slow.events()), Text(clients[0].events()));
}

// ---------------------------------------------------------------------------------- refusals

template <typename Request>
Request Named(const std::string& table, const std::string& player) {
  Request request;
  request.set_table_id(table);
  request.set_player_id(player);
  return request;
}

class RefusalTest : public ::testing::Test {
 protected:
  absl::Status Create(const std::function<void(proto::CreateTableRequest&)>& change) {
    return Make(change).status();
  }
  absl::StatusOr<proto::CreateTableResponse> Make(
      const std::function<void(proto::CreateTableRequest&)>& change) {
    proto::CreateTableRequest request;
    request.set_request_id("other");
    request.set_variant("chaozhou");
    request.set_base(100);
    for (const char* player : {"a", "b", "c", "d"}) request.add_player_ids(player);
    change(request);
    return server_.Call(&Stub::CreateTable, request);
  }
  absl::Status Act(const std::string& player, std::uint64_t decision,
                   const std::function<void(proto::Choice&)>& choose) {
    auto request = Named<proto::ActRequest>(table_, player);
    request.set_decision_id(decision);
    choose(*request.mutable_choice());
    return server_.Call(&Stub::Act, request).status();
  }
  absl::Status Subscribe(const std::string& table, const std::string& player,
                         std::uint64_t after = 0, const std::string& token = "") {
    auto request = Named<proto::SubscribeRequest>(table, player);
    request.set_join_token(token);
    request.set_after_sequence(after);
    grpc::ClientContext context;
    mj::rpc::Prepare(context, {.timeout = std::chrono::seconds(30)});
    const auto stream = server_.stub().Subscribe(&context, request);
    proto::SubscribeResponse response;
    EXPECT_FALSE(stream->Read(&response)) << response.ShortDebugString();
    return mj::rpc::FromGrpc(stream->Finish());
  }

  TableServer server_;
  const std::string table_ = server_.MakeTable("match", kFour);
};

TEST_F(RefusalTest, Create) {
  const auto nothing = [](proto::CreateTableRequest&) {};
  EXPECT_THAT(Create([](auto& r) { r.clear_request_id(); }),
              FailsWith(Reason::kFieldRequired, "request_id"));
  EXPECT_THAT(Create([](auto& r) { r.set_request_id("no blanks"); }),
              FailsWith(Reason::kBadId, "request_id"));
  EXPECT_THAT(Create([](auto& r) { r.set_request_id(std::string(65, 'x')); }),
              FailsWith(Reason::kBadId, "request_id"));
  EXPECT_THAT(Create([](auto& r) { r.clear_variant(); }),
              FailsWith(Reason::kFieldRequired, "variant"));
  EXPECT_THAT(Create([](auto& r) { r.set_variant("bridge"); }),
              FailsWith(Reason::kUnknownVariant, "variant"));
  EXPECT_THAT(Create([](auto& r) { (*r.mutable_options())["x"] = "1"; }),
              FailsWith(Reason::kUnknownOption, "options"));
  EXPECT_THAT(Create([](auto& r) { (*r.mutable_options())["max_multiplier"] = "-1"; }),
              FailsWith(Reason::kOptionOutOfRange, "options"));
  for (std::int64_t base :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{10'001},
        std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()}) {
    EXPECT_THAT(Create([base](auto& r) { r.set_base(base); }), FailsWith(Reason::kBadBase, "base"));
  }
  EXPECT_THAT(
      Create([](auto& r) { r.set_currency(static_cast<::mahjong::common::v1::Currency>(99)); }),
      FailsWith(Reason::kUnknownEnumValue, "currency"));
  EXPECT_THAT(Create([](auto& r) { r.add_player_ids("e"); }),
              FailsWith(Reason::kBadSeat, "player_ids"));
  EXPECT_THAT(Create([](auto& r) { r.set_player_ids(1, ""); }),
              FailsWith(Reason::kFieldRequired, "player_ids[1]"));
  EXPECT_THAT(Create([](auto& r) { r.set_player_ids(1, "ü"); }),
              FailsWith(Reason::kBadId, "player_ids[1]"));
  EXPECT_THAT(Create([](auto& r) { r.set_player_ids(3, "a"); }),
              FailsWith(Reason::kDuplicatePlayer, "player_ids"));
  EXPECT_THAT(Create([](auto& r) {
                r.clear_player_ids();
                r.set_variant("guangdong");  // whose players are to find the base
              }),
              FailsWith(Reason::kBadBase, "base"));
  EXPECT_THAT(Create([](auto& r) { r.set_player_ids(3, "p0"); }), FailsWith(Reason::kPlayerBusy));
  EXPECT_THAT(Create([](auto& r) { r.set_request_id("match"); }),
              FailsWith(Reason::kRequestIdReused, "request_id"));
  EXPECT_EQ(server_.memory.Open().size(), 1U) << "nothing was changed";
  EXPECT_THAT(Create(nothing), IsOk());
  EXPECT_THAT(Create(nothing), IsOk());
}

TEST_F(RefusalTest, HashesOfTokensAndMediaRooms) {
  const std::string hash(32, '\xfe');
  EXPECT_THAT(Create([&](auto& r) { r.add_join_token_hashes(hash); }),
              FailsWith(Reason::kBadJoinTokenHash, "join_token_hashes"));
  const auto four = [&](auto& r) {
    for (int i = 0; i < 4; ++i) r.add_join_token_hashes(hash);
  };
  for (const std::string& bad : {std::string(), hash.substr(1), hash + "x"}) {
    EXPECT_THAT(Create([&](auto& r) {
                  four(r);
                  r.set_join_token_hashes(2, bad);
                }),
                FailsWith(Reason::kBadJoinTokenHash, "join_token_hashes[2]"));
  }
  EXPECT_THAT(Create([](auto& r) { r.set_media_room_id("no id"); }),
              FailsWith(Reason::kBadId, "media_room_id"));
  EXPECT_EQ(server_.memory.Open().size(), 1U) << "nothing was changed";
  EXPECT_THAT(Create(four), IsOk());
  auto join = Named<proto::JoinTableRequest>(table_, "p0");
  join.set_join_token_hash("short");
  EXPECT_THAT(server_.Call(&Stub::JoinTable, join),
              FailsWith(Reason::kBadJoinTokenHash, "join_token_hash"));
}

TEST_F(RefusalTest, WhatIsASeatsAloneNeedsItsToken) {
  const auto made = Make([](auto& r) {
    for (const std::string& player : r.player_ids()) {
      r.add_join_token_hashes(std::string(audit::AsBytes(audit::Sha256("of " + player))));
    }
    r.set_media_room_id("room-7");
  });
  ASSERT_THAT(made, IsOk());
  const proto::Table& table = made->table();
  EXPECT_EQ(table.media_room_id(), "room-7");
  const std::string& player = table.seats(1).player_id();
  EXPECT_THAT(Subscribe(table.table_id(), player), FailsWith(Reason::kBadJoinToken, "join_token"));
  EXPECT_THAT(Subscribe(table.table_id(), player, 999, "of " + player),
              FailsWith(Reason::kSequenceAhead))
      << "the token is right";
  auto get = Named<proto::GetTableRequest>(table.table_id(), player);
  EXPECT_THAT(server_.Call(&Stub::GetTable, get), FailsWith(Reason::kBadJoinToken, "join_token"));
  get.set_join_token("of " + player);
  auto told = server_.Call(&Stub::GetTable, get);
  // It is asked whether it plays on as soon as the wallet holds the four seats.
  while (told.ok() && !told->has_deadline()) told = server_.Call(&Stub::GetTable, get);
  ASSERT_THAT(told, IsOk());
  EXPECT_EQ(told->table().table_id(), table.table_id());
  get.set_player_id("stranger");
  EXPECT_THAT(server_.Call(&Stub::GetTable, get), FailsWith(Reason::kNotSeated));
  get.set_player_id("no id");
  EXPECT_THAT(server_.Call(&Stub::GetTable, get), FailsWith(Reason::kBadId, "player_id"));
  get.clear_player_id();
  const auto everybody = server_.Call(&Stub::GetTable, get);
  ASSERT_THAT(everybody, IsOk()) << "what is public needs none";
  EXPECT_FALSE(everybody->has_deadline());
}

TEST_F(RefusalTest, MalformedIdsEverywhere) {
  for (const auto& [id, reason] : std::vector<std::pair<std::string, Reason>>{
           {"", Reason::kFieldRequired}, {"a b", Reason::kBadId}, {"../x", Reason::kBadId}}) {
    auto act = Named<proto::ActRequest>(id, "p0");
    act.mutable_choice()->mutable_pass();
    EXPECT_THAT(server_.Call(&Stub::Act, act), FailsWith(reason, "table_id"));
    act = Named<proto::ActRequest>(table_, id);
    act.mutable_choice()->mutable_pass();
    EXPECT_THAT(server_.Call(&Stub::Act, act), FailsWith(reason, "player_id"));
    EXPECT_THAT(server_.Call(&Stub::JoinTable, Named<proto::JoinTableRequest>(table_, id)),
                FailsWith(reason, "player_id"));
    EXPECT_THAT(server_.Call(&Stub::Ready, Named<proto::ReadyRequest>(id, "p0")),
                FailsWith(reason, "table_id"));
    EXPECT_THAT(server_.Call(&Stub::LeaveTable, Named<proto::LeaveTableRequest>(table_, id)),
                FailsWith(reason, "player_id"));
    proto::GetTableRequest get;
    get.set_table_id(id);
    EXPECT_THAT(server_.Call(&Stub::GetTable, get), FailsWith(reason, "table_id"));
    EXPECT_THAT(Subscribe(table_, id), FailsWith(reason, "player_id"));
  }
}

TEST_F(RefusalTest, UnknownTablesAndStrangers) {
  EXPECT_THAT(server_.Call(&Stub::Ready, Named<proto::ReadyRequest>("nowhere", "p0")),
              FailsWith(Reason::kTableNotFound));
  EXPECT_THAT(Subscribe("nowhere", "p0"), FailsWith(Reason::kTableNotFound));
  EXPECT_THAT(server_.Call(&Stub::Ready, Named<proto::ReadyRequest>(table_, "stranger")),
              FailsWith(Reason::kNotSeated));
  EXPECT_THAT(server_.Call(&Stub::LeaveTable, Named<proto::LeaveTableRequest>(table_, "stranger")),
              FailsWith(Reason::kNotSeated));
  EXPECT_THAT(Subscribe(table_, "stranger"), FailsWith(Reason::kNotSeated));
  EXPECT_THAT(server_.Call(&Stub::JoinTable, Named<proto::JoinTableRequest>(table_, "stranger")),
              FailsWith(Reason::kTableFull));
  EXPECT_THAT(Subscribe(table_, "p0", 999), FailsWith(Reason::kSequenceAhead, "after_sequence"));
}

TEST_F(RefusalTest, SeatsAndReasonsThatDoNotExist) {
  auto join = Named<proto::JoinTableRequest>(table_, "p0");
  join.set_seat(4);
  EXPECT_THAT(server_.Call(&Stub::JoinTable, join), FailsWith(Reason::kBadSeat, "seat"));
  join.set_seat(2);
  EXPECT_THAT(server_.Call(&Stub::JoinTable, join), FailsWith(Reason::kSeatTaken, "seat"));
  join.set_seat(0);
  const auto joined = server_.Call(&Stub::JoinTable, join);
  ASSERT_THAT(joined, IsOk());
  EXPECT_EQ(joined->seat(), 0U);
  auto leave = Named<proto::LeaveTableRequest>(table_, "p0");
  leave.set_reason(proto::LEAVE_REASON_BELOW_MINIMUM);
  EXPECT_THAT(server_.Call(&Stub::LeaveTable, leave),
              FailsWith(Reason::kUnknownEnumValue, "reason"));
  auto ready = Named<proto::ReadyRequest>(table_, "p0");
  ready.set_round_number(std::numeric_limits<std::uint32_t>::max());
  EXPECT_THAT(server_.Call(&Stub::Ready, ready), FailsWith(Reason::kRoundInProgress));
}

TEST_F(RefusalTest, Acting) {
  const auto pass = [](proto::Choice& c) { c.mutable_pass(); };
  EXPECT_THAT(Act("p0", 1, [](proto::Choice&) {}), FailsWith(Reason::kFieldRequired));
  EXPECT_THAT(Act("p0", 1, pass), FailsWith(Reason::kRoundNotInProgress));
  auto clients = SitDown(server_, table_);
  for (Client& client : clients) {
    client.Subscribe();
    ASSERT_THAT(client.Ready(), IsOk());
  }
  std::size_t dealer = 0;
  ASSERT_TRUE(clients[0].ReadUntil([&dealer](const auto& event) {
    if (event.has_deal_drawn()) dealer = event.deal_drawn().dealer();
    return event.has_tile_drawn();
  }));
  Client& actor = clients[dealer];
  ASSERT_TRUE(actor.wish() ||
              actor.ReadUntil([](const auto& e) { return e.has_decision_offered(); }));
  const auto wish = *actor.wish();
  Client& other = clients[(dealer + 1) % 4];

  EXPECT_THAT(Act("stranger", wish.decision, pass), FailsWith(Reason::kNotSeated));
  EXPECT_THAT(other.Act(wish.decision, wish.choice), FailsWith(Reason::kDecisionNotOffered));
  EXPECT_THAT(actor.Act(wish.decision + 1, wish.choice), FailsWith(Reason::kDecisionNotOffered));
  for (const char* tiles : {"", "5x", "0m", "8z", "12m", "5m5m"}) {
    EXPECT_THAT(Act(actor.id(), wish.decision,
                    [tiles](proto::Choice& c) { c.mutable_discard()->set_tile(tiles); }),
                FailsWith(Reason::kBadTiles, "choice.discard.tile"))
        << tiles;
  }
  EXPECT_THAT(
      Act(actor.id(), wish.decision, [](proto::Choice& c) { c.mutable_chow()->set_tiles("19m"); }),
      FailsWith(Reason::kBadTiles, "choice.chow.tiles"));
  EXPECT_THAT(
      Act(actor.id(), wish.decision, [](proto::Choice& c) { c.mutable_kong()->set_tile("1m"); }),
      FailsWith(Reason::kBadKong, "choice.kong.kind"));
  EXPECT_THAT(Act(actor.id(), wish.decision, pass), FailsWith(Reason::kChoiceNotOffered));
  // A tile that is not held.
  std::string hand;
  std::string drawn;
  for (const auto& event : actor.events()) {
    if (event.has_tiles_dealt()) hand = event.tiles_dealt().hand();
    if (event.has_tile_drawn()) drawn = event.tile_drawn().tile();
  }
  auto held = *tiles::ParseCounts(hand);
  held.Add(*tiles::ParseTile(drawn));
  for (Tile tile : tiles::kAllKinds) {
    if (held.Has(tile)) continue;
    EXPECT_THAT(
        Act(actor.id(), wish.decision,
            [tile](proto::Choice& c) { c.mutable_discard()->set_tile(tiles::ToText(tile)); }),
        FailsWith(Reason::kTileNotHeld, "choice"));
    break;
  }
  // After all of this the round stands where it stood.
  EXPECT_THAT(actor.Act(wish.decision, wish.choice), IsOk());
  EXPECT_THAT(actor.Act(wish.decision, wish.choice), IsOk()) << "a double tap";
  for (Client& client : clients) client.Hang();
}

TEST_F(RefusalTest, AFailingJournalAnswersNothingAndKeepsNothingBack) {
  server_.log.FailWrites(3, FaultyEventLog::When::kBeforeWriting);
  EXPECT_THAT(server_.Call(&Stub::Ready, Named<proto::ReadyRequest>(table_, "p0")), IsOk());
  EXPECT_EQ(server_.monitor.counts().journal_away, 3);
}

// A call that waits for a journal which never comes does not hold up the end.
TEST_F(RefusalTest, TheEndLetsWaitingCallsGo) {
  // Behind all that the table journals by itself: the question whether to play on.
  ASSERT_THAT(server_.Call(&Stub::Ready, Named<proto::ReadyRequest>(table_, "p1")), IsOk());
  while (server_.monitor.counts().events < 2) std::this_thread::yield();
  server_.log.FailWrites(1'000'000, FaultyEventLog::When::kBeforeWriting);
  auto call = std::async(std::launch::async, [this] {
    return server_.Call(&Stub::Ready, Named<proto::ReadyRequest>(table_, "p0")).status();
  });
  while (server_.monitor.counts().journal_away == 0) std::this_thread::yield();
  // One that comes while the server ends is not a waiting one.
  const std::regex open(R"(mahjong_rpc_open\{[^}]*method="Ready"[^}]*\} 1\n)");
  while (!std::regex_search(server_.Metrics(), open)) std::this_thread::yield();
  server_.Stop();
  EXPECT_THAT(call.get(), FailsWith(Reason::kShuttingDown));
}

}  // namespace
}  // namespace mj::table::rpc
