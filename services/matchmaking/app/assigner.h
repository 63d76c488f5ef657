// Assigns matches for many callers with few writes: who comes while a write is under way is written
// with the next one.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "libs/base/mutex.h"
#include "services/matchmaking/app/ports.h"

namespace mj::matchmaking {

// Thread-safe; blocks. Keeps a reference to `store`.
class Assigner {
 public:
  // Seats are to be checked `check_seats_after` they were assigned.
  Assigner(Store& store, Millis check_seats_after)
      : store_(store), check_seats_after_(check_seats_after) {}

  // As Store::AssignMatches for this one.
  absl::StatusOr<Assigned> Assign(const MatchId& match, const TablePlace& place);

 private:
  struct Call {
    Standing standing;
    bool done = false;
    absl::StatusOr<Assigned> answer = Assigned::kReleased;
  };
  // Those who wait, as far as they go into one write.
  std::vector<Call*> TakeBatch() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Write(const std::vector<Call*>& batch);

  Store& store_;
  const Millis check_seats_after_;
  base::Mutex mutex_;
  base::CondVar changed_;
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<Call*> waiting_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace mj::matchmaking
