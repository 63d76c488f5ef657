// The clients against servers that speak the peers' protos, and against none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

#include "libs/audit/digest.h"
#include "libs/base/reasons.h"
#include "libs/base/status_testing.h"
#include "libs/rpc/service.h"
#include "services/matchmaking/app/seating.h"
#include "services/matchmaking/peers/tables_client.h"
#include "services/matchmaking/peers/wallet_client.h"

namespace mj::matchmaking::peers {
namespace {

namespace table = ::mahjong::table::v1;
namespace wallet = ::mahjong::wallet::v1;
using base::Error;
using base::FailsWith;
using base::HasCode;
using base::IsOk;
using base::IsOkAndHolds;
using base::Reason;
using ::testing::ElementsAre;

// Answers as a test says.
class TableServer final : public table::TableService::CallbackService {
 public:
  explicit TableServer(mj::rpc::Front& front) : front_(front) {}

  grpc::ServerUnaryReactor* CreateTable(grpc::CallbackServerContext* context,
                                        const table::CreateTableRequest* request,
                                        table::CreateTableResponse* response) override {
    return Answer(context, "CreateTable", request, response, create);
  }
  grpc::ServerUnaryReactor* GetTable(grpc::CallbackServerContext* context,
                                     const table::GetTableRequest* request,
                                     table::GetTableResponse* response) override {
    return Answer(context, "GetTable", request, response, get);
  }
  grpc::ServerUnaryReactor* JoinTable(grpc::CallbackServerContext* context,
                                      const table::JoinTableRequest* request,
                                      table::JoinTableResponse* response) override {
    return Answer(context, "JoinTable", request, response, join);
  }
  grpc::ServerUnaryReactor* LeaveTable(grpc::CallbackServerContext* context,
                                       const table::LeaveTableRequest* request,
                                       table::LeaveTableResponse* response) override {
    return Answer(context, "LeaveTable", request, response, leave);
  }

  template <typename Request, typename Response>
  using Handler = std::function<absl::Status(const Request&, Response&)>;
  Handler<table::CreateTableRequest, table::CreateTableResponse> create;
  Handler<table::GetTableRequest, table::GetTableResponse> get;
  Handler<table::JoinTableRequest, table::JoinTableResponse> join;
  Handler<table::LeaveTableRequest, table::LeaveTableResponse> leave;

 private:
  template <typename Request, typename Response, typename H>
  grpc::ServerUnaryReactor* Answer(grpc::CallbackServerContext* context, std::string_view method,
                                   const Request* request, Response* response, const H& handler) {
    return front_.Unary(
        context, method, request, response, mj::rpc::Front::kNoValidation,
        [&handler](mj::rpc::Call&, const auto& in, auto& out) { return handler(in, out); });
  }
  mj::rpc::Front& front_;
};

class WalletServer final : public wallet::WalletService::CallbackService {
 public:
  explicit WalletServer(mj::rpc::Front& front) : front_(front) {}
  grpc::ServerUnaryReactor* GetStakeTier(grpc::CallbackServerContext* context,
                                         const wallet::GetStakeTierRequest* request,
                                         wallet::GetStakeTierResponse* response) override {
    return front_.Unary(
        context, "GetStakeTier", request, response, mj::rpc::Front::kNoValidation,
        [this](mj::rpc::Call&, const auto& in, auto& out) { return tier(in, out); });
  }
  std::function<absl::Status(const wallet::GetStakeTierRequest&, wallet::GetStakeTierResponse&)>
      tier;

 private:
  mj::rpc::Front& front_;
};

class ClientsTest : public ::testing::Test {
 protected:
  // Far more than any answer takes here.
  static constexpr Millis kPatience{30'000};

  ClientsTest() {
    auto started = mj::rpc::StartService("peers", {},
                                         [this](mj::rpc::Bindings& bindings) {
                                           table_ = &bindings.AddService<table::TableService>(
                                               std::make_unique<TableServer>(bindings.front()));
                                           wallet_ = &bindings.AddService<wallet::WalletService>(
                                               std::make_unique<WalletServer>(bindings.front()));
                                           return absl::OkStatus();
                                         },
                                         {.log_line = [](std::string_view) {}});
    EXPECT_THAT(started, IsOk());
    server_ = *std::move(started);
    tables_ = ConnectTables(server_->address(), clock_, {.timeout = kPatience});
    wallets_ = ConnectWallet(server_->address(), {.timeout = kPatience});
  }
  base::MonotonicTime Later() { return clock_.Monotonic() + kPatience; }

  static Match SomeMatch() {
    Match match;
    match.id = MatchId("match-1");
    match.pool = {"some-game", {{"cap", "10"}, {"horses", "4"}}, 100, "COIN"};
    for (std::size_t seat = 0; seat < kSeats; ++seat) {
      match.members.push_back({{}, PlayerId("player-" + std::to_string(seat))});
    }
    return match;
  }

  base::SystemClock clock_;
  TableServer* table_ = nullptr;
  WalletServer* wallet_ = nullptr;
  std::unique_ptr<mj::rpc::RunningService> server_;
  std::unique_ptr<TablesClient> tables_;
  std::unique_ptr<WalletClient> wallets_;
};

TEST_F(ClientsTest, CreateTableCarriesTheMatch) {
  table::CreateTableRequest seen;
  table_->create = [&](const auto& request, auto& response) {
    seen = request;
    response.mutable_table()->set_table_id("table-1");
    response.mutable_table()->set_address("10.0.0.1:7000");
    return absl::OkStatus();
  };
  EXPECT_THAT(tables_->CreateTable(SomeMatch(), Later()),
              IsOkAndHolds(TablePlace{TableId("table-1"), "10.0.0.1:7000"}));
  EXPECT_EQ(seen.request_id(), "match-1");
  EXPECT_EQ(seen.variant(), "some-game");
  EXPECT_EQ(seen.options().size(), 2u);
  EXPECT_EQ(seen.options().at("horses"), "4");
  EXPECT_EQ(seen.base(), 100);
  EXPECT_EQ(seen.currency(), ::mahjong::common::v1::CURRENCY_COIN);
  EXPECT_THAT(seen.player_ids(), ElementsAre("player-0", "player-1", "player-2", "player-3"));
  EXPECT_TRUE(seen.join_token_hashes().empty()) << "a match of an older program has none";
  EXPECT_EQ(seen.media_room_id(), "");

  Match secret = SomeMatch();
  secret.media_room = "room-7";
  for (Member& member : secret.members) member.token = "of " + member.player.value();
  EXPECT_THAT(tables_->CreateTable(secret, Later()), IsOk());
  EXPECT_EQ(seen.media_room_id(), "room-7");
  ASSERT_EQ(seen.join_token_hashes_size(), 4);
  EXPECT_EQ(seen.join_token_hashes(2), audit::AsBytes(audit::Sha256("of player-2")));
  EXPECT_EQ(seen.DebugString().find("of player"), std::string::npos) << "no token is sent";

  Match practice = SomeMatch();
  practice.pool.currency = "PRACTICE";
  EXPECT_THAT(tables_->CreateTable(practice, Later()), IsOk());
  EXPECT_EQ(seen.currency(), ::mahjong::common::v1::CURRENCY_PRACTICE);
  EXPECT_EQ(seen.bots(), 0U);

  practice.members.resize(1);
  EXPECT_THAT(tables_->CreateTable(practice, Later()), IsOk());
  EXPECT_THAT(seen.player_ids(), ElementsAre("player-0"));
  EXPECT_EQ(seen.bots(), 3U);
  EXPECT_EQ(seen.settings_size(), 0) << "as the table service is configured";
  practice.bot_strength = matching::BotStrength::kStrong;
  EXPECT_THAT(tables_->CreateTable(practice, Later()), IsOk());
  EXPECT_EQ(seen.settings().at("bot_strength"), 3);
}

TEST_F(ClientsTest, JoinTableGoesWhereTheTableIs) {
  Match match;
  match.id = MatchId("refill-1");
  match.members = {{TicketId("ticket"), PlayerId("late"), "token"}};
  match.refill = FreeSeat{{TableId("table-1"), ""}, 2};
  std::vector<table::JoinTableRequest> seen;
  table_->join = [&](const auto& request, auto& response) -> absl::Status {
    seen.push_back(request);
    // By another process than the one that holds it, the first time.
    if (seen.size() == 1) {
      return Error(Reason::kTableMoved, {}, {.metadata = {{"address", server_->address()}}});
    }
    response.mutable_table()->set_address("10.0.0.1:7000");
    return absl::OkStatus();
  };
  EXPECT_THAT(tables_->JoinTable(match, Later()),
              IsOkAndHolds(TablePlace{TableId("table-1"), "10.0.0.1:7000"}));
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[1].table_id(), "table-1");
  EXPECT_EQ(seen[1].player_id(), "late");
  EXPECT_EQ(seen[1].seat(), 2u);
  EXPECT_EQ(seen[1].join_token_hash(), audit::AsBytes(audit::Sha256("token")));

  // The process that held it is gone: another one knows.
  match.refill->place.address = "127.0.0.1:1";
  EXPECT_THAT(tables_->JoinTable(match, Later()), IsOk());
  // Not after the lease.
  EXPECT_THAT(tables_->JoinTable(match, clock_.Monotonic()), FailsWith(Reason::kDeadlineExceeded));
  EXPECT_EQ(seen.size(), 3u);
  // Nobody holds it now: to be tried again.
  table_->join = [](const auto&, auto&) { return Error(Reason::kTableMoved); };
  match.refill->place.address.clear();
  const auto moved = tables_->JoinTable(match, Later());
  EXPECT_THAT(moved, FailsWith(Reason::kTableMoved));
  EXPECT_FALSE(ArgumentIsRefused(moved.status()));
}

TEST_F(ClientsTest, ARefusalComesWithItsReasonAndPlayer) {
  table_->create = [](const auto&, auto&) {
    return Error(Reason::kPlayerBusy, {}, {.metadata = {{"player_id", "player-2"}}});
  };
  const auto refused = tables_->CreateTable(SomeMatch(), Later());
  EXPECT_THAT(refused, FailsWith(Reason::kPlayerBusy));
  EXPECT_TRUE(ArgumentIsRefused(refused.status()));
  EXPECT_EQ(base::CarriedBy(refused.status())->details.metadata.at("player_id"), "player-2");
}

TEST_F(ClientsTest, AFaultOfTheirsIsNoRefusal) {
  table_->create = [](const auto&, auto&) {
    return absl::InvalidArgumentError("ours, unexplained");
  };
  const auto failed = tables_->CreateTable(SomeMatch(), Later());
  ASSERT_FALSE(failed.ok());
  EXPECT_FALSE(ArgumentIsRefused(failed.status())) << failed.status();
}

TEST_F(ClientsTest, NothingIsSentOnceTheLeaseIsOver) {
  bool sent = false;
  table_->create = [&](const auto&, auto&) {
    sent = true;
    return absl::OkStatus();
  };
  EXPECT_THAT(tables_->CreateTable(SomeMatch(), clock_.Monotonic()),
              FailsWith(Reason::kDeadlineExceeded));
  EXPECT_FALSE(sent);
}

TEST_F(ClientsTest, ATableWithoutIdOrAddressIsNoTable) {
  std::string id;
  std::string address = "10.0.0.1:7000";
  table_->create = [&](const auto&, auto& response) {
    response.mutable_table()->set_table_id(id);
    response.mutable_table()->set_address(address);
    return absl::OkStatus();
  };
  EXPECT_THAT(tables_->CreateTable(SomeMatch(), Later()), HasCode(absl::StatusCode::kInternal));
  id.swap(address);
  EXPECT_THAT(tables_->CreateTable(SomeMatch(), Later()), HasCode(absl::StatusCode::kInternal));
}

TEST_F(ClientsTest, GetTableTellsWhoSitsThere) {
  table::TableState state = table::TABLE_STATE_PLAYING;
  table_->get = [&](const auto& request, auto& response) {
    EXPECT_EQ(request.table_id(), "table-1");
    response.mutable_table()->set_state(state);
    for (const char* player : {"ann", "", "bob", ""}) {
      response.mutable_table()->add_seats()->set_player_id(player);
    }
    return absl::OkStatus();
  };
  const TablePlace place{TableId("table-1"), "10.0.0.1:7000"};
  const auto playing = tables_->GetTable(place);
  ASSERT_THAT(playing, IsOk());
  EXPECT_FALSE(playing->closed);
  EXPECT_THAT(playing->seated, ElementsAre(PlayerId("ann"), PlayerId("bob")));
  state = table::TABLE_STATE_CLOSED;
  EXPECT_TRUE(tables_->GetTable(place)->closed);
  table_->get = [](const auto&, auto&) { return Error(Reason::kTableNotFound); };
  EXPECT_THAT(tables_->GetTable(place), FailsWith(Reason::kTableNotFound));
}

TEST_F(ClientsTest, GetTableForAPlayerTellsItsDeadline) {
  bool waits = true;
  table_->get = [&](const auto& request, auto& response) {
    EXPECT_EQ(request.table_id(), "table-1");
    EXPECT_EQ(request.player_id(), "ann");
    EXPECT_EQ(request.join_token(), "token");
    response.mutable_table()->set_round_id("round-1");
    if (waits) response.mutable_deadline()->set_seconds(1'000);
    return absl::OkStatus();
  };
  const LiveSeat seat{PlayerId("ann"), MatchId("m"), {TableId("table-1"), ""}, 1, "token"};
  const auto waited_for = tables_->GetTableFor(seat);
  ASSERT_THAT(waited_for, IsOk());
  EXPECT_EQ(waited_for->deadline, base::WallTime(std::chrono::seconds(1'000)));
  EXPECT_EQ(waited_for->round_id, "round-1");
  waits = false;
  EXPECT_EQ(tables_->GetTableFor(seat)->deadline, std::nullopt);
  table_->get = [](const auto&, auto&) { return Error(Reason::kNotSeated); };
  EXPECT_THAT(tables_->GetTableFor(seat), FailsWith(Reason::kNotSeated));
}

TEST_F(ClientsTest, HavingLeftIsAsGoodAsLeaving) {
  const TablePlace place{TableId("table-1"), "10.0.0.1:7000"};
  absl::Status answer;
  table_->leave = [&](const auto& request, auto&) {
    EXPECT_EQ(request.table_id(), "table-1");
    EXPECT_EQ(request.player_id(), "ann");
    EXPECT_EQ(request.reason(), table::LEAVE_REASON_LEFT);
    return answer;
  };
  EXPECT_THAT(tables_->LeaveTable(place, PlayerId("ann")), IsOk());
  for (const Reason gone : {Reason::kNotSeated, Reason::kTableClosed, Reason::kTableNotFound}) {
    answer = Error(gone);
    EXPECT_THAT(tables_->LeaveTable(place, PlayerId("ann")), IsOk());
  }
  answer = Error(Reason::kBadId);
  EXPECT_THAT(tables_->LeaveTable(place, PlayerId("ann")), FailsWith(Reason::kBadId));
}

TEST_F(ClientsTest, TheWalletNamesTheTier) {
  wallet::GetStakeTierRequest seen;
  std::int64_t base = 1'000;
  wallet_->tier = [&](const auto& request, auto& response) {
    seen = request;
    response.mutable_tier()->set_base(base);
    return absl::OkStatus();
  };
  EXPECT_THAT(wallets_->OpenTier(PlayerId("ann"), "some-game", "COIN", 0), IsOkAndHolds(1'000));
  EXPECT_EQ(seen.player_id(), "ann");
  EXPECT_EQ(seen.variant(), "some-game");
  EXPECT_EQ(seen.currency(), ::mahjong::common::v1::CURRENCY_COIN);
  EXPECT_EQ(seen.base(), 0);
  EXPECT_THAT(wallets_->OpenTier(PlayerId("ann"), "some-game", "PRACTICE", 1'000),
              IsOkAndHolds(1'000));
  EXPECT_EQ(seen.currency(), ::mahjong::common::v1::CURRENCY_PRACTICE);
  EXPECT_EQ(seen.base(), 1'000);

  // Answers that would seat somebody at another stake than agreed.
  EXPECT_THAT(wallets_->OpenTier(PlayerId("ann"), "some-game", "COIN", 100),
              HasCode(absl::StatusCode::kInternal));
  for (const std::int64_t wrong : {0, -1, 10'001}) {
    base = wrong;
    EXPECT_THAT(wallets_->OpenTier(PlayerId("ann"), "some-game", "COIN", 0),
                HasCode(absl::StatusCode::kInternal));
  }
}

TEST_F(ClientsTest, TheWalletsRefusalsComeAsTheyAre) {
  wallet_->tier = [](const auto&, auto&) {
    return Error(Reason::kBelowMinimum, {}, {.metadata = {{"balance", "90"}, {"minimum", "160"}}});
  };
  const auto refused = wallets_->OpenTier(PlayerId("ann"), "some-game", "COIN", 0);
  EXPECT_THAT(refused, FailsWith(Reason::kBelowMinimum));
  EXPECT_EQ(base::CarriedBy(refused.status())->details.metadata.at("minimum"), "160");
}

TEST_F(ClientsTest, ASilentPeerCostsItsTimeoutAndNoMore) {
  base::Mutex mutex;
  base::CondVar changed;
  bool over = false;
  table_->create = [&](const auto&, auto&) {
    base::MutexLock lock(mutex);
    while (!over) changed.Wait(mutex);
    return absl::OkStatus();
  };
  const auto impatient = ConnectTables(server_->address(), clock_, {.timeout = Millis(50)});
  EXPECT_THAT(impatient->CreateTable(SomeMatch(), Later()),
              HasCode(absl::StatusCode::kDeadlineExceeded));
  // The lease bounds it too.
  EXPECT_THAT(tables_->CreateTable(SomeMatch(), clock_.Monotonic() + Millis(50)),
              HasCode(absl::StatusCode::kDeadlineExceeded));
  {
    base::MutexLock lock(mutex);
    over = true;
    changed.NotifyAll();
  }
  server_->Stop();  // its handlers still look at what stands here
}

TEST_F(ClientsTest, APeerThatIsGoneIsUnavailable) {
  server_->Stop();
  const auto failed = tables_->CreateTable(SomeMatch(), clock_.Monotonic() + Millis(500));
  ASSERT_FALSE(failed.ok());
  EXPECT_FALSE(ArgumentIsRefused(failed.status())) << failed.status();
  const auto impatient = ConnectWallet(server_->address(), {.timeout = Millis(500)});
  EXPECT_FALSE(impatient->OpenTier(PlayerId("ann"), "some-game", "COIN", 0).ok());
}

}  // namespace
}  // namespace mj::matchmaking::peers
