#include "libs/base/clock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "libs/base/mutex.h"
#include "libs/base/simulated_clock_testing.h"

namespace mj::base {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;

TEST(FormatUtcTest, WritesMicroseconds) {
  EXPECT_EQ(FormatUtc(SimulatedClock::kStart), "2026-01-01T00:00:00.000000Z");
  EXPECT_EQ(FormatUtc(WallTime(std::chrono::microseconds(-1))), "1969-12-31T23:59:59.999999Z");
  EXPECT_EQ(FormatUtc(WallTime(std::chrono::microseconds(951'782'400'000'007))),
            "2000-02-29T00:00:00.000007Z");
}

TEST(SimulatedClockTest, StandsStillUntilMoved) {
  SimulatedClock clock;
  const auto wall = clock.Now();
  const auto mono = clock.Monotonic();
  EXPECT_EQ(clock.Now(), wall);
  clock.Advance(seconds(3));
  EXPECT_EQ(clock.Now() - wall, seconds(3));
  EXPECT_EQ(clock.Monotonic() - mono, seconds(3));
  clock.JumpWallClock(-seconds(60));
  EXPECT_EQ(clock.Now() - wall, -seconds(57));
  EXPECT_EQ(clock.Monotonic() - mono, seconds(3));
}

TEST(SimulatedClockTest, TimersFireInOrderAtTheirTimes) {
  SimulatedClock clock;
  const auto start = clock.Monotonic();
  std::vector<std::pair<int, std::int64_t>> fired;
  const auto note = [&](int what) {
    fired.emplace_back(what, (clock.Monotonic() - start) / milliseconds(1));
  };
  clock.CallAfter(milliseconds(20), [&] { note(2); });
  clock.CallAfter(milliseconds(10), [&] {
    note(1);
    clock.CallAfter(milliseconds(5), [&] { note(3); });
  });
  clock.CallAfter(milliseconds(20), [&] { note(4); });
  clock.CallAfter(milliseconds(31), [&] { note(5); });
  clock.Advance(milliseconds(9));
  EXPECT_TRUE(fired.empty());
  clock.Advance(milliseconds(21));
  EXPECT_THAT(fired,
              ElementsAre(std::pair(1, 10), std::pair(3, 15), std::pair(2, 20), std::pair(4, 20)));
  EXPECT_EQ(clock.pending_timers(), 1U);
}

TEST(SimulatedClockTest, ACancelledTimerDoesNotFire) {
  SimulatedClock clock;
  bool fired = false;
  const TimerId timer = clock.CallAfter(seconds(1), [&] { fired = true; });
  EXPECT_TRUE(clock.Cancel(timer));
  EXPECT_FALSE(clock.Cancel(timer));
  EXPECT_FALSE(clock.Cancel(TimerId::kNone));
  clock.Advance(seconds(2));
  EXPECT_FALSE(fired);
}

TEST(SystemClockTest, Advances) {
  SystemClock clock;
  const auto before = clock.Monotonic();
  EXPECT_GE(clock.Monotonic(), before);
  EXPECT_GT(clock.Now(), WallTime(std::chrono::microseconds(1'600'000'000'000'000)));
}

TEST(SystemClockTest, TimersFireInOrderAndCanBeCancelled) {
  Mutex mutex;
  CondVar changed;
  std::vector<int> fired;
  SystemClock clock;
  const auto note = [&](int what) {
    MutexLock lock(mutex);
    fired.push_back(what);
    changed.NotifyAll();
  };
  clock.CallAfter(milliseconds(30), [&] { note(2); });
  clock.CallAfter(milliseconds(1), [&] { note(1); });
  const TimerId never = clock.CallAfter(std::chrono::hours(1), [&] { note(9); });
  const TimerId cancelled = clock.CallAfter(milliseconds(10), [&] { note(8); });
  EXPECT_TRUE(clock.Cancel(cancelled));
  MutexLock lock(mutex);
  while (fired.size() < 2) {
    changed.Wait(mutex);
  }
  EXPECT_THAT(fired, ElementsAre(1, 2));
  EXPECT_TRUE(clock.Cancel(never));
}

TEST(SystemClockTest, WhoSleepsForALateTimerIsWokenForAnEarlierOne) {
  Mutex mutex;
  CondVar changed;
  int fired = 0;
  SystemClock clock;
  clock.CallAfter(std::chrono::hours(1), [] {});
  for (int i = 1; i <= 20; ++i) {
    clock.CallAfter(milliseconds(1), [&] {
      MutexLock lock(mutex);
      ++fired;
      changed.NotifyAll();
    });
    MutexLock lock(mutex);
    while (fired < i) {
      ASSERT_TRUE(changed.WaitFor(mutex, std::chrono::minutes(1)));
    }
  }
}

}  // namespace
}  // namespace mj::base
