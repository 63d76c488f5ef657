#include "services/table/app/journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "libs/base/executor.h"
#include "libs/base/manual_runner_testing.h"
#include "libs/base/simulated_clock_testing.h"
#include "libs/base/status_testing.h"
#include "services/table/app/fakes_testing.h"
#include "services/table/app/memory_event_log_testing.h"

namespace mj::table {
namespace {

using base::FailsWith;
using base::IsOkAndHolds;
using base::Reason;
using std::chrono::milliseconds;

class JournalTest : public ::testing::Test {
 protected:
  JournalTest() : log_(memory_) {
    for (const char* table : {"a", "b", "c"}) {
      TableSpec spec;
      spec.variant = "chaozhou";
      spec.players[Seat::k0] = PlayerId(table);
      const LogEntry first{1, {}, TableCreated{TableId(table), RequestId(table), spec}};
      EXPECT_TRUE(memory_.Create(first, OwnerId("a")).ok());
    }
    log_.OnWrite([this](std::span<const Append> appends) { groups_.push_back(appends.size()); });
  }

  using Answer = std::optional<absl::StatusOr<Appended>>;

  void Submit(const std::string& table, std::int64_t seq, Answer& answer) {
    journal_.Submit({TableId(table), 1, {{seq, {}, SeatReadied{Seat::k0, 1, {}}}}},
                    [&answer](absl::StatusOr<Appended> appended) { answer = appended; });
  }

  MemoryEventLog memory_;
  FaultyEventLog log_;
  base::ManualRunner runner_;
  base::SimulatedClock clock_;
  CountingMonitor monitor_;
  std::vector<std::size_t> groups_;
  Journal journal_{log_, runner_, clock_, monitor_, {.group_max = 2}};
};

TEST_F(JournalTest, AnswersOnceItIsWritten) {
  Answer answer;
  Submit("a", 2, answer);
  EXPECT_FALSE(answer);
  runner_.RunAll();
  ASSERT_TRUE(answer);
  EXPECT_THAT(*answer, IsOkAndHolds(Appended::kWritten));
  EXPECT_EQ(memory_.All(TableId("a")).size(), 2U);
}

TEST_F(JournalTest, WhatQueuesUpIsWrittenTogetherUpToTheLimit) {
  Answer a, b, c;
  Submit("a", 2, a);
  Submit("b", 2, b);
  Submit("c", 2, c);
  runner_.RunAll();
  EXPECT_TRUE(a && b && c);
  EXPECT_EQ(groups_, (std::vector<std::size_t>{2, 1}));
  EXPECT_EQ(monitor_.counts().events, 3U);
}

TEST_F(JournalTest, EachGetsItsOwnAnswer) {
  Answer a, b;
  Submit("a", 7, a);
  Submit("b", 2, b);
  runner_.RunAll();
  EXPECT_THAT(*a, IsOkAndHolds(Appended::kNotOwner));
  EXPECT_THAT(*b, IsOkAndHolds(Appended::kWritten));
}

TEST_F(JournalTest, AnAbsentLogIsTriedAgainUntilItIsBack) {
  log_.FailWrites(3, FaultyEventLog::When::kBeforeWriting);
  Answer answer;
  Submit("a", 2, answer);
  runner_.RunAll();
  EXPECT_FALSE(answer);
  for (int i = 0; i < 3; ++i) {
    clock_.Advance(milliseconds(2'000));
    runner_.RunAll();
  }
  ASSERT_TRUE(answer);
  EXPECT_THAT(*answer, IsOkAndHolds(Appended::kWritten));
  EXPECT_EQ(monitor_.counts().journal_away, 3);
}

TEST_F(JournalTest, ALostAnswerIsNoSecondWrite) {
  log_.FailWrites(1, FaultyEventLog::When::kAfterWriting);
  Answer answer;
  Submit("a", 2, answer);
  runner_.RunAll();
  clock_.Advance(milliseconds(2'000));
  runner_.RunAll();
  ASSERT_TRUE(answer);
  EXPECT_THAT(*answer, IsOkAndHolds(Appended::kWritten));
  EXPECT_EQ(memory_.All(TableId("a")).size(), 2U);
}

TEST_F(JournalTest, WhatComesDuringAnOutageWaitsBehindIt) {
  log_.FailWrites(1, FaultyEventLog::When::kBeforeWriting);
  Answer a, b;
  Submit("a", 2, a);
  runner_.RunAll();
  Submit("b", 2, b);
  runner_.RunAll();
  EXPECT_FALSE(b);
  clock_.Advance(milliseconds(2'000));
  runner_.RunAll();
  EXPECT_TRUE(a && b);
}

TEST_F(JournalTest, StopFailsWhatTheAbsentLogKeepsWaiting) {
  log_.FailWrites(1, FaultyEventLog::When::kBeforeWriting);
  Answer a, b;
  Submit("a", 2, a);
  runner_.RunAll();  // waits for its timer now
  Submit("b", 2, b);
  journal_.Stop();
  ASSERT_TRUE(a && b);
  EXPECT_THAT(*a, FailsWith(Reason::kShuttingDown));
  EXPECT_THAT(*b, FailsWith(Reason::kShuttingDown));
  clock_.Advance(milliseconds(2'000));
  runner_.RunAll();
  EXPECT_EQ(memory_.All(TableId("a")).size(), 1U);
}

TEST_F(JournalTest, AfterStopNothingIsTriedTwice) {
  journal_.Stop();
  log_.FailWrites(1, FaultyEventLog::When::kBeforeWriting);
  Answer a, b;
  Submit("a", 2, a);
  runner_.RunAll();
  ASSERT_TRUE(a);
  EXPECT_THAT(*a, FailsWith(Reason::kShuttingDown));
  Submit("b", 2, b);
  runner_.RunAll();
  ASSERT_TRUE(b);
  EXPECT_THAT(*b, IsOkAndHolds(Appended::kWritten));
}

TEST_F(JournalTest, StopLetsFinishWhatCanBe) {
  Answer a, b, c;
  log_.OnWrite([this](std::span<const Append>) { journal_.Stop(); });
  Submit("a", 2, a);
  Submit("b", 2, b);
  Submit("c", 2, c);
  runner_.RunAll();
  ASSERT_TRUE(a && b && c);
  for (const Answer& answer : {a, b, c}) EXPECT_THAT(*answer, IsOkAndHolds(Appended::kWritten));
}

TEST_F(JournalTest, TheNextGroupIsWrittenWhileTheTablesOfTheLastAreTold) {
  base::Executor executor({.name = "journal", .threads = 2});
  Journal journal(log_, executor, clock_, monitor_);
  const auto append = [](const char* table) {
    return Append{TableId(table), 1, {{2, {}, SeatReadied{Seat::k0, 1, {}}}}};
  };
  std::promise<absl::StatusOr<Appended>> first;
  std::promise<absl::StatusOr<Appended>> next;
  journal.Submit(append("a"), [&](absl::StatusOr<Appended> appended) {
    journal.Submit(append("b"), [&](absl::StatusOr<Appended> other) { next.set_value(other); });
    next.get_future().wait();
    first.set_value(appended);
  });
  EXPECT_THAT(first.get_future().get(), IsOkAndHolds(Appended::kWritten));
  EXPECT_EQ(groups_, (std::vector<std::size_t>{1, 1}));
  executor.Stop();
}

TEST_F(JournalTest, ItsEndFailsWhatNobodyRan) {
  Answer answer;
  {
    Journal journal(log_, runner_, clock_, monitor_);
    journal.Submit({TableId("a"), 1, {{2, {}, SeatReadied{Seat::k0, 1, {}}}}},
                   [&answer](absl::StatusOr<Appended> appended) { answer = appended; });
  }
  ASSERT_TRUE(answer);
  EXPECT_THAT(*answer, FailsWith(Reason::kShuttingDown));
  runner_.RunAll();
  EXPECT_EQ(memory_.All(TableId("a")).size(), 1U);
}

}  // namespace
}  // namespace mj::table
