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

// The caller of a posting that is being written leaves: its decide is not called any more.
TEST_F(GroupCommitTest, NobodyDecidesForWhoLeft) {
  std::atomic<int> decided = 0;
  const auto posting = [&decided](const std::string& key) {
    Posting named = Named(key);
    named.decide = [&decided](const Ground&) -> absl::StatusOr<Verdict> {
      ++decided;
      return Refusal{};
    };
    return named;
  };
  GroupCommit* commit = nullptr;
  base::Mutex mutex;
  base::CondVar changed;
  int groups = 0;
  bool left = false;
  GroupCommit made({.writers_max = 1}, clock_, [&](GroupCommit::Group group, base::MonotonicTime) {
    {
      base::MutexLock lock(mutex);
      ++groups;
      changed.NotifyAll();
      // The first group waits until others have come; the second until one of them has left.
      while (group.size() > 1 && !left) changed.Wait(mutex);
      while (group.size() == 1 && groups == 1 && !left) {
        if (!changed.WaitFor(mutex, std::chrono::milliseconds(50))) break;
      }
    }
    for (const auto& pending : group) {
      const auto verdict = commit->Decide(*pending, {});
      pending->outcome = verdict.ok() ? absl::StatusOr<PostOutcome>(PostOutcome(Posted{}))
                                      : absl::StatusOr<PostOutcome>(verdict.status());
    }
  });
  commit = &made;
  std::thread first([&] { EXPECT_TRUE(made.Post(posting("first"), InAMinute()).ok()); });
  std::thread stays([&] { EXPECT_TRUE(made.Post(posting("stays"), InAMinute()).ok()); });
  const auto late =
      made.Post(posting("leaves"), clock_.Monotonic() + std::chrono::milliseconds(300));
  {
    base::MutexLock lock(mutex);
    left = true;
    changed.NotifyAll();
  }
  first.join();
  stays.join();
  EXPECT_EQ(decided, late.ok() ? 3 : 2);
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
