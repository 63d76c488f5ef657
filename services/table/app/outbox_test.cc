#include "services/table/app/outbox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/status_testing.h"
#include "services/table/app/memory_outbox_testing.h"

namespace mj::table {
namespace {

using base::FailsWith;
using base::IsOk;
using base::Reason;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

EndedRound Round(int number) {
  EndedRound round;
  round.round = RoundId("r" + std::to_string(number));
  return round;
}

class Listener final : public Follower<EndedRound> {
 public:
  bool Wants() override { return room > 0; }
  void Take(OutboxBatch<EndedRound> batch) override {
    --room;
    for (const EndedRound& round : batch.items) rounds.push_back(round.round.value());
    positions.push_back(batch.position);
    lag = batch.lag;
  }
  void End(const absl::Status& status) override { end = status; }
  bool Gone() override { return gone; }

  int room = 1'000;
  bool gone = false;
  std::vector<std::string> rounds;
  std::vector<std::string> positions;
  std::chrono::milliseconds lag{0};
  std::optional<absl::Status> end;
};

class OutboxTailTest : public ::testing::Test {
 protected:
  std::shared_ptr<Listener> Follow(const std::string& position = "") {
    auto listener = std::make_shared<Listener>();
    EXPECT_THAT(tail_.FollowRounds(position, listener), IsOk());
    return listener;
  }
  void Write(int from, int to) {
    for (int i = from; i <= to; ++i) outbox_.Write(Round(i));
  }

  MemoryOutbox outbox_;
  OutboxTail tail_{outbox_};
};

TEST_F(OutboxTailTest, WhoeverResumesAnywhereMissesNothingAndIsToldNothingTwice) {
  const auto first = Follow();
  for (int i = 1; i <= 4; ++i) {
    Write(i, i);
    tail_.Turn();
  }
  EXPECT_THAT(first->rounds, ElementsAre("r1", "r2", "r3", "r4"));
  ASSERT_EQ(first->positions.size(), 4U);
  std::vector<std::string> rest = first->rounds;
  for (const std::string& position : first->positions) {
    const auto resumed = Follow(position);
    tail_.Turn();
    rest.erase(rest.begin());
    EXPECT_EQ(resumed->rounds, rest) << position;
  }
}

TEST_F(OutboxTailTest, NobodyFollowsAndNothingIsAsked) {
  tail_.Turn();
  const auto listener = Follow();
  tail_.Turn();
  const int asked = outbox_.asked();
  EXPECT_GT(asked, 0);
  listener->gone = true;
  tail_.Turn();
  tail_.Turn();
  EXPECT_EQ(outbox_.asked(), asked);
}

TEST_F(OutboxTailTest, EachBatchSaysHowOldItIs) {
  Write(1, 2);
  outbox_.SetLag(std::chrono::milliseconds(1'234));
  const auto listener = Follow();
  tail_.Turn();
  EXPECT_EQ(listener->lag, std::chrono::milliseconds(1'234));
}

TEST_F(OutboxTailTest, WhoDoesNotReadWaitsAndHoldsUpNobody) {
  const auto slow = Follow();
  slow->room = 1;
  const auto quick = Follow();
  Write(1, 2 * static_cast<int>(kOutboxBatch) + 1);
  tail_.Turn();
  EXPECT_EQ(slow->rounds.size(), static_cast<std::size_t>(kOutboxBatch));
  EXPECT_EQ(quick->rounds.size(), static_cast<std::size_t>(2 * kOutboxBatch + 1));
  tail_.Turn();
  EXPECT_EQ(slow->rounds.size(), static_cast<std::size_t>(kOutboxBatch));
  slow->room = 9;
  tail_.Turn();
  EXPECT_EQ(slow->rounds, quick->rounds);
}

TEST_F(OutboxTailTest, WhatIsNoPositionOfThisFeedIsRefused) {
  for (const std::string& position :
       {std::string("x"), MakePosition("seats", 1), MakePosition("rounds", -1),
        MakePosition("rounds", 1) + "x", MakePosition("rounds", 1).substr(0, 5),
        // Another spelling of the same number.
        MakePosition("rounds", 0) + "1"}) {
    EXPECT_THAT(tail_.FollowRounds(position, std::make_shared<Listener>()),
                FailsWith(Reason::kBadPageToken, "position"))
        << position;
  }
  EXPECT_THAT(tail_.FollowSeats(MakePosition("rounds", 1), nullptr),
              FailsWith(Reason::kBadPageToken, "position"));
}

TEST_F(OutboxTailTest, APositionThatWasNeverReachedEndsIt) {
  Write(1, 2);
  const auto reached = Follow(MakePosition("rounds", 2));
  const auto ahead = Follow(MakePosition("rounds", 3));
  tail_.Turn();
  EXPECT_FALSE(reached->end);
  ASSERT_TRUE(ahead->end);
  EXPECT_THAT(*ahead->end, FailsWith(Reason::kSequenceAhead, "position"));
}

TEST_F(OutboxTailTest, WhoComesBackTooLateLearnsThatItMissedSomething) {
  Write(1, 5);
  outbox_.DropRounds(3);
  const auto late = Follow(MakePosition("rounds", 2));
  const auto in_time = Follow(MakePosition("rounds", 3));
  const auto fresh = Follow();
  tail_.Turn();
  ASSERT_TRUE(late->end);
  EXPECT_THAT(*late->end, FailsWith(Reason::kRecordExpired, "position"));
  EXPECT_THAT(late->rounds, IsEmpty());
  EXPECT_THAT(in_time->rounds, ElementsAre("r4", "r5"));
  EXPECT_THAT(fresh->rounds, ElementsAre("r4", "r5"));
}

TEST_F(OutboxTailTest, AFeedThatCannotBeReadEndsWhoFollows) {
  const auto listener = Follow();
  outbox_.FailWith(base::Error(Reason::kUnavailable));
  tail_.Turn();
  ASSERT_TRUE(listener->end);
  EXPECT_THAT(*listener->end, FailsWith(Reason::kUnavailable));
}

TEST(SeatChangeTest, OpenIsWaitingWithAFreeSeat) {
  SeatChange change;
  EXPECT_TRUE(change.open());
  change.stage = TableStage::kSettling;
  EXPECT_FALSE(change.open());
  change.stage = TableStage::kWaiting;
  for (const Seat seat : rules::kSeats) change.players[seat] = PlayerId("p");
  EXPECT_FALSE(change.open());
}

}  // namespace
}  // namespace mj::table
