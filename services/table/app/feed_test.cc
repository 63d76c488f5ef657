#include "services/table/app/feed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <vector>

#include "libs/base/status_testing.h"

namespace mj::table {
namespace {

using base::FailsWith;
using base::IsOk;
using base::Reason;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

Shown Event(StreamSeq sequence) {
  return {sequence, {}, std::make_shared<const ShownEvent>(SeatReady{Seat::k0, 1})};
}

std::vector<Shown> Events(StreamSeq first, StreamSeq last) {
  std::vector<Shown> events;
  for (StreamSeq i = first; i <= last; ++i) events.push_back(Event(i));
  return events;
}

// A feed with readers whose refills are done at once, as a table's queue would do them soon after.
class FeedTest : public ::testing::Test {
 protected:
  std::shared_ptr<Subscription> Attach(StreamSeq after, std::vector<Shown> older = {},
                                       std::size_t outbox_max = 8) {
    auto reader = std::make_shared<Subscription>(outbox_max);
    feed_.Attach(reader, after, std::move(older),
                 [this, raw = reader.get()] { refills_.push_back(raw); });
    return reader;
  }

  void Refill() {
    for (const Subscription* reader : std::exchange(refills_, {})) cut_ += feed_.Refill(reader);
  }

  // Everything that the reader can have now.
  std::vector<StreamSeq> ReadAll(Subscription& reader) {
    std::vector<StreamSeq> all;
    while (true) {
      Refill();
      const Subscription::Taken taken = reader.Take(3);
      if (taken.events.empty()) return all;
      for (const Shown& shown : taken.events) all.push_back(shown.sequence);
    }
  }

  static std::vector<StreamSeq> Range(StreamSeq first, StreamSeq last) {
    std::vector<StreamSeq> range(last - first + 1);
    std::iota(range.begin(), range.end(), first);
    return range;
  }

  void AddUpTo(StreamSeq last) {
    while (feed_.last() < last) cut_ += feed_.Add(Event(feed_.last() + 1));
    feed_.Tell();
  }

  Feed feed_{10};
  std::vector<const Subscription*> refills_;
  std::size_t cut_ = 0;
};

TEST_F(FeedTest, ALiveReaderGetsEachEventOnce) {
  const auto reader = Attach(0);
  AddUpTo(2);
  EXPECT_THAT(ReadAll(*reader), ElementsAre(1, 2));
  AddUpTo(3);
  EXPECT_THAT(ReadAll(*reader), ElementsAre(3));
  EXPECT_THAT(ReadAll(*reader), IsEmpty());
}

TEST_F(FeedTest, AReaderIsCalledWhenItFoundNothing) {
  const auto reader = Attach(0);
  int called = 0;
  reader->OnReady([&called] { ++called; });
  EXPECT_EQ(called, 0);
  AddUpTo(2);
  EXPECT_EQ(called, 1);  // once, until it has looked
  EXPECT_THAT(ReadAll(*reader), ElementsAre(1, 2));
  AddUpTo(3);
  EXPECT_EQ(called, 2);
}

TEST_F(FeedTest, WhatHappensTogetherIsToldAtOnce) {
  const auto reader = Attach(0);
  std::vector<std::size_t> taken;
  reader->OnReady([&] {
    taken.push_back(reader->Take(10).events.size());
    EXPECT_TRUE(reader->Take(10).events.empty());
  });
  cut_ += feed_.Add(Event(1));
  cut_ += feed_.Add(Event(2));
  EXPECT_THAT(taken, IsEmpty());
  feed_.Tell();
  feed_.Tell();  // of nothing
  AddUpTo(3);
  EXPECT_THAT(taken, ElementsAre(2U, 1U));
}

TEST_F(FeedTest, ABusyReaderIsCalledWhenItIsCutOff) {
  const auto reader = Attach(0, {}, /*outbox_max=*/2);
  int called = 0;
  reader->OnReady([&called] { ++called; });
  AddUpTo(1);
  AddUpTo(3);
  EXPECT_EQ(called, 2);
  EXPECT_THAT(*reader->Take(1).end, FailsWith(Reason::kStreamTooSlow));
}

TEST_F(FeedTest, AReaderThatCameLateIsCalledForThePast) {
  AddUpTo(1);
  const auto reader = Attach(0);
  int called = 0;
  reader->OnReady([&called] { ++called; });
  EXPECT_EQ(called, 1);
}

TEST_F(FeedTest, ResumesAnywhereInWhatIsKept) {
  AddUpTo(10);
  for (StreamSeq after = 0; after < 10; ++after) {
    ASSERT_TRUE(feed_.Keeps(after));
    EXPECT_EQ(ReadAll(*Attach(after)), Range(after + 1, 10));
  }
  EXPECT_THAT(ReadAll(*Attach(10)), IsEmpty());
}

TEST_F(FeedTest, KeepsTheLatestOnly) {
  AddUpTo(13);
  EXPECT_FALSE(feed_.Keeps(2));
  EXPECT_TRUE(feed_.Keeps(3));
}

TEST_F(FeedTest, OlderEventsComeBeforeTheKeptOnes) {
  AddUpTo(25);
  EXPECT_EQ(ReadAll(*Attach(4, Events(5, 25))), Range(5, 25));
  // Loaded before the last few happened.
  EXPECT_EQ(ReadAll(*Attach(4, Events(5, 18))), Range(5, 25));
}

TEST_F(FeedTest, TheJournalMayBeAheadOfWhatHasBeenShown) {
  AddUpTo(25);
  const auto reader = Attach(4, Events(5, 27));
  EXPECT_EQ(ReadAll(*reader), Range(5, 27));
  AddUpTo(28);
  EXPECT_THAT(ReadAll(*reader), ElementsAre(28));
}

TEST_F(FeedTest, APastLargerThanTheOutboxIsNotTooSlow) {
  AddUpTo(10);
  const auto reader = Attach(0, {}, /*outbox_max=*/4);
  AddUpTo(12);  // while it is behind
  EXPECT_EQ(ReadAll(*reader), Range(1, 12));
  EXPECT_EQ(cut_, 0U);
}

TEST_F(FeedTest, CatchingUpLeavesRoomForThePresent) {
  AddUpTo(4);
  const auto reader = Attach(0, {}, /*outbox_max=*/8);
  AddUpTo(8);  // live with four unread
  EXPECT_EQ(cut_, 0U);
  EXPECT_EQ(ReadAll(*reader), Range(1, 8));
}

TEST_F(FeedTest, ALiveReaderThatDoesNotReadIsCutOff) {
  const auto slow = Attach(0, {}, /*outbox_max=*/4);
  const auto other = Attach(0);
  AddUpTo(4);
  EXPECT_EQ(cut_, 0U);
  EXPECT_THAT(ReadAll(*other), ElementsAre(1, 2, 3, 4));
  AddUpTo(5);
  EXPECT_EQ(cut_, 1U);
  const Subscription::Taken taken = slow->Take(10);
  EXPECT_THAT(taken.events, IsEmpty());
  ASSERT_TRUE(taken.end);
  EXPECT_THAT(*taken.end, FailsWith(Reason::kStreamTooSlow));
  EXPECT_THAT(ReadAll(*other), ElementsAre(5));
}

TEST_F(FeedTest, AReaderWhosePastIsKeptNoLongerIsCutOff) {
  AddUpTo(10);
  const auto reader = Attach(0, {}, /*outbox_max=*/4);
  AddUpTo(30);
  EXPECT_EQ(ReadAll(*reader).size(), 2U);
  EXPECT_EQ(cut_, 1U);
  EXPECT_THAT(*reader->Take(1).end, FailsWith(Reason::kStreamTooSlow));
}

TEST_F(FeedTest, TheEndComesAfterTheRest) {
  const auto live = Attach(0);
  AddUpTo(9);
  EXPECT_EQ(cut_, 1U) << "nine do not fit into eight";
  AddUpTo(10);
  const auto behind = Attach(0, {}, /*outbox_max=*/4);
  const auto late = Attach(10);
  feed_.End(absl::OkStatus());
  EXPECT_EQ(ReadAll(*behind), Range(1, 10));
  EXPECT_THAT(*behind->Take(1).end, IsOk());
  EXPECT_THAT(*late->Take(1).end, IsOk());
}

TEST_F(FeedTest, AFailureEndsEverybodyAtOnce) {
  AddUpTo(10);
  const auto behind = Attach(0, {}, /*outbox_max=*/4);
  feed_.End(base::Error(Reason::kShuttingDown));
  const Subscription::Taken taken = behind->Take(10);
  EXPECT_THAT(taken.events, IsEmpty());
  EXPECT_THAT(*taken.end, FailsWith(Reason::kShuttingDown));
}

TEST_F(FeedTest, OnlyTheLatestNoticeIsTold) {
  const auto reader = Attach(0);
  int called = 0;
  reader->OnReady([&called] { ++called; });
  for (int observers = 1; observers <= 100; ++observers) feed_.Notify({observers});
  EXPECT_EQ(called, 1);
  AddUpTo(1);
  Subscription::Taken taken = reader->Take(10);
  EXPECT_EQ(taken.events.size(), 1U);
  ASSERT_TRUE(taken.notice);
  EXPECT_EQ(taken.notice->observers, 100);
  taken = reader->Take(10);
  EXPECT_FALSE(taken.notice);
  feed_.Notify({0});
  EXPECT_EQ(called, 2);
  EXPECT_THAT(reader->Take(10).events, IsEmpty());  // a notice alone
  AddUpTo(2);
  EXPECT_THAT(ReadAll(*reader), ElementsAre(2));
}

TEST_F(FeedTest, ACancelledReaderIsForgotten) {
  const auto reader = Attach(0);
  const std::weak_ptr<Subscription> weak = reader;
  int called = 0;
  reader->OnReady([&called] { ++called; });
  reader->Cancel();
  AddUpTo(1);
  EXPECT_EQ(called, 0);
  EXPECT_THAT(reader->Take(1).events, IsEmpty());
}

}  // namespace
}  // namespace mj::table
