#include "services/wallet/store/group_commit.h"

#include <algorithm>
#include <utility>

#include "libs/base/check.h"
#include "libs/base/reasons.h"
#include "libs/base/status.h"

namespace mj::wallet::store {
namespace {

absl::Status TooLate() {
  return base::Error(base::Reason::kDeadlineExceeded, "deadline passed in a group of postings");
}

}  // namespace

GroupCommit::GroupCommit(GroupCommitOptions options, const base::Clock& clock, Writer writer)
    : options_(options), clock_(clock), writer_(std::move(writer)) {
  MJ_CHECK(options_.writers_max >= 1);
  MJ_CHECK(options_.group_max >= 1);
  MJ_CHECK(options_.further_group_min >= 1);
}

bool GroupCommit::MayLead() const {
  if (queue_.empty() || writers_ >= options_.writers_max) return false;
  return writers_ == 0 || queue_.size() >= options_.further_group_min;
}

// Whoever waits longest, but for those whose key is being written.
std::vector<GroupCommit::Pending> GroupCommit::Take() {
  std::vector<Pending> group;
  std::deque<Pending> left;
  for (Pending& pending : queue_) {
    if (group.size() < options_.group_max &&
        keys_in_writing_.count(pending->posting_.key.text) == 0) {
      pending->stage_ = PendingPosting::Stage::kTaken;
      group.push_back(std::move(pending));
    } else {
      left.push_back(std::move(pending));
    }
  }
  queue_ = std::move(left);
  for (const Pending& pending : group) keys_in_writing_.insert(pending->posting_.key.text);
  return group;
}

bool GroupCommit::Lead(base::MonotonicTime deadline) {
  const std::vector<Pending> group = Take();
  if (group.empty()) return false;
  ++writers_;
  mutex_.Unlock();
  writer_(group, deadline);
  mutex_.Lock();
  --writers_;
  for (auto pending = group.rbegin(); pending != group.rend(); ++pending) {
    keys_in_writing_.erase(keys_in_writing_.find((*pending)->posting_.key.text));
    if ((*pending)->again && !(*pending)->abandoned_) {
      (*pending)->again = false;
      (*pending)->stage_ = PendingPosting::Stage::kQueued;
      queue_.push_front(*pending);
    } else {
      (*pending)->stage_ = PendingPosting::Stage::kDone;
    }
  }
  WakeLeader();
  // Without the mutex, which each of them takes as soon as it is awake.
  mutex_.Unlock();
  for (const Pending& pending : group) pending->changed_.NotifyOne();
  mutex_.Lock();
  return true;
}

// Whoever may lead now.
void GroupCommit::WakeLeader() {
  if (MayLead()) queue_.front()->changed_.NotifyOne();
}

absl::Status GroupCommit::Leave(const Pending& pending) {
  using Stage = PendingPosting::Stage;
  while (pending->stage_ == Stage::kDeciding) pending->changed_.Wait(mutex_);
  pending->abandoned_ = true;
  if (pending->stage_ == Stage::kQueued) {
    queue_.erase(std::find(queue_.begin(), queue_.end(), pending));
    WakeLeader();
  }
  return TooLate();
}

absl::StatusOr<PostOutcome> GroupCommit::Post(const Posting& posting,
                                              base::MonotonicTime deadline) {
  using Stage = PendingPosting::Stage;
  const auto pending = std::make_shared<PendingPosting>(posting);
  base::MutexLock lock(mutex_);
  queue_.push_back(pending);
  WakeLeader();
  while (pending->stage_ != Stage::kDone) {
    const auto left = deadline - clock_.Monotonic();
    if (left <= std::chrono::nanoseconds(0)) return Leave(pending);
    const bool leads = pending->stage_ == Stage::kQueued && MayLead() && queue_.front() == pending;
    // Nobody to lead: all who wait have keys that are being written, whose group wakes one of them.
    if (leads && Lead(deadline)) continue;
    pending->changed_.WaitFor(mutex_, left);
  }
  return std::move(pending->outcome);
}

absl::StatusOr<Verdict> GroupCommit::Decide(PendingPosting& pending, const Ground& ground) {
  using Stage = PendingPosting::Stage;
  {
    base::MutexLock lock(mutex_);
    if (pending.abandoned_) return TooLate();
    pending.stage_ = Stage::kDeciding;
  }
  absl::StatusOr<Verdict> verdict = pending.posting_.decide(ground);
  base::MutexLock lock(mutex_);
  pending.stage_ = Stage::kTaken;
  pending.changed_.NotifyOne();
  return verdict;
}

}  // namespace mj::wallet::store
