// Takes tickets past seats that are over: a player who still sits at a table gets none.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "services/matchmaking/app/ports.h"
#include "services/matchmaking/app/seat_keeper.h"

namespace mj::matchmaking {

// Thread-safe. Keeps references: what it is given must outlive it.
class Taker {
 public:
  Taker(Store& store, SeatKeeper& seats) : store_(store), seats_(seats) {}

  // The tickets that the same request took before, as they stood then; nothing if the wishes may be
  // taken. Failures: Store::Foresee's; PLAYER_BUSY (metadata: table_id, player_id); UNAVAILABLE when
  // the table at which a player sat last cannot be asked.
  absl::StatusOr<std::optional<Tickets>> Foresee(const std::vector<Wish>& wishes);

  // Does `take` (a taking of the store), once more if a seat stood in the way that is over by now.
  // The tickets as they stood when they were taken. Failures: `take`'s; as Foresee's.
  absl::StatusOr<Tickets> Take(const std::function<absl::StatusOr<Taking>()>& take);

 private:
  // What stands in the way: tickets of the same request, a seat that is still taken, or nothing any
  // more.
  absl::StatusOr<std::optional<Tickets>> Resolve(const Taking& taking);

  Store& store_;
  SeatKeeper& seats_;
};

}  // namespace mj::matchmaking
