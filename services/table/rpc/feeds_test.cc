// The feeds of all tables, as those who follow them see them.
#include <gmock/gmock.h>
#include <grpcpp/client_context.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "libs/base/status_testing.h"
#include "libs/rpc/grpc_status.h"
#include "services/table/rpc/table_server_testing.h"

namespace mj::table::rpc {
namespace {

using base::FailsWith;
using base::Reason;

// One stream, read on the test's thread.
template <typename Request, typename Response>
class Following {
 public:
  using Open = std::unique_ptr<grpc::ClientReader<Response>> (proto::TableService::Stub::*)(
      grpc::ClientContext*, const Request&);
  Following(const TableServer& server, Open open, const std::string& position) {
    context_.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(60));
    Request request;
    request.set_position(position);
    reader_ = (server.stub().*open)(&context_, request);
  }
  ~Following() {
    if (ended_) return;
    context_.TryCancel();
    Response rest;
    while (reader_->Read(&rest)) {
    }
    (void)reader_->Finish();
  }
  Following(const Following&) = delete;
  Following& operator=(const Following&) = delete;

  // Nothing: the stream has ended.
  std::optional<Response> Next() {
    Response response;
    if (!reader_->Read(&response)) return std::nullopt;
    return response;
  }
  absl::Status End() {
    ended_ = true;
    return mj::rpc::FromGrpc(reader_->Finish());
  }

 private:
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReader<Response>> reader_;
  bool ended_ = false;
};
using Rounds = Following<proto::WatchRoundsRequest, proto::WatchRoundsResponse>;
using Seats = Following<proto::WatchOpenSeatsRequest, proto::WatchOpenSeatsResponse>;

class FeedsTest : public ::testing::Test {
 protected:
  std::unique_ptr<Rounds> FollowRounds(const std::string& position = "") {
    return std::make_unique<Rounds>(server_, &proto::TableService::Stub::WatchRounds, position);
  }
  std::unique_ptr<Seats> FollowSeats(const std::string& position = "") {
    return std::make_unique<Seats>(server_, &proto::TableService::Stub::WatchOpenSeats, position);
  }
  static EndedRound Round(int number) {
    EndedRound round;
    round.round = RoundId("r" + std::to_string(number));
    return round;
  }

  TableServer server_;
};

TEST_F(FeedsTest, ARoundIsToldInFull) {
  EndedRound settled;
  settled.round = RoundId("r1");
  settled.table = TableId("t");
  settled.request = RequestId("match");
  settled.variant = "chaozhou";
  settled.base = 50;
  settled.currency = Currency::kPractice;
  for (const Seat seat : rules::kSeats) {
    settled.players[seat] = PlayerId("p" + std::to_string(rules::IndexOf(seat)));
    settled.coins[seat] = 10 * rules::IndexOf(seat) - 15;
  }
  settled.ended_at = WallTime(std::chrono::seconds(7));
  server_.outbox.Write(settled);
  EndedRound voided = settled;
  voided.round = RoundId("r2");
  voided.void_reason = VoidReason::kAllAbsent;
  server_.outbox.Write(voided);

  const auto feed = FollowRounds();
  const auto told = feed->Next();
  ASSERT_TRUE(told);
  ASSERT_EQ(told->rounds_size(), 2);
  const proto::EndedRound& round = told->rounds(0);
  EXPECT_EQ(round.round_id(), "r1");
  EXPECT_EQ(round.table_id(), "t");
  EXPECT_EQ(round.table_request_id(), "match");
  EXPECT_EQ(round.variant(), "chaozhou");
  EXPECT_EQ(round.base(), 50);
  EXPECT_EQ(round.currency(), ::mahjong::common::v1::CURRENCY_PRACTICE);
  EXPECT_THAT(round.player_ids(), ::testing::ElementsAre("p0", "p1", "p2", "p3"));
  EXPECT_THAT(round.coins(), ::testing::ElementsAre(-15, -5, 5, 15));
  EXPECT_EQ(round.end(), proto::ROUND_END_SETTLED);
  EXPECT_EQ(round.void_reason(), proto::VOID_REASON_UNSPECIFIED);
  EXPECT_EQ(round.end_time().seconds(), 7);
  EXPECT_EQ(told->rounds(1).end(), proto::ROUND_END_VOID);
  EXPECT_EQ(told->rounds(1).void_reason(), proto::VOID_REASON_ALL_ABSENT);
}

TEST_F(FeedsTest, ATableIsToldInFull) {
  SeatChange change;
  change.table = TableId("t");
  change.request = RequestId("match");
  change.address = "there:1";
  change.variant = "chaozhou";
  change.base = 50;
  change.players[Seat::k1] = PlayerId("p1");
  change.left = {PlayerId("p2")};
  change.media_room = "room-7";
  server_.outbox.SetLag(std::chrono::milliseconds(2'500));
  server_.outbox.Write(change);
  const auto feed = FollowSeats();
  const auto told = feed->Next();
  ASSERT_TRUE(told);
  ASSERT_EQ(told->tables_size(), 1);
  const proto::TableSeats& table = told->tables(0);
  EXPECT_EQ(table.table_id(), "t");
  EXPECT_EQ(table.table_request_id(), "match");
  EXPECT_EQ(table.address(), "there:1");
  EXPECT_EQ(table.variant(), "chaozhou");
  EXPECT_EQ(table.base(), 50);
  EXPECT_EQ(table.currency(), ::mahjong::common::v1::CURRENCY_COIN);
  EXPECT_EQ(table.state(), proto::TABLE_STATE_WAITING);
  EXPECT_TRUE(table.open());
  EXPECT_THAT(table.player_ids(), ::testing::ElementsAre("", "p1", "", ""));
  EXPECT_THAT(table.left_player_ids(), ::testing::ElementsAre("p2"));
  EXPECT_EQ(table.media_room_id(), "room-7");
  EXPECT_EQ(told->lag().seconds(), 2);
  EXPECT_EQ(told->lag().nanos(), 500'000'000);
}

TEST_F(FeedsTest, WhoResumesGetsWhatFollows) {
  const auto feed = FollowRounds();
  std::vector<std::string> positions;
  for (int i = 1; i <= 3; ++i) {
    server_.outbox.Write(Round(i));
    const auto told = feed->Next();
    ASSERT_TRUE(told);
    ASSERT_EQ(told->rounds_size(), 1);
    EXPECT_EQ(told->rounds(0).round_id(), "r" + std::to_string(i));
    positions.push_back(told->position());
  }
  server_.outbox.Write(Round(4));
  for (int i = 1; i <= 3; ++i) {
    const auto resumed = FollowRounds(positions[static_cast<std::size_t>(i - 1)]);
    std::vector<std::string> rounds;
    while (static_cast<int>(rounds.size()) < 4 - i) {
      const auto told = resumed->Next();
      ASSERT_TRUE(told);
      for (const proto::EndedRound& round : told->rounds()) rounds.push_back(round.round_id());
    }
    EXPECT_EQ(rounds.front(), "r" + std::to_string(i + 1));
    EXPECT_EQ(rounds.back(), "r4");
  }
}

TEST_F(FeedsTest, BrokenPositionsAreRefusedByName) {
  server_.outbox.Write(Round(1));
  server_.outbox.Write(SeatChange{});
  const auto seats = FollowSeats()->Next();
  ASSERT_TRUE(seats);
  for (const std::string& position : {std::string("x"), seats->position()}) {
    const auto feed = FollowRounds(position);
    EXPECT_FALSE(feed->Next());
    EXPECT_THAT(feed->End(), FailsWith(Reason::kBadPageToken, "position")) << position;
  }
  const auto other = FollowSeats("x");
  EXPECT_FALSE(other->Next());
  EXPECT_THAT(other->End(), FailsWith(Reason::kBadPageToken, "position"));
  const auto ahead = FollowRounds(MakePosition("rounds", 2));
  EXPECT_FALSE(ahead->Next());
  EXPECT_THAT(ahead->End(), FailsWith(Reason::kSequenceAhead, "position"));
  server_.outbox.DropRounds(1);
  const auto late = FollowRounds(MakePosition("rounds", 0));
  EXPECT_FALSE(late->Next());
  EXPECT_THAT(late->End(), FailsWith(Reason::kRecordExpired, "position"));
}

TEST_F(FeedsTest, AClientThatDoesNotReadHoldsUpNobodyAndMissesNothing) {
  const auto slow = FollowRounds();
  const int many = 40 * static_cast<int>(kOutboxBatch);
  EndedRound long_one = Round(0);
  long_one.variant = std::string(2'000, 'x');  // more than the transport takes unread
  for (int i = 0; i < many; ++i) server_.outbox.Write(long_one);
  const auto quick = FollowRounds();
  for (const auto& feed : {quick.get(), slow.get()}) {
    int told = 0;
    while (told < many) {
      const auto next = feed->Next();
      ASSERT_TRUE(next);
      told += next->rounds_size();
    }
    EXPECT_EQ(told, many);
  }
}

TEST_F(FeedsTest, ADrainEndsAStreamWithItsStatus) {
  server_.outbox.Write(Round(1));
  const auto feed = FollowRounds();
  ASSERT_TRUE(feed->Next());
  std::thread stop([this] { server_.Stop(); });
  EXPECT_FALSE(feed->Next());
  EXPECT_THAT(feed->End(), FailsWith(Reason::kShuttingDown));
  stop.join();
}

}  // namespace
}  // namespace mj::table::rpc
