#include "services/wallet/store/group_commit.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "libs/base/clock.h"
#include "libs/base/reasons.h"
#include "libs/base/simulated_clock_testing.h"

namespace mj::wallet::store {
namespace {

Posting Named(const std::string& key) {
  Posting posting;
  posting.key.text = key;
  posting.decide = [](const Ground&) -> absl::StatusOr<Verdict> { return Refusal{}; };
  return posting;
}

// A writer that waits until it is let go, and tells what it was given.
class GatedWriter {
 public:
  void Write(GroupCommit::Group group, base::MonotonicTime) {
    {
      base::MutexLock lock(mutex_);
      std::vector<std::string> keys;
      for (const auto& pending : group) keys.push_back(pending->posting().key.text);
      groups_.push_back(keys);
      ++writing_;
      changed_.NotifyAll();
      while (!open_) changed_.Wait(mutex_);
      --writing_;
    }
    for (const auto& pending : group) {
      pending->outcome = PostOutcome(Posted{.journal_no = 7});
    }
  }
  void Open() {
    base::MutexLock lock(mutex_);
    open_ = true;
    changed_.NotifyAll();
  }
  void AwaitWriting(int groups) {
    base::MutexLock lock(mutex_);
    while (writing_ < groups) changed_.Wait(mutex_);
  }
  std::vector<std::vector<std::string>> groups() {
    base::MutexLock lock(mutex_);
    return groups_;
  }

 private:
  base::Mutex mutex_;
  base::CondVar changed_;
  bool open_ = false;
  int writing_ = 0;
  std::vector<std::vector<std::string>> groups_;
};

class GroupCommitTest : public ::testing::Test {
 protected:
  base::MonotonicTime InAMinute() const { return clock_.Monotonic() + std::chrono::minutes(1); }

  GroupCommit Make(const GroupCommitOptions& options) {
    return GroupCommit(options, clock_, [this](GroupCommit::Group group, base::MonotonicTime end) {
      writer_.Write(group, end);
    });
  }

  base::SystemClock clock_;
  GatedWriter writer_;
};

TEST_F(GroupCommitTest, WhoComesAloneIsWrittenAtOnce) {
  GroupCommit commit = Make({});
  writer_.Open();
  for (int i = 0; i < 3; ++i) {
    const auto outcome = commit.Post(Named("k" + std::to_string(i)), InAMinute());
    ASSERT_TRUE(outcome.ok()) << outcome.status();
    EXPECT_EQ(std::get<Posted>(*outcome).journal_no, 7);
  }
  EXPECT_EQ(writer_.groups().size(), 3U);
}

TEST_F(GroupCommitTest, WhoComesMeanwhileIsWrittenTogether) {
  GroupCommit commit = Make({.writers_max = 1, .group_max = 8});
  std::vector<std::thread> callers;
  const auto post = [&](const std::string& key) {
    callers.emplace_back(
        [&commit, this, key] { EXPECT_TRUE(commit.Post(Named(key), InAMinute()).ok()); });
  };
  post("first");
  writer_.AwaitWriting(1);
  for (int i = 0; i < 20; ++i) post("k" + std::to_string(i));
  writer_.Open();
  for (std::thread& caller : callers) caller.join();
  std::set<std::string> written;
  for (const auto& group : writer_.groups()) {
    EXPECT_LE(group.size(), 8U);
    for (const std::string& key : group) EXPECT_TRUE(written.insert(key).second) << key;
  }
  EXPECT_EQ(written.size(), 21U);
}

TEST_F(GroupCommitTest, OneKeyIsNeverInTwoGroupsAtATime) {
  GroupCommit commit = Make({.writers_max = 4, .group_max = 1, .further_group_min = 1});
  std::vector<std::thread> callers;
  for (const char* const key : {"same", "same", "same", "other"}) {
    callers.emplace_back(
        [&commit, this, key] { EXPECT_TRUE(commit.Post(Named(key), InAMinute()).ok()); });
  }
  writer_.AwaitWriting(2);  // one of the same, and the other
  const auto groups = writer_.groups();
  EXPECT_EQ(groups.size(), 2U);
  EXPECT_NE(groups[0], groups[1]);
  writer_.Open();
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(writer_.groups().size(), 4U);
}

TEST_F(GroupCommitTest, WhoWaitsTooLongLeaves) {
  GroupCommit commit = Make({.writers_max = 1});
  std::thread first([&] { EXPECT_TRUE(commit.Post(Named("first"), InAMinute()).ok()); });
  writer_.AwaitWriting(1);
  const auto late = commit.Post(Named("late"), clock_.Monotonic() + std::chrono::milliseconds(20));
  EXPECT_TRUE(base::HasReason(late.status(), base::Reason::kDeadlineExceeded)) << late.status();
  const auto past = commit.Post(Named("past"), clock_.Monotonic());
  EXPECT_TRUE(base::HasReason(past.status(), base::Reason::kDeadlineExceeded));
  writer_.Open();
  first.join();
  EXPECT_EQ(writer_.groups().size(), 1U);  // who left the queue is not written
}

// One caller, whose posting is taken, and who gives up before anybody decides.
class Departure {
 public:
  // Plays it. False if the caller gave up before its posting was taken.
  bool Play(base::Clock& clock) {
    GroupCommit commit({}, clock, [&](GroupCommit::Group group, auto) {
      Hold();
      for (const auto& pending : group) {
        pending->outcome = commit_->Decide(*pending, {}).status();
      }
    });
    commit_ = &commit;
    Posting posting = Named("leaves");
    posting.decide = [this](const Ground&) -> absl::StatusOr<Verdict> {
      decided_ = true;
      return Refusal{};
    };
    left_ = commit.Post(posting, clock.Monotonic() + std::chrono::milliseconds(100)).status();
    base::MutexLock lock(mutex_);
    has_left_ = true;
    changed_.NotifyAll();
    return taken_;
  }

  const absl::Status& left() const { return left_; }
  bool decided() const { return decided_; }

 private:
  void Hold() {
    base::MutexLock lock(mutex_);
    taken_ = true;
    while (!has_left_) changed_.Wait(mutex_);
  }

  GroupCommit* commit_ = nullptr;
  absl::Status left_;
  std::atomic<bool> decided_ = false;
  base::Mutex mutex_;
  base::CondVar changed_;
  bool taken_ = false;
  bool has_left_ = false;
};

TEST_F(GroupCommitTest, NobodyDecidesForWhoLeft) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    Departure departure;
    if (!departure.Play(clock_)) continue;
    EXPECT_TRUE(base::HasReason(departure.left(), base::Reason::kDeadlineExceeded));
    EXPECT_FALSE(departure.decided());
    return;
  }
  FAIL() << "nothing was ever taken in time";
}

// What callers that do not wait are told.
class Told {
 public:
  PostDone As(const std::string& name) {
    return [this, name](const absl::StatusOr<PostOutcome>& outcome) {
      base::MutexLock lock(mutex_);
      told_[name] = outcome.status();
      changed_.NotifyAll();
    };
  }
  std::map<std::string, absl::Status> Await(std::size_t count) {
    base::MutexLock lock(mutex_);
    while (told_.size() < count) changed_.Wait(mutex_);
    return told_;
  }

 private:
  base::Mutex mutex_;
  base::CondVar changed_;
  std::map<std::string, absl::Status> told_;
};

std::shared_ptr<const Posting> Shared(const std::string& key) {
  return std::make_shared<const Posting>(Named(key));
}

TEST_F(GroupCommitTest, WhoDoesNotWaitIsTold) {
  GroupCommit commit = Make({.writers_max = 1});
  Told told;
  commit.PostAsync(Shared("first"), InAMinute(), told.As("first"));
  writer_.AwaitWriting(1);
  commit.PostAsync(Shared("a"), InAMinute(), told.As("a"));
  commit.PostAsync(Shared("b"), InAMinute(), told.As("b"));
  std::thread waits([&] { EXPECT_TRUE(commit.Post(Named("c"), InAMinute()).ok()); });
  writer_.Open();
  for (const auto& [name, status] : told.Await(3)) EXPECT_TRUE(status.ok()) << name << status;
  waits.join();
}

TEST_F(GroupCommitTest, AGroupEndsAtTheLatestDeadline) {
  base::SimulatedClock clock;
  Told told;
  base::MonotonicTime end;
  GroupCommit commit({.writers_max = 1}, clock, [&](GroupCommit::Group group, auto deadline) {
    if (group.size() == 1 && group[0]->posting().key.text == "first") {
      writer_.Write(group, deadline);
    } else {
      end = deadline;
      for (const auto& pending : group) pending->outcome = PostOutcome(Posted{});
    }
  });
  const auto in = [&](int seconds) { return clock.Monotonic() + std::chrono::seconds(seconds); };
  const base::MonotonicTime latest = in(9);
  commit.PostAsync(Shared("first"), in(3), told.As("first"));
  writer_.AwaitWriting(1);
  commit.PostAsync(Shared("a"), in(5), told.As("a"));
  commit.PostAsync(Shared("b"), latest, told.As("b"));
  commit.PostAsync(Shared("late"), in(1), told.As("late"));
  clock.Advance(std::chrono::seconds(1));
  writer_.Open();
  const auto all = told.Await(4);
  EXPECT_TRUE(all.at("a").ok());
  EXPECT_TRUE(all.at("b").ok());
  // Its time was over before it was begun: nobody writes it any more.
  EXPECT_TRUE(base::HasReason(all.at("late"), base::Reason::kDeadlineExceeded));
  EXPECT_EQ(end, latest);
}

TEST_F(GroupCommitTest, TooManyAreRefusedAndTheEndIsToldToAll) {
  Told told;
  std::thread opens;
  {
    GroupCommit commit = Make({.writers_max = 1, .queue_max = 2});
    commit.PostAsync(Shared("first"), InAMinute(), told.As("first"));
    writer_.AwaitWriting(1);
    for (const char* const key : {"a", "b", "c"}) {
      commit.PostAsync(Shared(key), InAMinute(), told.As(key));
    }
    EXPECT_TRUE(
        base::HasReason(commit.Post(Named("d"), InAMinute()).status(), base::Reason::kOverloaded));
    // What is being written ends in its own time, after all who wait were told.
    opens = std::thread([&] {
      told.Await(3);
      writer_.Open();
    });
  }
  opens.join();
  const auto all = told.Await(4);
  EXPECT_TRUE(all.at("first").ok());
  EXPECT_TRUE(base::HasReason(all.at("a"), base::Reason::kShuttingDown));
  EXPECT_TRUE(base::HasReason(all.at("b"), base::Reason::kShuttingDown));
  EXPECT_TRUE(base::HasReason(all.at("c"), base::Reason::kOverloaded));
}

}  // namespace
}  // namespace mj::wallet::store
