// Matchmaking over real gRPC, on the store in memory, with peers that fail when told to.
#include "services/matchmaking/rpc/service.h"

#include <gmock/gmock.h>
#include <grpcpp/client_context.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "libs/base/reasons.h"
#include "libs/base/status_testing.h"
#include "libs/rpc/client.h"
#include "libs/rpc/connected_testing.h"
#include "libs/rpc/service.h"
#include "services/matchmaking/app/app_testing.h"
#include "services/matchmaking/app/seating.h"

namespace mj::matchmaking::rpc {
namespace {

namespace v1 = ::mahjong::matchmaking::v1;
using base::FailsWith;
using base::IsOk;
using base::Reason;
using ::testing::ElementsAre;
using Service = v1::MatchmakingService;

const mj::rpc::CallOptions kOptions{.timeout = std::chrono::seconds(30)};

class ServiceTest : public AppTest {
 protected:
  ServiceTest() {
    auto started = mj::rpc::StartService(
        "matchmaking", {},
        [this](mj::rpc::Bindings& bindings) {
          bindings.AddService<Service>(std::make_unique<MatchmakingService>(
              bindings.front(),
              MatchmakingService::Parts{desk_, rooms_, locator_, watch_, waits_}));
          return absl::OkStatus();
        },
        {.log_line = [](std::string_view) {}});
    EXPECT_THAT(started, IsOk());
    server_ = *std::move(started);
    stub_ = Service::NewStub(mj::rpc::ConnectedChannel({.target = server_->address()}));
    for (int i = 0; i < 8; ++i) wallet_.SetBalance(PlayerId("p" + std::to_string(i)), 2'000);
  }

  static v1::CreateTicketRequest Ask(const std::string& player, const std::string& request = "") {
    v1::CreateTicketRequest ask;
    ask.set_request_id(request.empty() ? "request-" + player : request);
    ask.set_player_id(player);
    ask.set_variant("chaozhou");
    return ask;
  }
  absl::StatusOr<v1::Ticket> Create(const v1::CreateTicketRequest& request) {
    auto response =
        mj::rpc::Invoke(*stub_, &Service::StubInterface::CreateTicket, request, kOptions);
    if (!response.ok()) return response.status();
    return response->ticket();
  }
  absl::StatusOr<v1::Ticket> Cancel(const std::string& ticket_id) {
    v1::CancelTicketRequest request;
    request.set_ticket_id(ticket_id);
    auto response =
        mj::rpc::Invoke(*stub_, &Service::StubInterface::CancelTicket, request, kOptions);
    if (!response.ok()) return response.status();
    return response->ticket();
  }

  absl::StatusOr<v1::Ticket> Get(const std::string& ticket_id) {
    v1::GetTicketRequest request;
    request.set_ticket_id(ticket_id);
    auto response = mj::rpc::Invoke(*stub_, &Service::StubInterface::GetTicket, request, kOptions);
    if (!response.ok()) return response.status();
    return response->ticket();
  }
  absl::StatusOr<v1::LocatePlayerResponse> Locate(const std::string& player) {
    v1::LocatePlayerRequest request;
    request.set_player_id(player);
    return mj::rpc::Invoke(*stub_, &Service::StubInterface::LocatePlayer, request, kOptions);
  }
  absl::StatusOr<v1::EnterRoomResponse> Enter(const std::string& player, const std::string& code) {
    v1::EnterRoomRequest request;
    request.set_request_id("enter-" + player);
    request.set_player_id(player);
    request.set_code(code);
    return mj::rpc::Invoke(*stub_, &Service::StubInterface::EnterRoom, request, kOptions);
  }
  absl::StatusOr<v1::GetRoomResponse> FindRoom(const std::string& code) {
    v1::GetRoomRequest request;
    request.set_code(code);
    return mj::rpc::Invoke(*stub_, &Service::StubInterface::GetRoom, request, kOptions);
  }

  // A stream sends its first message before it watches.
  void AwaitWatches(std::size_t number) {
    while (watch_.size() < number) std::this_thread::yield();
  }

  // A watch that a test reads one response at a time.
  class Watch {
   public:
    Watch(Service::StubInterface& stub, const std::string& ticket_id) {
      mj::rpc::Prepare(context_, kOptions);
      v1::WatchTicketRequest request;
      request.set_ticket_id(ticket_id);
      reader_ = stub.WatchTicket(&context_, request);
    }
    // UNSPECIFIED at the stream's end.
    v1::TicketState Next() {
      v1::WatchTicketResponse response;
      if (!reader_->Read(&response)) return v1::TICKET_STATE_UNSPECIFIED;
      last = response.ticket();
      return last.state();
    }
    absl::Status Finish() { return mj::rpc::FromGrpc(reader_->Finish()); }
    void GoAway() { context_.TryCancel(); }
    v1::Ticket last;

   private:
    grpc::ClientContext context_;
    std::unique_ptr<grpc::ClientReaderInterface<v1::WatchTicketResponse>> reader_;
  };

  SeatKeeper seats_{store_, tables_, {}};
  TicketDesk desk_{store_, wallet_, seats_, ids_, {.ticket_lifetime = Millis(60'000)}};
  TicketWatch watch_{store_, clock_};
  RoomDesk rooms_{store_, wallet_, seats_, ids_, entropy_, {}};
  Locator locator_{store_, tables_};
  Waits waits_{store_, clock_};
  Seating seating_{store_, tables_, {}};
  std::unique_ptr<mj::rpc::RunningService> server_;
  std::unique_ptr<Service::Stub> stub_;
};

TEST_F(ServiceTest, ATicketIsTaken) {
  v1::CreateTicketRequest ask = Ask("p0");
  (*ask.mutable_options())["max_multiplier"] = "20";
  const auto ticket = Create(ask);
  ASSERT_THAT(ticket, IsOk());
  EXPECT_FALSE(ticket->ticket_id().empty());
  EXPECT_EQ(ticket->player_id(), "p0");
  EXPECT_EQ(ticket->variant(), "chaozhou");
  EXPECT_EQ(ticket->options().at("max_multiplier"), "20");
  EXPECT_EQ(ticket->base(), 100) << "the tier of 2,000 coins";
  EXPECT_EQ(ticket->currency(), ::mahjong::common::v1::CURRENCY_COIN);
  EXPECT_EQ(ticket->state(), v1::TICKET_STATE_QUEUED);
  EXPECT_FALSE(ticket->has_assignment());
  EXPECT_EQ(ticket->create_time().seconds() * 1'000'000 + ticket->create_time().nanos() / 1'000,
            clock_.Now().time_since_epoch().count());
  const auto again = Create(ask);
  ASSERT_THAT(again, IsOk());
  EXPECT_EQ(again->SerializeAsString(), ticket->SerializeAsString());
}

TEST_F(ServiceTest, WhoPractisesWithBotsIsSeatedWithThemAtOnce) {
  v1::CreateTicketRequest ask = Ask("p0");
  ask.set_bots(v1::BOTS_AT_ONCE);
  EXPECT_THAT(Create(ask), FailsWith(Reason::kBotsForPracticeOnly, "bots"));
  ask.set_currency(::mahjong::common::v1::CURRENCY_PRACTICE);
  ask.set_bot_strength(v1::BOT_STRENGTH_STRONG);
  const auto ticket = Create(ask);
  ASSERT_THAT(ticket, IsOk());
  EXPECT_EQ(ticket->bots(), v1::BOTS_AT_ONCE);
  EXPECT_EQ(ticket->bot_strength(), v1::BOT_STRENGTH_STRONG);
  ASSERT_THAT(seating_.Drive(MatchFour(), {}), IsOk());
  const auto seated = Get(ticket->ticket_id());
  ASSERT_THAT(seated, IsOk());
  EXPECT_EQ(seated->state(), v1::TICKET_STATE_ASSIGNED);
  EXPECT_EQ(seated->assignment().seat(), 0u);
}

TEST_F(ServiceTest, NobodyQueuesABot) {
  EXPECT_THAT(Create(Ask("practice-bot-1")), FailsWith(Reason::kNotAPlayerAccount, "player_id"));
  v1::CreateTicketRequest ask = Ask("p0");
  ask.add_friends()->set_player_id("practice-bot-1");
  EXPECT_THAT(Create(ask), FailsWith(Reason::kNotAPlayerAccount, "friends[0].player_id"));
  EXPECT_THAT(Enter("practice-bot-1", "123456"),
              FailsWith(Reason::kNotAPlayerAccount, "player_id"));
  ask = Ask("p0");
  ask.set_bots(static_cast<v1::Bots>(9));
  EXPECT_THAT(Create(ask), FailsWith(Reason::kUnknownEnumValue, "bots"));
  ask.set_bots(v1::BOTS_AT_ONCE);
  ask.set_bot_strength(static_cast<v1::BotStrength>(9));
  EXPECT_THAT(Create(ask), FailsWith(Reason::kUnknownEnumValue, "bot_strength"));
}

TEST_F(ServiceTest, FourAreSeatedAndEachIsToldWhere) {
  std::vector<std::string> tickets;
  for (int i = 0; i < 4; ++i) tickets.push_back(Create(Ask("p" + std::to_string(i)))->ticket_id());
  Watch watch(*stub_, tickets[2]);
  EXPECT_EQ(watch.Next(), v1::TICKET_STATE_QUEUED);
  const Match match = MatchFour();
  AwaitWatches(1);
  EXPECT_THAT(watch_.Poll(), IsOk());
  EXPECT_EQ(watch.Next(), v1::TICKET_STATE_MATCHED);
  EXPECT_FALSE(watch.last.has_assignment());
  ASSERT_THAT(seating_.Drive(match, {}), IsOk());
  EXPECT_THAT(watch_.Poll(), IsOk());
  EXPECT_EQ(watch.Next(), v1::TICKET_STATE_ASSIGNED);
  EXPECT_EQ(watch.last.assignment().match_id(), match.id.value());
  EXPECT_EQ(watch.last.assignment().table_id(), tables_.Seated().at(PlayerId("p2")).value());
  EXPECT_EQ(watch.last.assignment().seat(), 2u);
  EXPECT_EQ(watch.last.assignment().table_address(), "127.0.0.1:7000");
  EXPECT_EQ(watch.last.assignment().join_token(), match.members[2].token);
  EXPECT_EQ(match.members[2].token.size(), 32u);
  EXPECT_EQ(watch.Next(), v1::TICKET_STATE_UNSPECIFIED);
  EXPECT_THAT(watch.Finish(), IsOk());
  EXPECT_EQ(watch_.size(), 0u);
}

TEST_F(ServiceTest, WatchingAFinalTicketTellsItAndEnds) {
  const std::string id = Create(Ask("p0"))->ticket_id();
  ASSERT_THAT(Cancel(id), IsOk());
  Watch watch(*stub_, id);
  EXPECT_EQ(watch.Next(), v1::TICKET_STATE_CANCELLED);
  EXPECT_EQ(watch.Next(), v1::TICKET_STATE_UNSPECIFIED);
  EXPECT_THAT(watch.Finish(), IsOk());
  EXPECT_EQ(watch_.size(), 0u);
}

TEST_F(ServiceTest, EveryEndOfATicketEndsItsWatch) {
  const std::string cancelled = Create(Ask("p0"))->ticket_id();
  const std::string failed = Create(Ask("p1"))->ticket_id();
  Watch first(*stub_, cancelled);
  Watch second(*stub_, failed);
  EXPECT_EQ(first.Next(), v1::TICKET_STATE_QUEUED);
  EXPECT_EQ(second.Next(), v1::TICKET_STATE_QUEUED);
  AwaitWatches(2);
  ASSERT_THAT(Cancel(cancelled), IsOk());
  for (int i = 2; i < 5; ++i) ASSERT_THAT(Create(Ask("p" + std::to_string(i))), IsOk());
  tables_.Occupy(PlayerId("p1"));
  ASSERT_THAT(seating_.Drive(MatchFour(), {}), IsOk());
  EXPECT_THAT(watch_.Poll(), IsOk());
  EXPECT_EQ(first.Next(), v1::TICKET_STATE_CANCELLED);
  EXPECT_THAT(first.Finish(), IsOk());
  EXPECT_EQ(second.Next(), v1::TICKET_STATE_FAILED);
  EXPECT_EQ(second.last.failure_reason(), "PLAYER_BUSY");
  EXPECT_THAT(second.Finish(), IsOk());

  const std::string expired = Create(Ask("p6"))->ticket_id();
  clock_.Advance(Millis(60'000));
  Watch third(*stub_, expired);
  EXPECT_EQ(third.Next(), v1::TICKET_STATE_EXPIRED);
  EXPECT_THAT(third.Finish(), IsOk());
}

TEST_F(ServiceTest, AWatcherWhoGoesAwayIsForgotten) {
  Watch watch(*stub_, Create(Ask("p0"))->ticket_id());
  EXPECT_EQ(watch.Next(), v1::TICKET_STATE_QUEUED);
  watch.GoAway();
  EXPECT_EQ(watch.Next(), v1::TICKET_STATE_UNSPECIFIED);
  EXPECT_THAT(watch.Finish(), base::HasCode(absl::StatusCode::kCancelled));
  server_->Stop();  // every call has ended by then
  EXPECT_EQ(watch_.size(), 0u);
}

TEST_F(ServiceTest, ADrainEndsWatchesWithAReasonToComeAgain) {
  Watch watch(*stub_, Create(Ask("p0"))->ticket_id());
  EXPECT_EQ(watch.Next(), v1::TICKET_STATE_QUEUED);
  server_->Stop();
  EXPECT_EQ(watch.Next(), v1::TICKET_STATE_UNSPECIFIED);
  EXPECT_THAT(watch.Finish(), FailsWith(Reason::kShuttingDown));
  EXPECT_EQ(watch_.size(), 0u);
}

TEST_F(ServiceTest, RefusalsOfTheUseCaseComeWithTheirFacts) {
  const auto first = Create(Ask("p0"));
  const auto exists = Create(Ask("p0", "another"));
  EXPECT_THAT(exists, FailsWith(Reason::kTicketExists));
  EXPECT_EQ(base::CarriedBy(exists.status())->details.metadata.at("ticket_id"), first->ticket_id());
  EXPECT_THAT(Create(Ask("p1", "request-p0")), FailsWith(Reason::kRequestIdReused));

  EXPECT_THAT(Create(Ask("stranger")), FailsWith(Reason::kAccountNotFound));
  wallet_.SetBalance(PlayerId("poor"), 90);
  const auto poor = Create(Ask("poor"));
  EXPECT_THAT(poor, FailsWith(Reason::kBelowMinimum));
  EXPECT_EQ(base::CarriedBy(poor.status())->details.metadata.at("balance"), "90");

  for (int i = 1; i < 4; ++i) ASSERT_THAT(Create(Ask("p" + std::to_string(i))), IsOk());
  ASSERT_THAT(seating_.Drive(MatchFour(), {}), IsOk());
  const auto busy = Create(Ask("p1", "another-1"));
  EXPECT_THAT(busy, FailsWith(Reason::kPlayerBusy, "player_id"));
  EXPECT_EQ(base::CarriedBy(busy.status())->details.metadata.at("table_id"),
            tables_.Seated().at(PlayerId("p1")).value());
  EXPECT_THAT(Cancel(first->ticket_id()), FailsWith(Reason::kTicketClosed));
}

TEST_F(ServiceTest, CancellingTwiceIsOk) {
  const std::string id = Create(Ask("p0"))->ticket_id();
  for (int i = 0; i < 2; ++i) {
    const auto cancelled = Cancel(id);
    ASSERT_THAT(cancelled, IsOk());
    EXPECT_EQ(cancelled->state(), v1::TICKET_STATE_CANCELLED);
  }
}

TEST_F(ServiceTest, PeersThatAreAwayAreToldAsThat) {
  wallet_.SetFailure(base::Error(Reason::kUnavailable));
  EXPECT_THAT(Create(Ask("p0")), FailsWith(Reason::kUnavailable));
  wallet_.SetFailure(absl::InternalError("their secret"));
  const auto failed = Create(Ask("p0"));
  EXPECT_THAT(failed, FailsWith(Reason::kInternal));
  EXPECT_EQ(failed.status().message().find("secret"), absl::string_view::npos);
  wallet_.SetFailure(absl::OkStatus());
  EXPECT_THAT(Create(Ask("p0")), IsOk()) << "and nothing is left of it";
}

struct BadTicket {
  std::string_view name;
  std::function<void(v1::CreateTicketRequest&)> spoil;
  Reason reason;
  std::string_view field;
};

void PrintTo(const BadTicket& bad, std::ostream* os) { *os << bad.name; }

class BadTicketTest : public ServiceTest, public ::testing::WithParamInterface<BadTicket> {};

TEST_P(BadTicketTest, IsRefusedWithItsReasonAndFieldAndChangesNothing) {
  v1::CreateTicketRequest request = Ask("p0");
  GetParam().spoil(request);
  EXPECT_THAT(Create(request), FailsWith(GetParam().reason, GetParam().field));
  EXPECT_THAT(Create(Ask("p0")), IsOk());
}

// By precedence: each row repairs what was wrong in the one above, and leaves the rest wrong.
INSTANTIATE_TEST_SUITE_P(
    All, BadTicketTest,
    ::testing::Values(
        BadTicket{"Empty", [](auto& r) { r.Clear(); }, Reason::kFieldRequired, "request_id"},
        BadTicket{"RequestIdWithABlank",
                  [](auto& r) { r.set_request_id("a b"), r.clear_player_id(); }, Reason::kBadId,
                  "request_id"},
        BadTicket{"RequestIdTooLong", [](auto& r) { r.set_request_id(std::string(65, 'a')); },
                  Reason::kBadId, "request_id"},
        BadTicket{"NoPlayer", [](auto& r) { r.clear_player_id(), r.clear_variant(); },
                  Reason::kFieldRequired, "player_id"},
        BadTicket{"PlayerThatIsNoId", [](auto& r) { r.set_player_id("'; DROP TABLE"); },
                  Reason::kBadId, "player_id"},
        BadTicket{"PlayerWithAZeroByte", [](auto& r) { r.set_player_id(std::string("p\0x", 3)); },
                  Reason::kBadId, "player_id"},
        BadTicket{"NoVariant",
                  [](auto& r) {
                    r.clear_variant();
                    r.set_currency(static_cast<::mahjong::common::v1::Currency>(9));
                  },
                  Reason::kFieldRequired, "variant"},
        BadTicket{"UnknownCurrency",
                  [](auto& r) {
                    r.set_currency(static_cast<::mahjong::common::v1::Currency>(9));
                    r.set_variant("riichi");
                  },
                  Reason::kUnknownEnumValue, "currency"},
        BadTicket{"UnknownMedia",
                  [](auto& r) {
                    r.set_media(static_cast<v1::Media>(9));
                    r.mutable_client()->set_device_id("no id");
                  },
                  Reason::kUnknownEnumValue, "media"},
        BadTicket{"DeviceThatIsNoId",
                  [](auto& r) {
                    r.mutable_client()->set_device_id("no id");
                    (*r.mutable_client()->mutable_latency_ms())["no id"] = 1;
                  },
                  Reason::kBadId, "client.device_id"},
        BadTicket{"RegionThatIsNoId",
                  [](auto& r) {
                    (*r.mutable_client()->mutable_latency_ms())["no id"] = 1;
                    r.add_avoid_player_ids("");
                  },
                  Reason::kBadId, "client.latency_ms"},
        BadTicket{"AvoidedThatIsNoId",
                  [](auto& r) {
                    r.add_avoid_player_ids("p1"), r.add_avoid_player_ids("");
                    r.add_friends();
                  },
                  Reason::kFieldRequired, "avoid_player_ids[1]"},
        BadTicket{"FriendWithoutAnId",
                  [](auto& r) { r.add_friends()->mutable_client()->set_device_id("no id"); },
                  Reason::kFieldRequired, "friends[0].player_id"},
        BadTicket{"FriendsDeviceThatIsNoId",
                  [](auto& r) {
                    r.add_friends()->set_player_id("p1");
                    r.mutable_friends(0)->mutable_client()->set_device_id("no id");
                    r.set_variant("riichi");
                  },
                  Reason::kBadId, "friends[0].client.device_id"},
        BadTicket{"UnknownVariant", [](auto& r) { r.set_variant("riichi"), r.set_base(-1); },
                  Reason::kUnknownVariant, "variant"},
        BadTicket{"UnknownOption",
                  [](auto& r) { (*r.mutable_options())["nonsense"] = "1", r.set_base(-1); },
                  Reason::kUnknownOption, "options.nonsense"},
        BadTicket{"OptionOutOfRange",
                  [](auto& r) { (*r.mutable_options())["max_multiplier"] = "x", r.set_base(-1); },
                  Reason::kOptionOutOfRange, "options.max_multiplier"},
        BadTicket{"NegativeBase", [](auto& r) { r.set_base(-1); }, Reason::kBadBase, "base"},
        BadTicket{"OverflowingBase",
                  [](auto& r) {
                    r.set_base(INT64_MAX);
                    (*r.mutable_client()->mutable_latency_ms())["east"] = -1;
                  },
                  Reason::kBadBase, "base"},
        BadTicket{"OverflowingLatency",
                  [](auto& r) {
                    (*r.mutable_client()->mutable_latency_ms())["east"] = INT64_MAX;
                    r.mutable_client()->set_network_address("x");
                  },
                  Reason::kBadLatency, "client.latency_ms.east"},
        BadTicket{"BadAddress",
                  [](auto& r) {
                    r.mutable_client()->set_network_address("300.1.2.3");
                    r.add_friends()->set_player_id("p0");
                  },
                  Reason::kBadAddress, "client.network_address"},
        BadTicket{"FriendOfOneself", [](auto& r) { r.add_friends()->set_player_id("p0"); },
                  Reason::kDuplicatePlayer, "friends[0].player_id"},
        BadTicket{"FriendOnTheSameDevice",
                  [](auto& r) {
                    r.mutable_client()->set_device_id("phone");
                    r.add_friends()->set_player_id("p1");
                    r.mutable_friends(0)->mutable_client()->set_device_id("phone");
                  },
                  Reason::kSharedDevice, "friends[0].client.device_id"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST_F(ServiceTest, BadTicketIdsAreRefusedByEveryRpc) {
  for (const auto& [id, reason] :
       std::vector<std::pair<std::string, Reason>>{{"", Reason::kFieldRequired},
                                                   {"no id", Reason::kBadId},
                                                   {std::string(65, 'a'), Reason::kBadId},
                                                   {"nobody", Reason::kTicketNotFound}}) {
    EXPECT_THAT(Cancel(id), FailsWith(reason, "ticket_id"));
    EXPECT_THAT(Get(id), FailsWith(reason, "ticket_id"));
    Watch watch(*stub_, id);
    EXPECT_EQ(watch.Next(), v1::TICKET_STATE_UNSPECIFIED);
    EXPECT_THAT(watch.Finish(), FailsWith(reason, "ticket_id"));
  }
}

// --- what a ticket holds ---

TEST_F(ServiceTest, ATicketKeepsItsFieldsUntilItsPlayersAreSeated) {
  v1::CreateTicketRequest ask = Ask("p0");
  (*ask.mutable_options())["max_multiplier"] = "20";
  ask.set_media(v1::MEDIA_VIDEO);
  ask.mutable_client()->set_device_id("phone-0");
  ask.mutable_client()->set_network_address("203.0.113.7");
  (*ask.mutable_client()->mutable_latency_ms())["east"] = 30;
  ask.add_avoid_player_ids("p7");
  ask.add_friends()->set_player_id("p1");
  ask.mutable_friends(0)->mutable_client()->set_network_address("203.0.113.8");
  const auto response =
      mj::rpc::Invoke(*stub_, &Service::StubInterface::CreateTicket, ask, kOptions);
  ASSERT_THAT(response, IsOk());
  ASSERT_EQ(response->friend_tickets_size(), 1);
  v1::Ticket ticket = response->ticket();
  EXPECT_EQ(ticket.media(), v1::MEDIA_VIDEO);
  EXPECT_THAT(ticket.party_player_ids(), ElementsAre("p0", "p1"));
  EXPECT_EQ(response->friend_tickets(0).player_id(), "p1");
  EXPECT_EQ(ticket.expire_time().seconds() - ticket.create_time().seconds(), 60);
  EXPECT_EQ(Get(ticket.ticket_id())->SerializeAsString(), ticket.SerializeAsString());

  for (const char* player : {"p2", "p3"}) {
    v1::CreateTicketRequest other = Ask(player);
    (*other.mutable_options())["max_multiplier"] = "20";
    other.set_media(v1::MEDIA_VIDEO);
    ASSERT_THAT(Create(other), IsOk());
  }
  ASSERT_THAT(seating_.Drive(MatchFour(), {}), IsOk());
  const auto seated = Get(ticket.ticket_id());
  ASSERT_THAT(seated, IsOk());
  EXPECT_EQ(seated->assignment().region(), "east");
  EXPECT_NE(seated->assignment().media_room_id(), "");
  EXPECT_EQ(Get(response->friend_tickets(0).ticket_id())->assignment().media_room_id(),
            seated->assignment().media_room_id());
  v1::Ticket rest = *seated;
  rest.clear_assignment();
  rest.set_state(v1::TICKET_STATE_QUEUED);
  EXPECT_EQ(rest.SerializeAsString(), ticket.SerializeAsString()) << "nothing else has changed";
}

TEST_F(ServiceTest, WhoWaitsIsToldHowLongItWillProbablyTake) {
  for (int i = 0; i < 4; ++i) {
    const auto ticket = Create(Ask("p" + std::to_string(i)));
    EXPECT_FALSE(ticket->has_estimated_wait()) << "nobody was seated yet";
  }
  clock_.Advance(Millis(7'500));
  ASSERT_THAT(seating_.Drive(MatchFour(), {}), IsOk());
  const auto ticket = Create(Ask("p4"));
  ASSERT_THAT(ticket, IsOk());
  EXPECT_EQ(ticket->estimated_wait().seconds(), 7);
  EXPECT_EQ(ticket->estimated_wait().nanos(), 500'000'000);
  Watch watch(*stub_, ticket->ticket_id());
  EXPECT_EQ(watch.Next(), v1::TICKET_STATE_QUEUED);
  AwaitWatches(1);
  clock_.Advance(Millis(5'000));
  EXPECT_THAT(watch_.Poll(), IsOk());
  EXPECT_EQ(watch.Next(), v1::TICKET_STATE_QUEUED) << "told again though nothing has changed";
  EXPECT_EQ(watch.last.estimated_wait().seconds(), 2);
}

// --- where a player is ---

TEST_F(ServiceTest, APlayerIsFoundWhereverItIs) {
  EXPECT_EQ(Locate("p1")->ByteSizeLong(), 0u) << "nowhere";
  std::vector<std::string> tickets;
  for (int i = 0; i < 4; ++i) tickets.push_back(Create(Ask("p" + std::to_string(i)))->ticket_id());
  EXPECT_EQ(Locate("p1")->ticket().ticket_id(), tickets[1]);
  ASSERT_THAT(seating_.Drive(MatchFour(), {}), IsOk());
  const TableId table = tables_.Seated().at(PlayerId("p1"));
  tables_.Play(table, "round-1");
  const auto seated = Locate("p1");
  EXPECT_FALSE(seated->has_ticket());
  EXPECT_EQ(seated->seat().table_id(), table.value());
  EXPECT_EQ(seated->seat().seat(), 1u);
  EXPECT_EQ(seated->seat().table_address(), "127.0.0.1:7000");
  EXPECT_EQ(seated->round_id(), "round-1");
  EXPECT_EQ(seated->seat().join_token().size(), 32u);
  EXPECT_NE(seated->seat().join_token(), Locate("p2")->seat().join_token());
  EXPECT_FALSE(seated->has_deadline());
  tables_.Ask(table, PlayerId("p1"), base::WallTime(std::chrono::seconds(1'000)));
  EXPECT_EQ(Locate("p1")->deadline().seconds(), 1'000);
  tables_.SetFaults([] { return Fault::kLostOnTheWay; });
  EXPECT_THAT(Locate("p1"), FailsWith(Reason::kDeadlineExceeded));
  EXPECT_THAT(Locate(""), FailsWith(Reason::kFieldRequired, "player_id"));
  EXPECT_THAT(Locate("no id"), FailsWith(Reason::kBadId, "player_id"));
}

// --- private rooms ---

TEST_F(ServiceTest, FriendsMeetInAPrivateRoom) {
  v1::OpenRoomRequest open;
  open.set_request_id("open");
  open.set_player_id("p0");
  open.set_variant("chaozhou");
  open.set_media(v1::MEDIA_VIDEO);
  const auto opened = mj::rpc::Invoke(*stub_, &Service::StubInterface::OpenRoom, open, kOptions);
  ASSERT_THAT(opened, IsOk());
  const v1::Room& room = opened->room();
  EXPECT_EQ(room.code().size(), 6u);
  EXPECT_EQ(room.owner_player_id(), "p0");
  EXPECT_EQ(room.variant(), "chaozhou");
  EXPECT_EQ(room.base(), 100);
  EXPECT_EQ(room.currency(), ::mahjong::common::v1::CURRENCY_COIN);
  EXPECT_EQ(room.media(), v1::MEDIA_VIDEO);
  EXPECT_THAT(room.player_ids(), ElementsAre("p0"));
  EXPECT_EQ(opened->ticket().room_id(), room.room_id());
  EXPECT_EQ(opened->ticket().expire_time().seconds(), room.expire_time().seconds());

  for (int i = 1; i < 4; ++i) {
    clock_.Advance(Millis(1));
    const auto entered = Enter("p" + std::to_string(i), room.code());
    ASSERT_THAT(entered, IsOk());
    EXPECT_EQ(entered->room().player_ids_size(), i + 1);
    EXPECT_EQ(entered->ticket().room_id(), room.room_id());
  }
  EXPECT_THAT(Enter("p5", room.code()), FailsWith(Reason::kRoomFull));
  EXPECT_THAT(FindRoom(room.code())->room().player_ids(), ElementsAre("p0", "p1", "p2", "p3"));
  ASSERT_THAT(seating_.Drive(MatchFour(), {}), IsOk());
  EXPECT_THAT(FindRoom(room.code()), FailsWith(Reason::kRoomNotFound));
  EXPECT_THAT(Enter("p5", room.code()), FailsWith(Reason::kRoomNotFound));
}

TEST_F(ServiceTest, BadRequestsForRoomsAreRefused) {
  v1::OpenRoomRequest open;
  const auto refused = [&] {
    return mj::rpc::Invoke(*stub_, &Service::StubInterface::OpenRoom, open, kOptions).status();
  };
  EXPECT_THAT(refused(), FailsWith(Reason::kFieldRequired, "request_id"));
  open.set_request_id("r");
  EXPECT_THAT(refused(), FailsWith(Reason::kFieldRequired, "player_id"));
  open.set_player_id("p0");
  EXPECT_THAT(refused(), FailsWith(Reason::kFieldRequired, "variant"));
  open.set_variant("riichi");
  open.set_media(static_cast<v1::Media>(7));
  EXPECT_THAT(refused(), FailsWith(Reason::kUnknownEnumValue, "media"));
  open.clear_media();
  EXPECT_THAT(refused(), FailsWith(Reason::kUnknownVariant, "variant"));
  open.set_variant("chaozhou");
  open.mutable_client()->set_network_address("1.2.3");
  EXPECT_THAT(refused(), FailsWith(Reason::kBadAddress, "client.network_address"));

  EXPECT_THAT(Enter("", "123456"), FailsWith(Reason::kFieldRequired, "player_id"));
  EXPECT_THAT(Enter("p0", ""), FailsWith(Reason::kFieldRequired, "code"));
  EXPECT_THAT(Enter("p0", "12345x"), FailsWith(Reason::kBadId, "code"));
  EXPECT_THAT(Enter("p0", "123456"), FailsWith(Reason::kRoomNotFound, "code"));
  EXPECT_THAT(FindRoom("1"), FailsWith(Reason::kBadId, "code"));
  EXPECT_THAT(FindRoom("123456"), FailsWith(Reason::kRoomNotFound, "code"));
  EXPECT_THAT(Create(Ask("p0")), IsOk()) << "nothing was written";
}

}  // namespace
}  // namespace mj::matchmaking::rpc
