// Assigns matches for many callers with few writes: who comes while a write is under way is written
// with the next one, and holds no thread while it waits.
#pragma once

#include <functional>
#include <vector>

#include "absl/status/statusor.h"
#include "libs/base/mutex.h"
#include "services/matchmaking/app/ports.h"

namespace mj::matchmaking {

// Thread-safe. Keeps a reference to `store`.
class Assigner {
 public:
  using Done = std::function<void(const absl::StatusOr<Assigned>& answer)>;

  // Seats are to be checked `check_seats_after` they were assigned.
  Assigner(Store& store, Millis check_seats_after)
      : store_(store), check_seats_after_(check_seats_after) {}

  // As Store::AssignMatches for this one. `done` is called once, with no lock held: on this thread, which
  // writes whatever waits, before this returns; or on that of a caller who is writing already, and then
  // this returns at once.
  void Assign(const MatchId& match, const TablePlace& place, Done done);

 private:
  struct Call {
    Standing standing;
    Done done;
  };
  // Those who wait, as far as they go into one write; empty: none does, or somebody else writes.
  std::vector<Call> Begin();
  void Write(const std::vector<Call>& batch);

  Store& store_;
  const Millis check_seats_after_;
  base::Mutex mutex_;
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<Call> waiting_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace mj::matchmaking
