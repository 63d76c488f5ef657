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
    : options_(options),
      clock_(clock),
      writer_(std::move(writer)),
      threads_({.name = "group-commit", .threads = options.writers_max + 1}) {
  MJ_CHECK(options_.writers_max >= 1);
  MJ_CHECK(options_.group_max >= 1);
  MJ_CHECK(options_.further_group_min >= 1);
  for (int thread = 0; thread <= options_.writers_max; ++thread) {
    threads_.Post([this] { Run(); });
  }
}

GroupCommit::~GroupCommit() {
  std::deque<Pending> left;
  {
    base::MutexLock lock(mutex_);
    stopping_ = true;
    left.swap(queue_);
    may_write_.NotifyAll();
  }
  for (const Pending& pending : left) {
    MJ_CHECK(pending->done_ != nullptr, "a caller waits in a group commit that ends");
    pending->done_(base::Error(base::Reason::kShuttingDown));
  }
  threads_.Stop();
}

void GroupCommit::Run() {
  base::MutexLock lock(mutex_);
  while (true) {
    while (!MayWrite() && !stopping_) may_write_.Wait(mutex_);
    if (stopping_) return;
    const std::vector<Pending> group = Take();
    if (group.empty()) {
      // All who wait have keys that are being written: whoever writes them goes on here.
      may_write_.Wait(mutex_);
      continue;
    }
    Write(group);
  }
}

bool GroupCommit::MayWrite() const {
  if (queue_.empty() || writers_ >= options_.writers_max) return false;
  return writers_ == 0 || queue_.size() >= options_.further_group_min;
}

bool GroupCommit::Queue(const Pending& pending) {
  if (queue_.size() >= options_.queue_max || stopping_) return false;
  queue_.push_back(pending);
  WakeWriter();
  return true;
}

// Whoever waits longest, but for those whose key is being written.
std::vector<GroupCommit::Pending> GroupCommit::Take() {
  std::vector<Pending> group;
  std::deque<Pending> left;
  for (Pending& pending : queue_) {
    if (group.size() < options_.group_max &&
        keys_in_writing_.count(pending->posting().key.text) == 0) {
      pending->stage_ = PendingPosting::Stage::kTaken;
      group.push_back(std::move(pending));
    } else {
      left.push_back(std::move(pending));
    }
  }
  queue_ = std::move(left);
  for (const Pending& pending : group) keys_in_writing_.insert(pending->posting().key.text);
  return group;
}

void GroupCommit::Write(const std::vector<Pending>& group) {
  ++writers_;
  WakeWriter();  // a group has its bounds
  mutex_.Unlock();
  const base::MonotonicTime now = clock_.Monotonic();
  base::MonotonicTime deadline = now;
  std::vector<Pending> in_time;
  for (const Pending& pending : group) {
    if (pending->deadline_ <= now) {
      pending->outcome = TooLate();
    } else {
      deadline = std::max(deadline, pending->deadline_);
      in_time.push_back(pending);
    }
  }
  if (!in_time.empty()) writer_(in_time, deadline);
  mutex_.Lock();
  --writers_;
  for (const Pending& pending : group) {
    keys_in_writing_.erase(keys_in_writing_.find(pending->posting().key.text));
    pending->stage_ = PendingPosting::Stage::kDone;
  }
  WakeWriter();
  // Without the mutex, which each of them takes as soon as it is awake.
  mutex_.Unlock();
  for (const Pending& pending : group) {
    if (const PostDone done = std::exchange(pending->done_, nullptr)) {
      done(std::move(pending->outcome));  // and is gone with what it holds, before the next is told
    } else {
      pending->changed_.NotifyOne();
    }
  }
  mutex_.Lock();
}

void GroupCommit::WakeWriter() {
  if (MayWrite()) may_write_.NotifyOne();
}

absl::Status GroupCommit::Leave(const Pending& pending) {
  using Stage = PendingPosting::Stage;
  while (pending->stage_ == Stage::kDeciding) pending->changed_.Wait(mutex_);
  pending->abandoned_ = true;
  if (pending->stage_ == Stage::kQueued) {
    queue_.erase(std::find(queue_.begin(), queue_.end(), pending));
  }
  return TooLate();
}

absl::StatusOr<PostOutcome> GroupCommit::Post(const Posting& posting,
                                              base::MonotonicTime deadline) {
  const auto pending =
      std::make_shared<PendingPosting>(std::make_shared<const Posting>(posting), deadline);
  base::MutexLock lock(mutex_);
  if (!Queue(pending)) return base::Error(base::Reason::kOverloaded);
  while (pending->stage_ != PendingPosting::Stage::kDone) {
    const auto left = deadline - clock_.Monotonic();
    if (left <= std::chrono::nanoseconds(0)) return Leave(pending);
    pending->changed_.WaitFor(mutex_, left);
  }
  return std::move(pending->outcome);
}

void GroupCommit::PostAsync(std::shared_ptr<const Posting> posting, base::MonotonicTime deadline,
                            PostDone done) {
  const auto pending =
      std::make_shared<PendingPosting>(std::move(posting), deadline, std::move(done));
  {
    base::MutexLock lock(mutex_);
    if (Queue(pending)) return;
  }
  pending->done_(base::Error(base::Reason::kOverloaded));
}

absl::StatusOr<Verdict> GroupCommit::Decide(PendingPosting& pending, const Ground& ground) {
  using Stage = PendingPosting::Stage;
  if (pending.done_ != nullptr) return pending.posting().decide(ground);
  {
    base::MutexLock lock(mutex_);
    if (pending.abandoned_) return TooLate();
    pending.stage_ = Stage::kDeciding;
  }
  absl::StatusOr<Verdict> verdict = pending.posting().decide(ground);
  base::MutexLock lock(mutex_);
  pending.stage_ = Stage::kTaken;
  pending.changed_.NotifyOne();
  return verdict;
}

}  // namespace mj::wallet::store
