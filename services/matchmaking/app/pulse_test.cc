#include "services/matchmaking/app/pulse.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "libs/base/manual_runner_testing.h"
#include "libs/base/simulated_clock_testing.h"

namespace mj::matchmaking {
namespace {

using std::chrono::milliseconds;

class PulseTest : public ::testing::Test {
 protected:
  base::SimulatedClock clock_;
  base::ManualRunner runner_;
  int beats_ = 0;
  Pulse pulse_{clock_, runner_, milliseconds(100), [this] { ++beats_; }};
};

TEST_F(PulseTest, BeatsAfterEachIntervalCountedFromTheEndOfTheLast) {
  clock_.Advance(milliseconds(1'000));
  EXPECT_EQ(runner_.RunAll(), 0u) << "not started";
  pulse_.Start();
  clock_.Advance(milliseconds(99));
  EXPECT_EQ(runner_.RunAll(), 0u);
  clock_.Advance(milliseconds(1));
  clock_.Advance(milliseconds(1'000));  // the runner is busy: beats do not pile up
  EXPECT_EQ(runner_.RunAll(), 1u);
  EXPECT_EQ(beats_, 1);
  clock_.Advance(milliseconds(100));
  EXPECT_EQ(runner_.RunAll(), 1u);
  EXPECT_EQ(beats_, 2);
}

TEST_F(PulseTest, NoBeatAfterStop) {
  pulse_.Start();
  clock_.Advance(milliseconds(100));  // posted, not run yet
  pulse_.Stop();
  runner_.RunAll();
  clock_.Advance(milliseconds(1'000));
  runner_.RunAll();
  EXPECT_EQ(beats_, 0);
  pulse_.Stop();
}

TEST_F(PulseTest, AFullRunnerDoesNotEndIt) {
  base::ManualRunner tiny(1);
  Pulse pulse(clock_, tiny, milliseconds(100), [this] { ++beats_; });
  pulse.Start();
  ASSERT_TRUE(tiny.TryPost([] {}));
  clock_.Advance(milliseconds(100));
  tiny.RunAll();
  EXPECT_EQ(beats_, 1);
}

TEST(PulseThreadTest, StopWaitsForABeatThatIsUnderWay) {
  base::SystemClock clock;
  base::Executor executor({.name = "pulse", .threads = 2});
  std::atomic<bool> inside = false;
  std::atomic<bool> done = false;
  Pulse pulse(clock, executor, milliseconds(1), [&] {
    inside = true;
    std::this_thread::sleep_for(milliseconds(50));
    done = true;
  });
  pulse.Start();
  while (!inside) std::this_thread::yield();
  pulse.Stop();
  EXPECT_TRUE(done);
}

}  // namespace
}  // namespace mj::matchmaking
