#include "libs/base/executor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "libs/base/manual_runner_testing.h"
#include "libs/base/serial_queue.h"

namespace mj::base {
namespace {

// Holds tasks back until it is opened.
class Gate {
 public:
  void Open() {
    MutexLock lock(mutex_);
    open_ = true;
    changed_.NotifyAll();
  }
  void Pass() {
    MutexLock lock(mutex_);
    ++waiting_;
    changed_.NotifyAll();
    while (!open_) {
      changed_.Wait(mutex_);
    }
  }
  void AwaitWaiting(int count) {
    MutexLock lock(mutex_);
    while (waiting_ < count) {
      changed_.Wait(mutex_);
    }
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  bool open_ = false;
  int waiting_ = 0;
};

TEST(ExecutorTest, RunsEverythingItTookBeforeItStops) {
  std::atomic<int> done = 0;
  Executor executor({.name = "test", .threads = 3, .queue_max = 1000});
  for (int i = 0; i < 500; ++i) {
    EXPECT_TRUE(executor.TryPost([&] { ++done; }));
  }
  executor.Stop();
  EXPECT_EQ(done, 500);
  EXPECT_FALSE(executor.TryPost([] {}));
  EXPECT_FALSE(executor.Post([] {}));
  executor.Stop();
}

TEST(ExecutorTest, RefusesNewWorkWhenFullButTakesContinuations) {
  Gate gate;
  std::atomic<int> done = 0;
  Executor executor({.name = "test", .threads = 1, .queue_max = 2});
  ASSERT_TRUE(executor.TryPost([&] { gate.Pass(); }));
  gate.AwaitWaiting(1);
  EXPECT_TRUE(executor.TryPost([&] { ++done; }));
  EXPECT_TRUE(executor.TryPost([&] { ++done; }));
  EXPECT_FALSE(executor.TryPost([&] { ++done; }));
  EXPECT_TRUE(executor.Post([&] { ++done; }));
  EXPECT_EQ(executor.queue_size(), 3U);
  gate.Open();
  executor.Stop();
  EXPECT_EQ(done, 3);
}

TEST(SerialQueueTest, KeepsOrderAndNeverRunsTwoAtOnce) {
  Executor executor({.name = "test", .threads = 4, .queue_max = 1000});
  SerialQueue queue(executor, 10'000);
  std::vector<int> order;  // no lock: the queue's promise
  std::atomic<int> inside = 0;
  std::atomic<bool> overlapped = false;
  for (int i = 0; i < 5000; ++i) {
    ASSERT_TRUE(queue.TryPost([&, i] {
      overlapped = overlapped || ++inside != 1;
      order.push_back(i);
      --inside;
    }));
  }
  executor.Stop();
  EXPECT_FALSE(overlapped);
  ASSERT_EQ(order.size(), 5000U);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST(SerialQueueTest, RefusesNewWorkWhenFullButTakesContinuations) {
  ManualRunner runner;
  SerialQueue queue(runner, 2);
  int done = 0;
  EXPECT_TRUE(queue.TryPost([&] { ++done; }));
  EXPECT_TRUE(queue.TryPost([&] { ++done; }));
  EXPECT_FALSE(queue.TryPost([&] { ++done; }));
  EXPECT_TRUE(queue.Post([&] { ++done; }));
  EXPECT_EQ(queue.queue_size(), 3U);
  runner.RunAll();
  EXPECT_EQ(done, 3);
  EXPECT_TRUE(queue.TryPost([&] { ++done; }));
  runner.RunAll();
  EXPECT_EQ(done, 4);
}

TEST(SerialQueueTest, RefusesWhenItsRunnerIsFull) {
  ManualRunner runner(/*queue_max=*/0);
  SerialQueue queue(runner, 10);
  EXPECT_FALSE(queue.TryPost([] {}));
  EXPECT_EQ(queue.queue_size(), 0U);
  bool ran = false;
  EXPECT_TRUE(queue.Post([&] { ran = true; }));
  runner.RunAll();
  EXPECT_TRUE(ran);
}

TEST(SerialQueueTest, GivesOthersATurn) {
  ManualRunner runner;
  SerialQueue busy(runner, 1000);
  SerialQueue other(runner, 10);
  int busy_done = 0;
  int done_when_other_ran = -1;
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(busy.TryPost([&] { ++busy_done; }));
  }
  ASSERT_TRUE(other.TryPost([&] { done_when_other_ran = busy_done; }));
  runner.RunAll();
  EXPECT_EQ(busy_done, 100);
  EXPECT_LT(done_when_other_ran, 100);
}

TEST(SerialQueueTest, AnIdleQueueRunsOnItsCaller) {
  ManualRunner runner;
  SerialQueue queue(runner, 2);
  std::vector<int> order;
  EXPECT_TRUE(queue.TryRun([&] {
    // What comes meanwhile runs behind it, on the same thread, within the bound.
    EXPECT_TRUE(queue.TryRun([&] { order.push_back(2); }));
    EXPECT_TRUE(queue.TryPost([&] { order.push_back(3); }));
    EXPECT_FALSE(queue.TryRun([&] { order.push_back(0); }));
    EXPECT_TRUE(queue.Run([&] { order.push_back(4); }));
    order.push_back(1);
  }));
  EXPECT_EQ(order, (std::vector{1, 2, 3, 4}));
  EXPECT_EQ(runner.queue_size(), 0U);
}

TEST(SerialQueueTest, WhoRunsBehindOthersWaitsForTheirTurn) {
  ManualRunner runner;
  SerialQueue queue(runner, 10);
  std::vector<int> order;
  EXPECT_TRUE(queue.TryPost([&] { order.push_back(1); }));
  EXPECT_TRUE(queue.TryRun([&] { order.push_back(2); }));
  EXPECT_TRUE(order.empty());
  runner.RunAll();
  EXPECT_EQ(order, (std::vector{1, 2}));
}

TEST(SerialQueueTest, ACallerRunsOneTurnAtMost) {
  ManualRunner runner;
  SerialQueue queue(runner, 1000);
  int done = 0;
  EXPECT_TRUE(queue.TryRun([&] {
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(queue.TryPost([&] { ++done; }));
  }));
  EXPECT_LT(done, 100);
  runner.RunAll();
  EXPECT_EQ(done, 100);
}

TEST(SerialQueueTest, CallersThatRunKeepItsPromise) {
  constexpr int kEach = 2'000;
  Executor executor({.name = "test", .threads = 2, .queue_max = 1});
  SerialQueue queue(executor, 100'000);
  int done = 0;  // no lock: the queue's promise
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&] {
      for (int i = 0; i < kEach; ++i) EXPECT_TRUE(queue.Run([&] { ++done; }));
    });
  }
  for (std::thread& caller : callers) caller.join();
  executor.Stop();
  EXPECT_EQ(done, 4 * kEach);
}

TEST(SerialQueueTest, TasksTakenRunAlthoughTheQueueIsGone) {
  ManualRunner runner;
  bool ran = false;
  {
    SerialQueue queue(runner, 10);
    ASSERT_TRUE(queue.TryPost([&] { ran = true; }));
  }
  runner.RunAll();
  EXPECT_TRUE(ran);
}

TEST(SerialQueueTest, AClosedQueueTakesNothing) {
  ManualRunner runner;
  SerialQueue queue(runner, 10);
  queue.Close();
  EXPECT_FALSE(queue.TryPost([] {}));
  EXPECT_FALSE(queue.Post([] {}));
  EXPECT_FALSE(queue.TryRun([] {}));
  EXPECT_FALSE(queue.Run([] {}));
}

TEST(SerialQueueTest, FinishesWhatItTookWhenItsRunnerStops) {
  auto executor = std::make_unique<Executor>(ExecutorOptions{.name = "test", .threads = 1});
  SerialQueue queue(*executor, 1000);
  Gate gate;
  std::atomic<int> done = 0;
  ASSERT_TRUE(queue.TryPost([&] { gate.Pass(); }));
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(queue.TryPost([&] { ++done; }));
  }
  gate.Open();
  executor->Stop();
  EXPECT_EQ(done, 100);
}

TEST(SerialQueueTest, TasksMayPostToTheirOwnQueue) {
  ManualRunner runner;
  SerialQueue queue(runner, 1);
  std::vector<int> order;
  ASSERT_TRUE(queue.TryPost([&] {
    order.push_back(1);
    queue.Post([&] { order.push_back(2); });
  }));
  runner.RunAll();
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

}  // namespace
}  // namespace mj::base
