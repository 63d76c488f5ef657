#include "services/table/app/alarm.h"

#include <gtest/gtest.h>

#include <chrono>

#include "libs/base/simulated_clock_testing.h"

namespace mj::table {
namespace {

using std::chrono::seconds;

TEST(AlarmTest, RingsOnce) {
  base::SimulatedClock clock;
  Alarm alarm(clock);
  int rings = 0;
  alarm.Set(seconds(2), [&rings] { ++rings; });
  clock.Advance(seconds(1));
  EXPECT_EQ(rings, 0);
  clock.Advance(seconds(5));
  EXPECT_EQ(rings, 1);
}

TEST(AlarmTest, TheLatestSettingCounts) {
  base::SimulatedClock clock;
  Alarm alarm(clock);
  int first = 0;
  int second = 0;
  alarm.Set(seconds(2), [&first] { ++first; });
  alarm.Set(seconds(4), [&second] { ++second; });
  clock.Advance(seconds(3));
  EXPECT_EQ(first + second, 0);
  clock.Advance(seconds(3));
  EXPECT_EQ(first, 0);
  EXPECT_EQ(second, 1);
}

TEST(AlarmTest, ACancelledAlarmIsSilentAndHoldsNothing) {
  base::SimulatedClock clock;
  const auto held = std::make_shared<int>(0);
  {
    Alarm alarm(clock);
    alarm.Set(seconds(2), [held] { ++*held; });
    alarm.Cancel();
    EXPECT_EQ(held.use_count(), 1);
    alarm.Set(seconds(2), [held] { ++*held; });
  }
  clock.Advance(seconds(5));
  EXPECT_EQ(*held, 0);
  EXPECT_EQ(held.use_count(), 1);
}

}  // namespace
}  // namespace mj::table
