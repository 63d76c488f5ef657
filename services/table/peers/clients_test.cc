// Both clients against real servers that answer what the test says.
#include <gmock/gmock.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "libs/base/status_testing.h"
#include "libs/rpc/client.h"
#include "libs/rpc/grpc_status.h"
#include "services/table/peers/journal_rows_client.h"
#include "services/table/peers/scorer_client.h"
#include "services/table/peers/wallet_client.h"

namespace mj::table::peers {
namespace {

namespace scoring = ::mahjong::scoring::v1;
namespace wallet = ::mahjong::wallet::v1;
using base::FailsWith;
using base::IsOk;
using base::Reason;

class Scoring final : public scoring::ScoringService::Service {
 public:
  grpc::Status ScoreRound(grpc::ServerContext*, const scoring::ScoreRoundRequest* request,
                          scoring::ScoreRoundResponse* response) override {
    asked = *request;
    if (hold != nullptr) hold->get_future().wait();
    *response = answer;
    return status;
  }
  std::unique_ptr<std::promise<void>> hold;  // set: waits for it
  scoring::ScoreRoundRequest asked;
  scoring::ScoreRoundResponse answer;
  grpc::Status status;
};

class Settling final : public wallet::WalletService::Service {
 public:
  grpc::Status SettleRound(grpc::ServerContext*, const wallet::SettleRoundRequest* request,
                           wallet::SettleRoundResponse* response) override {
    asked = *request;
    *response = answer;
    return status;
  }
  grpc::Status ListStakeTiers(grpc::ServerContext*, const wallet::ListStakeTiersRequest* request,
                              wallet::ListStakeTiersResponse* response) override {
    asked_tiers = *request;
    *response = tiers;
    return status;
  }
  grpc::Status Reserve(grpc::ServerContext*, const wallet::ReserveRequest* request,
                       wallet::ReserveResponse* response) override {
    asked_seat = *request;
    *response = reserved;
    return status;
  }
  grpc::Status OpenAccount(grpc::ServerContext*, const wallet::OpenAccountRequest* request,
                           wallet::OpenAccountResponse*) override {
    asked_account = *request;
    return opened;
  }
  grpc::Status Deposit(grpc::ServerContext*, const wallet::DepositRequest* request,
                       wallet::DepositResponse*) override {
    asked_deposit = *request;
    return status;
  }
  grpc::Status GetJournalRow(grpc::ServerContext*, const wallet::GetJournalRowRequest* request,
                             wallet::GetJournalRowResponse* response) override {
    asked_row = *request;
    *response = row;
    return status;
  }
  wallet::OpenAccountRequest asked_account;
  grpc::Status opened;
  std::optional<wallet::DepositRequest> asked_deposit;
  wallet::GetJournalRowRequest asked_row;
  wallet::GetJournalRowResponse row;
  wallet::SettleRoundRequest asked;
  wallet::SettleRoundResponse answer;
  wallet::ListStakeTiersRequest asked_tiers;
  wallet::ListStakeTiersResponse tiers;
  wallet::ReserveRequest asked_seat;
  wallet::ReserveResponse reserved;
  grpc::Status status;
};

class ClientsTest : public ::testing::Test {
 protected:
  ClientsTest() {
    grpc::ServerBuilder builder;
    int port = 0;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
    builder.RegisterService(&scoring_);
    builder.RegisterService(&wallet_);
    server_ = builder.BuildAndStart();
    channel_ = mj::rpc::MakeChannel({.target = "127.0.0.1:" + std::to_string(port)});

    question_.variant = "shaoguan";
    question_.options = {{"horses", "2"}};
    question_.base = 600;
    question_.rulebook_version = "v1";
    question_.round.deal.dealer = Seat::k2;
    question_.round.end = rules::RoundEnd::kExhausted;

    settlement_.round = RoundId("r");
    settlement_.table = TableId("t");
    settlement_.variant = "shaoguan";
    settlement_.rulebook_version = "v1";
    settlement_.base = 600;
    settlement_.currency = Currency::kPractice;
    settlement_.transfers = {{Seat::k0, Seat::k3, 2400, "SG-40"}};
    for (Seat seat : rules::kSeats) {
      settlement_.players[seat] = PlayerId("p" + std::to_string(rules::IndexOf(seat)));
      auto& settled = *wallet_.answer.add_seats();
      settled.set_seat(static_cast<std::uint32_t>(rules::IndexOf(seat)));
      settled.set_net(rules::IndexOf(seat) * 10);
      settled.set_rake(4);
      settled.set_balance(1'000 + rules::IndexOf(seat));
    }
  }

  absl::StatusOr<Score> ScoreRound() {
    ScorerClient client(channel_, timeout_);
    std::promise<absl::StatusOr<Score>> answer;
    client.ScoreRound(
        question_, [&answer](absl::StatusOr<Score> score) { answer.set_value(std::move(score)); });
    return answer.get_future().get();
  }
  absl::StatusOr<RoundPosted> SettleRound() {
    WalletClient client(channel_, timeout_);
    std::promise<absl::StatusOr<RoundPosted>> answer;
    client.SettleRound(settlement_, [&answer](absl::StatusOr<RoundPosted> posted) {
      answer.set_value(std::move(posted));
    });
    return answer.get_future().get();
  }

  absl::StatusOr<std::vector<Room>> ListRooms() {
    WalletClient client(channel_, timeout_);
    std::promise<absl::StatusOr<std::vector<Room>>> answer;
    client.ListRooms("guangdong", Currency::kPractice,
                     [&answer](auto rooms) { answer.set_value(std::move(rooms)); });
    return answer.get_future().get();
  }
  absl::StatusOr<Coins> Reserve() {
    WalletClient client(channel_, timeout_);
    std::promise<absl::StatusOr<Coins>> answer;
    client.Reserve({RequestId("q"), TableId("t"), PlayerId("p"), "guangdong", 50, Currency::kCoin},
                   [&answer](absl::StatusOr<Coins> balance) { answer.set_value(balance); });
    return answer.get_future().get();
  }
  absl::Status GrantBot() {
    WalletClient client(channel_, timeout_);
    std::promise<absl::Status> answer;
    client.GrantBot({RequestId("bot-7"), PlayerId("bot"), 1'000},
                    [&answer](const absl::Status& granted) { answer.set_value(granted); });
    return answer.get_future().get();
  }

  Scoring scoring_;
  Settling wallet_;
  std::unique_ptr<grpc::Server> server_;
  std::shared_ptr<grpc::Channel> channel_;
  std::chrono::milliseconds timeout_{10'000};
  ScoreQuestion question_;
  Settlement settlement_;
};

TEST_F(ClientsTest, AsksForTheScoreInFull) {
  auto& score = *scoring_.answer.mutable_score();
  score.set_rulebook_version("v1");
  auto& transfer = *score.add_transfers();
  transfer.set_from_seat(1);
  transfer.set_to_seat(2);
  transfer.set_coins(300);
  transfer.set_rule_id("SG-30");
  score.mutable_receipt()->add_lines()->set_arithmetic("100 x 3 = 300");

  const auto got = ScoreRound();
  ASSERT_THAT(got, IsOk());
  EXPECT_EQ(got->rulebook_version, "v1");
  EXPECT_EQ(got->scored.transfers, (std::vector<SeatTransfer>{{Seat::k1, Seat::k2, 300, "SG-30"}}));
  // The whole answer is kept as it came.
  scoring::RoundScore kept;
  ASSERT_TRUE(kept.ParseFromString(got->scored.score));
  EXPECT_EQ(kept.SerializeAsString(), score.SerializeAsString());

  EXPECT_EQ(scoring_.asked.rulebook_version(), "v1");
  EXPECT_EQ(scoring_.asked.round().variant(), "shaoguan");
  EXPECT_EQ(scoring_.asked.round().options().at("horses"), "2");
  EXPECT_EQ(scoring_.asked.round().base(), 600);
  EXPECT_EQ(scoring_.asked.round().dealer(), 2U);
  EXPECT_EQ(scoring_.asked.round().end(), ::mahjong::common::v1::ROUND_END_EXHAUSTED);
}

TEST_F(ClientsTest, AScoreThatCannotBeIsOursToReport) {
  auto& transfer = *scoring_.answer.mutable_score()->add_transfers();
  transfer.set_from_seat(7);
  EXPECT_THAT(ScoreRound(), FailsWith(Reason::kInternal));
}

TEST_F(ClientsTest, FailuresKeepTheirReason) {
  scoring_.status =
      mj::rpc::ToGrpc(base::Error(Reason::kRulebookVersionUnknown), base::Language::kEn);
  EXPECT_THAT(ScoreRound(), FailsWith(Reason::kRulebookVersionUnknown));
  wallet_.status = mj::rpc::ToGrpc(base::Error(Reason::kAccountNotFound), base::Language::kEn);
  EXPECT_THAT(SettleRound(), FailsWith(Reason::kAccountNotFound));
}

TEST_F(ClientsTest, APeerThatIsAwayIsUnavailable) {
  server_->Shutdown();
  EXPECT_TRUE(absl::IsUnavailable(ScoreRound().status()));
  EXPECT_TRUE(absl::IsUnavailable(SettleRound().status()));
}

TEST_F(ClientsTest, TheEndCancelsWhatIsUnderWay) {
  scoring_.hold = std::make_unique<std::promise<void>>();
  std::optional<absl::StatusOr<Score>> answer;
  {
    ScorerClient client(channel_, timeout_);
    client.ScoreRound(question_,
                      [&answer](absl::StatusOr<Score> score) { answer = std::move(score); });
  }
  ASSERT_TRUE(answer);
  EXPECT_TRUE(absl::IsCancelled(answer->status()));
  scoring_.hold->set_value();
}

TEST_F(ClientsTest, SettlesInFull) {
  auto& shortfall = *wallet_.answer.add_shortfalls();
  shortfall.set_from_seat(0);
  shortfall.set_to_seat(3);
  shortfall.set_coins(77);
  wallet_.answer.set_journal_id("j");
  const auto got = SettleRound();
  ASSERT_THAT(got, IsOk());
  EXPECT_EQ(got->journal_id, "j");
  EXPECT_EQ(got->seats[Seat::k2], (SeatPosted{20, 4, 1'002}));
  EXPECT_EQ(got->shortfalls, (std::vector<Shortfall>{{Seat::k0, Seat::k3, 77}}));

  EXPECT_EQ(wallet_.asked.round_id(), "r");
  EXPECT_EQ(wallet_.asked.table_id(), "t");
  EXPECT_EQ(wallet_.asked.variant(), "shaoguan");
  EXPECT_EQ(wallet_.asked.rulebook_version(), "v1");
  EXPECT_EQ(wallet_.asked.base(), 600);
  EXPECT_EQ(wallet_.asked.currency(), ::mahjong::common::v1::CURRENCY_PRACTICE);
  EXPECT_THAT(wallet_.asked.player_ids(), ::testing::ElementsAre("p0", "p1", "p2", "p3"));
  ASSERT_EQ(wallet_.asked.transfers_size(), 1);
  EXPECT_EQ(wallet_.asked.transfers(0).coins(), 2400);
  EXPECT_EQ(wallet_.asked.transfers(0).rule_id(), "SG-40");
}

TEST_F(ClientsTest, ASettlementThatCannotBeIsOursToReport) {
  wallet_.answer.mutable_seats(1)->set_seat(0);
  EXPECT_THAT(SettleRound(), FailsWith(Reason::kInternal));
  wallet_.answer.mutable_seats(1)->set_seat(9);
  EXPECT_THAT(SettleRound(), FailsWith(Reason::kInternal));
  wallet_.answer.mutable_seats()->RemoveLast();
  wallet_.answer.mutable_seats(1)->set_seat(1);
  EXPECT_THAT(SettleRound(), FailsWith(Reason::kInternal));
}

TEST_F(ClientsTest, ListsTheRoomsOfAGame) {
  auto& tier = *wallet_.tiers.add_tiers();
  tier.set_base(50);
  tier.set_minimum_balance(2'500);
  tier.set_rake_per_player(4);
  tier.set_escape_penalty(3'200);
  EXPECT_THAT(ListRooms(), base::IsOkAndHolds(std::vector<Room>{{50, 2'500, 4, 3'200}}));
  EXPECT_EQ(wallet_.asked_tiers.variant(), "guangdong");
  EXPECT_EQ(wallet_.asked_tiers.currency(), ::mahjong::common::v1::CURRENCY_PRACTICE);
  tier.set_minimum_balance(-1);
  EXPECT_THAT(ListRooms(), FailsWith(Reason::kInternal));
  tier.set_minimum_balance((std::int64_t{1} << 53) + 1);
  EXPECT_THAT(ListRooms(), FailsWith(Reason::kInternal));
  tier.set_minimum_balance(0);
  for (std::int64_t base : {0, 10'001}) {
    tier.set_base(base);
    EXPECT_THAT(ListRooms(), FailsWith(Reason::kInternal));
  }
  wallet_.status = mj::rpc::ToGrpc(base::Error(Reason::kUnknownVariant), base::Language::kEn);
  EXPECT_THAT(ListRooms(), FailsWith(Reason::kUnknownVariant));
}

TEST_F(ClientsTest, HoldsASeatAndTellsTheBalance) {
  wallet_.reserved.set_balance(12'345);
  EXPECT_THAT(Reserve(), base::IsOkAndHolds(12'345));
  EXPECT_EQ(wallet_.asked_seat.base(), 50);
  EXPECT_EQ(wallet_.asked_seat.table_id(), "t");
  EXPECT_EQ(wallet_.asked_seat.player_id(), "p");
  wallet_.reserved.set_balance(-1);
  EXPECT_THAT(Reserve(), FailsWith(Reason::kInternal));
  wallet_.status = mj::rpc::ToGrpc(base::Error(Reason::kBelowMinimum), base::Language::kEn);
  EXPECT_THAT(Reserve(), FailsWith(Reason::kBelowMinimum));
}

TEST_F(ClientsTest, GivesABotPracticeCoinsAndAnAccountWhereItHasNone) {
  namespace common = ::mahjong::common::v1;
  EXPECT_THAT(GrantBot(), IsOk());
  EXPECT_EQ(wallet_.asked_account.account_id(), "bot");
  EXPECT_EQ(wallet_.asked_account.currency(), common::CURRENCY_PRACTICE);
  ASSERT_TRUE(wallet_.asked_deposit);
  EXPECT_EQ(wallet_.asked_deposit->request_id(), "bot-7");
  EXPECT_EQ(wallet_.asked_deposit->account_id(), "bot");
  EXPECT_EQ(wallet_.asked_deposit->currency(), common::CURRENCY_PRACTICE);
  EXPECT_EQ(wallet_.asked_deposit->coins(), 1'000);
  EXPECT_EQ(wallet_.asked_deposit->flow(), wallet::MONEY_FLOW_GRANT);

  wallet_.opened = mj::rpc::ToGrpc(base::Error(Reason::kAccountExists), base::Language::kEn);
  wallet_.asked_deposit.reset();
  EXPECT_THAT(GrantBot(), IsOk());
  EXPECT_TRUE(wallet_.asked_deposit);

  wallet_.opened = mj::rpc::ToGrpc(base::Error(Reason::kUnavailable), base::Language::kEn);
  wallet_.asked_deposit.reset();
  EXPECT_THAT(GrantBot(), FailsWith(Reason::kUnavailable));
  EXPECT_FALSE(wallet_.asked_deposit);

  wallet_.opened = grpc::Status::OK;
  wallet_.status = mj::rpc::ToGrpc(base::Error(Reason::kAccountClosed), base::Language::kEn);
  EXPECT_THAT(GrantBot(), FailsWith(Reason::kAccountClosed));
}

TEST_F(ClientsTest, ReadsARoundsJournalRow) {
  JournalRowsClient client(channel_, timeout_);
  wallet_.row.set_journal_id("77");
  wallet_.row.set_canonical("the row");
  wallet_.row.set_hash(std::string(32, '\x05'));
  const auto row = client.ReadRow(RoundId("r"));
  ASSERT_THAT(row, IsOk());
  EXPECT_EQ(wallet_.asked_row.round_id(), "r");
  EXPECT_EQ(row->journal_id, "77");
  EXPECT_EQ(row->canonical, "the row");
  EXPECT_EQ(row->hash[31], 5);
  wallet_.row.set_hash("short");
  EXPECT_THAT(client.ReadRow(RoundId("r")), FailsWith(Reason::kInternal));
  wallet_.row.set_hash(std::string(32, '\x05'));
  wallet_.row.clear_journal_id();
  EXPECT_THAT(client.ReadRow(RoundId("r")), FailsWith(Reason::kInternal));
  wallet_.status = mj::rpc::ToGrpc(base::Error(Reason::kJournalNotFound), base::Language::kEn);
  EXPECT_THAT(client.ReadRow(RoundId("r")), FailsWith(Reason::kJournalNotFound));
  wallet_.status = mj::rpc::ToGrpc(base::Error(Reason::kUnavailable), base::Language::kEn);
  EXPECT_THAT(client.ReadRow(RoundId("r")), FailsWith(Reason::kUnavailable));
}

}  // namespace
}  // namespace mj::table::peers
