#include "services/matchmaking/app/pulse.h"

#include <gtest/gtest.h>

#include <future>
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

TEST_F(PulseTest, WhoHurriesIsNotKeptWaiting) {
  pulse_.Hurry();
  EXPECT_EQ(runner_.RunAll(), 0u) << "not started";
  pulse_.Start();
  pulse_.Hurry();
  pulse_.Hurry();
  EXPECT_EQ(runner_.RunAll(), 1u) << "once";
  clock_.Advance(milliseconds(99));
  EXPECT_EQ(runner_.RunAll(), 0u) << "the pause is as long as ever";
  clock_.Advance(milliseconds(1));
  pulse_.Hurry();  // the beat that waits for the runner is the one
  EXPECT_EQ(runner_.RunAll(), 1u);
  pulse_.Stop();
  pulse_.Hurry();
  EXPECT_EQ(runner_.RunAll(), 0u);
  EXPECT_EQ(beats_, 2);
}

TEST_F(PulseTest, ABeatMayHurryTheNext) {
  int beats = 0;
  Pulse pulse(clock_, runner_, milliseconds(100), [&] {
    if (++beats % 3 != 0) pulse.Hurry();
  });
  pulse.Start();
  clock_.Advance(milliseconds(100));
  EXPECT_EQ(runner_.RunAll(), 3u);
  clock_.Advance(milliseconds(100));
  EXPECT_EQ(runner_.RunAll(), 3u);
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
  std::promise<void> inside;
  std::promise<void> release;
  bool ended = false;
  Pulse pulse(clock, executor, milliseconds(1), [&] {
    inside.set_value();
    release.get_future().wait();
    ended = true;
  });
  pulse.Start();
  inside.get_future().wait();
  std::promise<bool> stopped;
  std::future<bool> was_ended = stopped.get_future();
  std::thread stopper([&] {
    pulse.Stop();
    stopped.set_value(ended);
  });
  EXPECT_EQ(was_ended.wait_for(milliseconds(50)), std::future_status::timeout);
  release.set_value();
  EXPECT_TRUE(was_ended.get());
  stopper.join();
}

}  // namespace
}  // namespace mj::matchmaking
