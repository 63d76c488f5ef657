// One group of postings in one transaction.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "libs/base/clock.h"
#include "libs/base/mutex.h"
#include "libs/pg/pool.h"
#include "services/wallet/app/ledger_store.h"
#include "services/wallet/store/ground_rows.h"
#include "services/wallet/store/group_commit.h"

namespace mj::wallet::store {

// Writes groups. Thread-safe. Two round trips a group: read and lock; write and commit. Each posting
// is decided on what those before it in the group left, and has an outcome of its own:
//
//   - its decision fails: that is its outcome, and nothing of it is written;
//   - its key was used, before or by another of the group: the first answer;
//   - the transaction fails for a cause that may lie in one of them: each is tried alone, so that
//     one spoils nobody else's;
//   - UNAVAILABLE, CONFLICT, DEADLINE_EXCEEDED: all of them.
class PostingGroupWriter {
 public:
  // GroupCommit::Decide.
  using Decide = std::function<absl::StatusOr<Verdict>(PendingPosting&, const Ground&)>;

  // Keeps references to both.
  PostingGroupWriter(pg::Pool& pool, RulebookCache& rulebooks, Decide decide)
      : pool_(pool), rulebooks_(rulebooks), decide_(std::move(decide)) {}

  void Write(GroupCommit::Group group, base::MonotonicTime deadline);

 private:
  [[nodiscard]] absl::Status WriteTogether(GroupCommit::Group group, base::MonotonicTime deadline);
  // Read once for each currency, then kept.
  [[nodiscard]] absl::StatusOr<AccountNos> House(pg::Transaction& tx, Currency currency);

  pg::Pool& pool_;
  RulebookCache& rulebooks_;
  const Decide decide_;
  base::Mutex mutex_;
  std::map<Currency, AccountNos> house_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace mj::wallet::store
