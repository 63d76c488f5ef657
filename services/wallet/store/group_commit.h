// Group commit: postings that come at the same time are written in one transaction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "libs/base/clock.h"
#include "libs/base/executor.h"
#include "libs/base/mutex.h"
#include "services/wallet/app/ledger_store.h"

namespace mj::wallet::store {

// A posting on its way. Whoever writes it works on one of its own: its caller may have left.
class PendingPosting {
 public:
  explicit PendingPosting(std::shared_ptr<const Posting> posting, base::MonotonicTime deadline = {},
                          PostDone done = nullptr)
      : posting_(std::move(posting)), deadline_(deadline), done_(std::move(done)) {}

  [[nodiscard]] const Posting& posting() const { return *posting_; }

  // What the caller gets. For the writer, until it is done.
  absl::StatusOr<PostOutcome> outcome = absl::InternalError("a posting that nobody wrote");

 private:
  friend class GroupCommit;
  enum class Stage : std::uint8_t { kQueued, kTaken, kDeciding, kDone };

  const std::shared_ptr<const Posting> posting_;
  const base::MonotonicTime deadline_;
  PostDone done_;  // none: its caller waits
  // The rest is guarded by GroupCommit::mutex_.
  Stage stage_ = Stage::kQueued;
  bool abandoned_ = false;  // its caller has left; decide would read what is gone
  base::CondVar changed_;
};

struct GroupCommitOptions {
  int writers_max = 2;         // groups written at once, 1 or more
  std::size_t group_max = 64;  // postings in a group, 1 or more
  // While a group is being written, another is begun only with so many at once: a transaction costs
  // more than a posting in it. 1 or more.
  std::size_t further_group_min = 16;
  std::size_t queue_max = 1024;  // postings that wait; more are refused
};

// Thread-safe. A posting that comes alone is written at once, and the more come while a group is being
// written the larger the next is. Its threads are one more than write at once: who has written a group
// tells all of its callers while the next is on its way.
//
// Postings of one key are never in two groups at the same time.
class GroupCommit {
 public:
  using Group = std::span<const std::shared_ptr<PendingPosting>>;
  // Writes a group and sets each posting's outcome. Ends at the deadline, the latest of the group's.
  using Writer = std::function<void(Group group, base::MonotonicTime deadline)>;

  // `clock` must outlive it.
  GroupCommit(GroupCommitOptions options, const base::Clock& clock, Writer writer);
  // What waits ends with SHUTTING_DOWN, then what is being written is waited for. Nobody may be in
  // Post.
  ~GroupCommit();
  GroupCommit(const GroupCommit&) = delete;
  GroupCommit& operator=(const GroupCommit&) = delete;

  // What the writer made of it; DEADLINE_EXCEEDED when that has passed: nobody knows then whether it
  // was written. OVERLOADED if too many wait.
  [[nodiscard]] absl::StatusOr<PostOutcome> Post(const Posting& posting,
                                                 base::MonotonicTime deadline);

  // The same without a thread that waits: LedgerStore::PostAsync. Past the deadline it is not written
  // any more if it was not begun.
  void PostAsync(std::shared_ptr<const Posting> posting, base::MonotonicTime deadline,
                 PostDone done);

  // For the writer: decides a posting, unless its caller has left (DEADLINE_EXCEEDED). A caller that
  // waits stays while it is being decided.
  [[nodiscard]] absl::StatusOr<Verdict> Decide(PendingPosting& pending, const Ground& ground);

 private:
  using Pending = std::shared_ptr<PendingPosting>;

  void Run();
  [[nodiscard]] bool MayWrite() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // False if it was refused.
  bool Queue(const Pending& pending) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  [[nodiscard]] std::vector<Pending> Take() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Unlocks the mutex meanwhile.
  void Write(const std::vector<Pending>& group) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void WakeWriter() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status Leave(const Pending& pending) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const GroupCommitOptions options_;
  const base::Clock& clock_;
  const Writer writer_;
  base::Mutex mutex_;
  base::CondVar may_write_;
  std::deque<Pending> queue_ ABSL_GUARDED_BY(mutex_);
  std::multiset<std::string> keys_in_writing_ ABSL_GUARDED_BY(mutex_);
  int writers_ ABSL_GUARDED_BY(mutex_) = 0;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  base::Executor threads_;  // last: ends before what it uses
};

}  // namespace mj::wallet::store
