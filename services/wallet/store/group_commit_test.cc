#include "services/wallet/store/group_commit.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "libs/base/clock.h"
#include "libs/base/reasons.h"

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

  GroupCommit Make(GroupCommitOptions options) {
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

// Three callers on one writer: while "first" is written, "stays" and "leaves" come; then they are
// written together, and "leaves" gives up before anybody decides.
class Departure {
 public:
  // Plays it. False if "leaves" came first, or alone: who leads a group cannot leave it.
  bool Play(base::Clock& clock) {
    GroupCommit commit({.writers_max = 1}, clock, [&](GroupCommit::Group group, auto) {
      Hold(group);
      for (const auto& pending : group) {
        const auto verdict = commit_->Decide(*pending, {});
        pending->outcome = verdict.ok() ? absl::StatusOr<PostOutcome>(PostOutcome(Posted{}))
                                        : absl::StatusOr<PostOutcome>(verdict.status());
      }
    });
    commit_ = &commit;
    const auto in_a_minute = clock.Monotonic() + std::chrono::minutes(1);
    std::thread first([&] { EXPECT_TRUE(commit.Post(Told("first"), in_a_minute).ok()); });
    Await([&] { return groups_ == 1; });
    std::thread stays([&] { EXPECT_TRUE(commit.Post(Told("stays"), in_a_minute).ok()); });
    Pause(std::chrono::milliseconds(10));  // most probably it is in the queue then
    left_ =
        commit.Post(Told("leaves"), clock.Monotonic() + std::chrono::milliseconds(200)).status();
    {
      base::MutexLock lock(mutex_);
      has_left_ = true;
      changed_.NotifyAll();
    }
    first.join();
    stays.join();
    return together_;
  }

  const absl::Status& left() const { return left_; }
  std::multiset<std::string> decided() {
    base::MutexLock lock(mutex_);
    return decided_;
  }

 private:
  // Keeps the first group until the others have had time to come, and the group of both until one
  // has left.
  void Hold(GroupCommit::Group group) {
    base::MutexLock lock(mutex_);
    ++groups_;
    changed_.NotifyAll();
    if (groups_ == 1) changed_.WaitFor(mutex_, std::chrono::milliseconds(50));
    if (group.size() != 2 || group[0]->posting().key.text != "stays" ||
        group[1]->posting().key.text != "leaves") {
      return;
    }
    together_ = true;
    while (!has_left_) changed_.Wait(mutex_);
  }

  template <typename Happened>
  void Await(Happened happened) {
    base::MutexLock lock(mutex_);
    while (!happened()) changed_.Wait(mutex_);
  }
  void Pause(std::chrono::milliseconds time) {
    base::MutexLock lock(mutex_);
    changed_.WaitFor(mutex_, time);
  }

  Posting Told(const std::string& key) {
    Posting posting = Named(key);
    posting.decide = [this, key](const Ground&) -> absl::StatusOr<Verdict> {
      base::MutexLock lock(mutex_);
      decided_.insert(key);
      return Refusal{};
    };
    return posting;
  }

  GroupCommit* commit_ = nullptr;
  absl::Status left_;
  base::Mutex mutex_;
  base::CondVar changed_;
  int groups_ = 0;
  bool together_ = false;
  bool has_left_ = false;
  std::multiset<std::string> decided_;
};

TEST_F(GroupCommitTest, NobodyDecidesForWhoLeft) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    Departure departure;
    if (!departure.Play(clock_)) continue;
    EXPECT_TRUE(base::HasReason(departure.left(), base::Reason::kDeadlineExceeded));
    EXPECT_EQ(departure.decided(), (std::multiset<std::string>{"first", "stays"}));
    return;
  }
  FAIL() << "the two never came in this order";
}

TEST_F(GroupCommitTest, WhatIsToBeTriedAgainIsTriedAgain) {
  std::atomic<int> tries = 0;
  GroupCommit commit({}, clock_, [&](GroupCommit::Group group, base::MonotonicTime) {
    ++tries;
    for (const auto& pending : group) {
      pending->outcome = PostOutcome(Posted{.journal_no = tries});
      pending->again = tries < 3;
    }
  });
  const auto outcome = commit.Post(Named("k"), InAMinute());
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(std::get<Posted>(*outcome).journal_no, 3);
}

}  // namespace
}  // namespace mj::wallet::store
