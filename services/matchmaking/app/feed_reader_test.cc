#include "services/matchmaking/app/feed_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "libs/base/reasons.h"
#include "libs/base/simulated_clock_testing.h"
#include "libs/base/status.h"
#include "libs/base/status_testing.h"
#include "services/matchmaking/app/memory_store_testing.h"

namespace mj::matchmaking {
namespace {

using base::Reason;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Feeds of batches whose positions count: "1" after the first.
class FakeFeeds final : public TableFeeds {
 public:
  absl::Status FollowRounds(const std::string& position, base::MonotonicTime /*until*/,
                            const Take<EndedRound>& take) override {
    return Follow(rounds, position, take);
  }
  absl::Status FollowSeats(const std::string& position, base::MonotonicTime /*until*/,
                           const Take<SeatChange>& take) override {
    return Follow(seats, position, take);
  }
  void End() override {}

  std::vector<FeedBatch<EndedRound>> rounds;
  std::vector<FeedBatch<SeatChange>> seats;
  std::deque<absl::Status> ends;         // of the next turns, after what they told
  std::optional<std::string> only_from;  // from other positions it cannot go on
  std::vector<std::string> asked;

 private:
  template <typename Item>
  absl::Status Follow(const std::vector<FeedBatch<Item>>& batches, const std::string& position,
                      const Take<Item>& take) {
    asked.push_back(position);
    if (only_from && position != *only_from) return base::Error(Reason::kRecordExpired);
    std::size_t next = 0;
    while (!position.empty() && next < batches.size() && batches[next].position != position) ++next;
    if (!position.empty()) ++next;
    for (; next < batches.size(); ++next) {
      if (!take(batches[next])) return absl::OkStatus();
    }
    if (ends.empty()) return absl::OkStatus();
    absl::Status end = ends.front();
    ends.pop_front();
    return end;
  }
};

class Heard final : public Monitor {
 public:
  void OnTold(std::string_view feed, std::size_t items) override {
    lines.push_back(std::string(feed) + " " + std::to_string(items));
  }
  void OnSeatsFreed(std::size_t seats) override {
    lines.push_back("freed " + std::to_string(seats));
  }
  void OnFailure(std::string_view what, const absl::Status& status) override {
    lines.push_back(std::string(what) + ": " +
                    std::string(base::InfoOf(base::ReasonToTell(status)).name));
  }
  void OnLag(std::string_view feed, std::chrono::milliseconds lag) override {
    lags.push_back(std::string(feed) + " " + std::to_string(lag.count()));
  }
  std::vector<std::string> Take() { return std::exchange(lines, {}); }
  std::vector<std::string> lines;
  std::vector<std::string> lags;
};

// A store whose next steps fail, before or after they were done.
class FaultyFeedStore final : public FeedStore {
 public:
  explicit FaultyFeedStore(FeedStore& inner) : inner_(inner) {}
  absl::StatusOr<std::optional<std::string>> ClaimFeed(Feed feed, std::string_view holder,
                                                       Millis lease) override {
    if (away) return base::Error(Reason::kUnavailable);
    return inner_.ClaimFeed(feed, holder, lease);
  }
  absl::StatusOr<bool> ApplyRounds(std::string_view from,
                                   const FeedBatch<EndedRound>& batch) override {
    const auto done = inner_.ApplyRounds(from, batch);
    if (std::exchange(answer_lost, false)) return base::Error(Reason::kUnavailable);
    return done;
  }
  absl::StatusOr<std::optional<std::size_t>> ApplySeats(
      std::string_view from, const FeedBatch<SeatChange>& batch) override {
    return inner_.ApplySeats(from, batch);
  }
  absl::StatusOr<std::size_t> ForgetMeetings(Millis age, std::size_t limit) override {
    return inner_.ForgetMeetings(age, limit);
  }
  bool away = false;
  bool answer_lost = false;

 private:
  FeedStore& inner_;
};

class FeedReaderTest : public ::testing::Test {
 protected:
  static FeedBatch<EndedRound> Batch(const std::string& position) {
    EndedRound round{.round = "r" + position,
                     .variant = "v",
                     .currency = "COIN",
                     .players = {},
                     .settled = true,
                     .coins = {3, -1, -1, -1}};
    for (std::size_t i = 0; i < kSeats; ++i) {
      round.players[i] = PlayerId("p" + std::to_string(i));
    }
    return {{round}, position};
  }
  std::string PositionOf(Feed feed) {
    clock_.Advance(Millis(60'000));  // nobody's lease lasts so long
    const auto position = memory_.ClaimFeed(feed, "test", Millis(0));
    EXPECT_THAT(position, base::IsOk());
    return position.value().value();
  }

  base::SimulatedClock clock_;
  MemoryStore memory_{clock_};
  FaultyFeedStore store_{memory_};
  FakeFeeds feeds_;
  Heard heard_;
  FeedReader reader_{store_, feeds_, clock_, heard_, "a"};
};

TEST_F(FeedReaderTest, ATurnWritesDownWhatIsToldAndTheNextGoesOn) {
  feeds_.rounds = {Batch("1"), Batch("2")};
  reader_.FollowRounds();
  EXPECT_THAT(heard_.Take(), ElementsAre("rounds 1", "rounds 1"));
  feeds_.rounds.push_back(Batch("3"));
  reader_.FollowRounds();
  EXPECT_THAT(heard_.Take(), ElementsAre("rounds 1"));
  EXPECT_THAT(feeds_.asked, ElementsAre("", "2"));
  EXPECT_EQ(PositionOf(Feed::kEndedRounds), "3");
}

TEST_F(FeedReaderTest, HowFarBehindItIsIsTold) {
  feeds_.rounds = {Batch("1"), Batch("2")};
  feeds_.rounds[0].lag = Millis(9'000);
  feeds_.rounds[1].lag = Millis(20);
  reader_.FollowRounds();
  EXPECT_THAT(heard_.lags, ElementsAre("rounds 9000", "rounds 20", "rounds 20"));
  heard_.lags.clear();
  reader_.FollowRounds();
  EXPECT_THAT(heard_.lags, ElementsAre("rounds 0")) << "there was nothing more";
  heard_.lags.clear();
  store_.away = true;
  clock_.Advance(Millis(4'000));
  reader_.FollowRounds();
  reader_.FollowSeats();
  EXPECT_THAT(heard_.lags, ElementsAre("rounds 4000", "seats 4000"));
  heard_.lags.clear();
  store_.away = false;
  FeedReader other(store_, feeds_, clock_, heard_, "b");
  other.FollowRounds();
  EXPECT_THAT(heard_.lags, ElementsAre("rounds 0")) << "another replica follows it";
}

TEST_F(FeedReaderTest, AnotherReplicasFeedIsLeftAlone) {
  feeds_.rounds = {Batch("1")};
  FeedReader other(store_, feeds_, clock_, heard_, "b");
  other.FollowRounds();
  feeds_.rounds.push_back(Batch("2"));
  reader_.FollowRounds();
  EXPECT_THAT(feeds_.asked, ElementsAre(""));
  // It is gone.
  clock_.Advance(Millis(15'000));
  reader_.FollowRounds();
  EXPECT_THAT(feeds_.asked, ElementsAre("", "1"));
  EXPECT_EQ(PositionOf(Feed::kEndedRounds), "2");
}

TEST_F(FeedReaderTest, ABatchThatAnotherHasWrittenEndsTheTurn) {
  feeds_.rounds = {Batch("1"), Batch("2")};
  // It was slow: its lease is over, and the other has gone on while it reads.
  EXPECT_THAT(memory_.ApplyRounds("", Batch("1")), base::IsOkAndHolds(true));
  const auto position = memory_.ClaimFeed(Feed::kEndedRounds, "a", Millis(1));
  EXPECT_THAT(memory_.ApplyRounds("1", Batch("2")), base::IsOkAndHolds(true));
  EXPECT_THAT(memory_.ApplyRounds(position->value(), Batch("2")), base::IsOkAndHolds(false));
  reader_.FollowRounds();
  EXPECT_THAT(heard_.Take(), IsEmpty());
}

TEST_F(FeedReaderTest, AnAnswerThatIsLostCountsNothingTwice) {
  feeds_.rounds = {Batch("1"), Batch("2")};
  store_.answer_lost = true;
  reader_.FollowRounds();
  EXPECT_THAT(heard_.Take(), ElementsAre("rounds: UNAVAILABLE"));
  reader_.FollowRounds();
  EXPECT_THAT(heard_.Take(), ElementsAre("rounds 1"));
  EXPECT_THAT(feeds_.asked, ElementsAre("", "1"));
}

TEST_F(FeedReaderTest, WhereItCannotGoOnItBeginsAnew) {
  feeds_.rounds = {Batch("1")};
  reader_.FollowRounds();
  heard_.Take();
  feeds_.only_from = "";
  feeds_.rounds = {Batch("1"), Batch("7")};
  reader_.FollowRounds();
  EXPECT_THAT(heard_.Take(), ElementsAre("rounds: RECORD_EXPIRED"));
  reader_.FollowRounds();
  EXPECT_THAT(heard_.Take(), ElementsAre("rounds 1", "rounds 1"));
  EXPECT_EQ(PositionOf(Feed::kEndedRounds), "7");
}

TEST_F(FeedReaderTest, AFeedThatBreaksOffGoesOnWhereItWas) {
  feeds_.rounds = {Batch("1")};
  feeds_.ends = {base::Error(Reason::kShuttingDown)};
  reader_.FollowRounds();
  EXPECT_THAT(heard_.Take(), ElementsAre("rounds 1", "rounds: SHUTTING_DOWN"));
  reader_.FollowRounds();
  EXPECT_THAT(feeds_.asked, ElementsAre("", "1"));
}

TEST_F(FeedReaderTest, AStoreThatIsAwayIsToldAndTriedAgain) {
  store_.away = true;
  reader_.FollowRounds();
  reader_.FollowSeats();
  EXPECT_THAT(heard_.Take(), ElementsAre("rounds: UNAVAILABLE", "seats: UNAVAILABLE"));
  EXPECT_THAT(feeds_.asked, IsEmpty());
}

TEST_F(FeedReaderTest, SeatsAreFollowedTheSameWay) {
  SeatChange change;
  change.left = {PlayerId("nobody")};
  feeds_.seats = {{{change}, "1"}};
  reader_.FollowSeats();
  EXPECT_THAT(heard_.Take(), ElementsAre("seats 1"));
  EXPECT_EQ(PositionOf(Feed::kSeatChanges), "1");
  feeds_.only_from = "";
  reader_.FollowSeats();
  EXPECT_THAT(heard_.Take(), ElementsAre("seats: RECORD_EXPIRED"));
  EXPECT_EQ(PositionOf(Feed::kSeatChanges), "");
}

}  // namespace
}  // namespace mj::matchmaking
