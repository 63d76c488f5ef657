// Where a player is: in the queue, at a table, in a round.
#pragma once

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "services/matchmaking/app/ports.h"

namespace mj::matchmaking {

struct Location {
  std::optional<Ticket> ticket;  // live
  // Its place has the address of the process that holds the table now.
  std::optional<LiveSeat> seat;
  std::string round_id;  // the round that is played or settled at that table; empty: none
  // Until when the table waits for the player; none: it does not, or no clock runs.
  std::optional<base::WallTime> deadline = {};
};

// Thread-safe. Keeps references: the ports must outlive it.
class Locator {
 public:
  Locator(Store& store, Tables& tables) : store_(store), tables_(tables) {}

  // Right on any replica: the store and the table itself are asked. A player of whom nothing is
  // known is nowhere, which is no failure; a seat that the table no longer has is none, and is freed.
  // A table that cannot be asked is a failure (UNAVAILABLE, DEADLINE_EXCEEDED).
  absl::StatusOr<Location> Locate(const PlayerId& player);

 private:
  Store& store_;
  Tables& tables_;
};

}  // namespace mj::matchmaking
