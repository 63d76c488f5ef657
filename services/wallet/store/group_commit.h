// Group commit: postings that come at the same time are written in one transaction.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "libs/base/clock.h"
#include "libs/base/mutex.h"
#include "services/wallet/app/ledger_store.h"

namespace mj::wallet::store {

// A posting on its way. Whoever writes it works on a copy: its caller may have left.
class PendingPosting {
 public:
  explicit PendingPosting(const Posting& posting) : posting_(posting) {}

  [[nodiscard]] const Posting& posting() const { return posting_; }

  // What the caller gets. For the writer, until it is done.
  absl::StatusOr<PostOutcome> outcome = absl::InternalError("a posting that nobody wrote");
  // Set by the writer: nothing was written, and it is to be tried again in another group.
  bool again = false;

 private:
  friend class GroupCommit;
  enum class Stage : std::uint8_t { kQueued, kTaken, kDeciding, kDone };

  const Posting posting_;
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
};

// Thread-safe. There is no thread of its own: of those who wait, the first leads. It takes whoever
// has come by then, writes all of them, and wakes them. So a posting that comes alone is written at
// once, and the more come the larger the groups are.
//
// Postings of one key are never in two groups at the same time.
class GroupCommit {
 public:
  using Group = std::span<const std::shared_ptr<PendingPosting>>;
  // Writes a group and sets each posting's outcome (or `again`). Ends at the deadline.
  using Writer = std::function<void(Group group, base::MonotonicTime deadline)>;

  // `clock` must outlive it.
  GroupCommit(GroupCommitOptions options, const base::Clock& clock, Writer writer);

  // What the writer made of it; DEADLINE_EXCEEDED when that has passed: nobody knows then whether it
  // was written.
  [[nodiscard]] absl::StatusOr<PostOutcome> Post(const Posting& posting,
                                                 base::MonotonicTime deadline);

  // For the writer: decides a posting, unless its caller has left (DEADLINE_EXCEEDED). The caller
  // stays while it is being decided.
  [[nodiscard]] absl::StatusOr<Verdict> Decide(PendingPosting& pending, const Ground& ground);

 private:
  using Pending = std::shared_ptr<PendingPosting>;

  [[nodiscard]] bool MayLead() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  [[nodiscard]] std::vector<Pending> Take() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // False if there was nobody to lead.
  bool Lead(base::MonotonicTime deadline) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void WakeLeader() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status Leave(const Pending& pending) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const GroupCommitOptions options_;
  const base::Clock& clock_;
  const Writer writer_;
  base::Mutex mutex_;
  std::deque<Pending> queue_ ABSL_GUARDED_BY(mutex_);
  std::multiset<std::string> keys_in_writing_ ABSL_GUARDED_BY(mutex_);
  int writers_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace mj::wallet::store
