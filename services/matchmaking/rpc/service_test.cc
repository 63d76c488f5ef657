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
    auto started =
        mj::rpc::StartService("matchmaking", {},
                              [this](mj::rpc::Bindings& bindings) {
                                bindings.AddService<Service>(std::make_unique<MatchmakingService>(
                                    bindings.front(), desk_, store_, watch_));
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
  TicketWatch watch_{store_};
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
        BadTicket{"UnknownVariant", [](auto& r) { r.set_variant("riichi"), r.set_base(-1); },
                  Reason::kUnknownVariant, "variant"},
        BadTicket{"UnknownOption",
                  [](auto& r) { (*r.mutable_options())["nonsense"] = "1", r.set_base(-1); },
                  Reason::kUnknownOption, "options.nonsense"},
        BadTicket{"OptionOutOfRange",
                  [](auto& r) { (*r.mutable_options())["max_multiplier"] = "x", r.set_base(-1); },
                  Reason::kOptionOutOfRange, "options.max_multiplier"},
        BadTicket{"NegativeBase", [](auto& r) { r.set_base(-1); }, Reason::kBadBase, "base"},
        BadTicket{"OverflowingBase", [](auto& r) { r.set_base(INT64_MAX); }, Reason::kBadBase,
                  "base"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST_F(ServiceTest, BadTicketIdsAreRefusedByEveryRpc) {
  for (const auto& [id, reason] :
       std::vector<std::pair<std::string, Reason>>{{"", Reason::kFieldRequired},
                                                   {"no id", Reason::kBadId},
                                                   {std::string(65, 'a'), Reason::kBadId},
                                                   {"nobody", Reason::kTicketNotFound}}) {
    EXPECT_THAT(Cancel(id), FailsWith(reason, "ticket_id"));
    Watch watch(*stub_, id);
    EXPECT_EQ(watch.Next(), v1::TICKET_STATE_UNSPECIFIED);
    EXPECT_THAT(watch.Finish(), FailsWith(reason, "ticket_id"));
  }
}

}  // namespace
}  // namespace mj::matchmaking::rpc
