// The feeds' client against a server that speaks the table service's protos.
#include "services/matchmaking/peers/feeds_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "libs/base/mutex.h"
#include "libs/base/reasons.h"
#include "libs/base/status_testing.h"
#include "libs/rpc/service.h"

namespace mj::matchmaking::peers {
namespace {

namespace table = ::mahjong::table::v1;
using base::FailsWith;
using base::HasCode;
using base::IsOk;
using base::Reason;

// Sends what a test says, then ends the stream, or leaves it open.
class TableServer final : public table::TableService::CallbackService {
 public:
  explicit TableServer(mj::rpc::Front& front) : front_(front) {}

  grpc::ServerWriteReactor<table::WatchRoundsResponse>* WatchRounds(
      grpc::CallbackServerContext* context, const table::WatchRoundsRequest* request) override {
    using Stream = mj::rpc::ServerStream<table::WatchRoundsResponse>;
    return front_.Stream<table::WatchRoundsResponse>(
        context, "WatchRounds", request, mj::rpc::Front::kNoValidation,
        [this](mj::rpc::Call&, const auto& in, const Stream& stream) {
          position = in.position();
          for (const auto& one : rounds) stream.Send(one);
          if (end) stream.Finish(*end);
          return absl::OkStatus();
        });
  }
  grpc::ServerWriteReactor<table::WatchOpenSeatsResponse>* WatchOpenSeats(
      grpc::CallbackServerContext* context, const table::WatchOpenSeatsRequest* request) override {
    using Stream = mj::rpc::ServerStream<table::WatchOpenSeatsResponse>;
    return front_.Stream<table::WatchOpenSeatsResponse>(
        context, "WatchOpenSeats", request, mj::rpc::Front::kNoValidation,
        [this](mj::rpc::Call&, const auto& in, const Stream& stream) {
          position = in.position();
          for (const auto& one : seats) stream.Send(one);
          if (end) stream.Finish(*end);
          return absl::OkStatus();
        });
  }

  std::vector<table::WatchRoundsResponse> rounds;
  std::vector<table::WatchOpenSeatsResponse> seats;
  std::optional<absl::Status> end;
  std::string position;

 private:
  mj::rpc::Front& front_;
};

class FeedsClientTest : public ::testing::Test {
 protected:
  FeedsClientTest() {
    auto started = mj::rpc::StartService("peers", {},
                                         [this](mj::rpc::Bindings& bindings) {
                                           table_ = &bindings.AddService<table::TableService>(
                                               std::make_unique<TableServer>(bindings.front()));
                                           return absl::OkStatus();
                                         },
                                         {.log_line = [](std::string_view) {}});
    EXPECT_THAT(started, IsOk());
    server_ = *std::move(started);
    feeds_ = ConnectFeeds(server_->address(), clock_);
  }
  base::MonotonicTime Later() { return clock_.Monotonic() + std::chrono::seconds(60); }
  static table::WatchRoundsResponse Told(const std::string& position) {
    table::WatchRoundsResponse told;
    table::EndedRound& round = *told.add_rounds();
    round.set_round_id("r" + position);
    round.set_table_id("t");
    round.set_variant("chaozhou");
    round.set_currency(::mahjong::common::v1::CURRENCY_COIN);
    for (int i = 0; i < 4; ++i) {
      round.add_player_ids("p" + std::to_string(i));
      round.add_coins(10 * i - 15);
    }
    round.set_end(table::ROUND_END_SETTLED);
    round.mutable_end_time()->set_seconds(1'000);
    told.set_position(position);
    return told;
  }

  base::SystemClock clock_;
  TableServer* table_ = nullptr;
  std::unique_ptr<mj::rpc::RunningService> server_;
  std::unique_ptr<FeedsClient> feeds_;
};

TEST_F(FeedsClientTest, RoundsComeAsTheyWereTold) {
  table_->rounds = {Told("1"), Told("2")};
  table_->rounds[1].mutable_rounds(0)->set_end(table::ROUND_END_VOID);
  table_->rounds[1].mutable_rounds(0)->set_currency(::mahjong::common::v1::CURRENCY_PRACTICE);
  table_->end = absl::OkStatus();
  std::vector<FeedBatch<EndedRound>> got;
  EXPECT_THAT(feeds_->FollowRounds("0", Later(),
                                   [&](const auto& batch) {
                                     got.push_back(batch);
                                     return true;
                                   }),
              IsOk());
  EXPECT_EQ(table_->position, "0");
  ASSERT_EQ(got.size(), 2U);
  EXPECT_EQ(got[0].position, "1");
  const EndedRound expected{
      .round = "r1",
      .variant = "chaozhou",
      .currency = "COIN",
      .players = {PlayerId("p0"), PlayerId("p1"), PlayerId("p2"), PlayerId("p3")},
      .settled = true,
      .coins = {-15, -5, 5, 15},
      .ended_at = base::WallTime(std::chrono::seconds(1'000))};
  EXPECT_THAT(got[0].items, ::testing::ElementsAre(expected));
  ASSERT_EQ(got[1].items.size(), 1U);
  EXPECT_FALSE(got[1].items[0].settled);
  EXPECT_EQ(got[1].items[0].currency, "PRACTICE");
}

TEST_F(FeedsClientTest, SeatsComeAsTheyWereTold) {
  table::WatchOpenSeatsResponse told;
  table::TableSeats& table = *told.add_tables();
  table.set_table_id("t");
  table.set_table_request_id("match");
  table.set_address("there:1");
  for (const char* player : {"p0", "", "p2", "p3"}) table.add_player_ids(player);
  table.set_open(true);
  table.add_left_player_ids("p1");
  told.set_position("1");
  told.mutable_lag()->set_seconds(2);
  table_->seats = {told};
  table_->end = absl::OkStatus();
  std::vector<FeedBatch<SeatChange>> got;
  EXPECT_THAT(feeds_->FollowSeats("", Later(),
                                  [&](const auto& batch) {
                                    got.push_back(batch);
                                    return true;
                                  }),
              IsOk());
  ASSERT_EQ(got.size(), 1U);
  const SeatChange expected{{TableId("t"), "there:1"},
                            MatchId("match"),
                            {PlayerId("p0"), PlayerId(), PlayerId("p2"), PlayerId("p3")},
                            true,
                            {PlayerId("p1")}};
  EXPECT_THAT(got[0].items, ::testing::ElementsAre(expected));
  EXPECT_EQ(got[0].lag, Millis(2'000));
}

TEST_F(FeedsClientTest, WhoHasEnoughEndsIt) {
  table_->rounds = {Told("1"), Told("2")};
  int batches = 0;
  EXPECT_THAT(feeds_->FollowRounds("", Later(),
                                   [&](const auto&) {
                                     ++batches;
                                     return false;
                                   }),
              IsOk());
  EXPECT_EQ(batches, 1);
}

TEST_F(FeedsClientTest, ItEndsAtItsTimeAndWhenItIsEnded) {
  EXPECT_THAT(
      feeds_->FollowRounds("", clock_.Monotonic() + Millis(50), [](const auto&) { return true; }),
      IsOk());
  table_->rounds = {Told("1")};
  std::thread end;
  EXPECT_THAT(feeds_->FollowRounds("", Later(),
                                   [&](const auto&) {
                                     end = std::thread([this] { feeds_->End(); });
                                     return true;
                                   }),
              IsOk());
  end.join();
  bool called = false;
  EXPECT_THAT(feeds_->FollowRounds("", Later(), [&](const auto&) { return called = true; }),
              IsOk());
  EXPECT_FALSE(called);
}

TEST_F(FeedsClientTest, ARefusalComesWithItsReason) {
  table_->end = base::Error(Reason::kRecordExpired, {}, {.field = "position"});
  EXPECT_THAT(feeds_->FollowSeats("x", Later(), [](const auto&) { return true; }),
              FailsWith(Reason::kRecordExpired, "position"));
}

TEST_F(FeedsClientTest, WhatCannotBeIsNotHandedOn) {
  for (const auto& spoil : std::vector<std::function<void(table::EndedRound&)>>{
           [](table::EndedRound& round) { round.clear_round_id(); },
           [](table::EndedRound& round) { round.add_coins(1); },
           [](table::EndedRound& round) { round.mutable_player_ids()->RemoveLast(); }}) {
    table_->rounds = {Told("1")};
    spoil(*table_->rounds[0].mutable_rounds(0));
    bool called = false;
    EXPECT_THAT(feeds_->FollowRounds("", Later(), [&](const auto&) { return called = true; }),
                HasCode(absl::StatusCode::kInternal));
    EXPECT_FALSE(called);
  }
}

TEST_F(FeedsClientTest, NobodyThereIsUnavailable) {
  server_->Stop();
  EXPECT_THAT(feeds_->FollowRounds("", Later(), [](const auto&) { return true; }),
              HasCode(absl::StatusCode::kUnavailable));
}

}  // namespace
}  // namespace mj::matchmaking::peers
