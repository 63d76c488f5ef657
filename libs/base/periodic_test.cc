#include "libs/base/periodic.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace mj::base {
namespace {

TEST(PeriodicTest, ComesRoundUntilItIsStopped) {
  std::atomic<int> turns = 0;
  Periodic periodic("turns", [&turns] { ++turns; });
  EXPECT_EQ(turns, 0) << "nothing before Start";
  periodic.Start(std::chrono::nanoseconds(1));
  while (turns < 3) std::this_thread::yield();
  EXPECT_FALSE(periodic.stopping());
  periodic.Stop();
  const int then = turns;
  EXPECT_TRUE(periodic.stopping());
  periodic.Stop();
  EXPECT_EQ(turns, then);
}

TEST(PeriodicTest, AStopDoesNotWaitForThePause) {
  std::atomic<int> turns = 0;
  Periodic periodic("turns", [&turns] { ++turns; });
  periodic.Start(std::chrono::hours(24));
  while (turns < 1) std::this_thread::yield();
  periodic.Stop();
  EXPECT_EQ(turns, 1);
}

TEST(PeriodicTest, NeverBeginsAfterAStop) {
  std::atomic<int> turns = 0;
  Periodic periodic("turns", [&turns] { ++turns; });
  periodic.Stop();
  periodic.Start(std::chrono::nanoseconds(1));
  EXPECT_EQ(turns, 0);
}

}  // namespace
}  // namespace mj::base
