// When does a seat end? The table service's feed tells (feed_reader.h). Should that be late, or have told of
// a seat that was not known yet, the table is asked: when a player wants a new ticket, and now and then for
// every seat.
#pragma once

#include <cstddef>

#include "absl/status/statusor.h"
#include "services/matchmaking/app/ports.h"

namespace mj::matchmaking {

struct SeatKeeperOptions {
  Millis check_interval{15'000};  // how often each seat's table is asked
  std::size_t batch = 200;        // seats taken at once
};

// Thread-safe. Keeps references: the ports must outlive it.
class SeatKeeper {
 public:
  SeatKeeper(Store& store, Tables& tables, SeatKeeperOptions options)
      : store_(store), tables_(tables), options_(options) {}

  // Whether the table still has the player; if not, the seat is freed. A table that cannot be asked
  // is a failure: nobody may be seated twice because of it.
  absl::StatusOr<bool> StillSeated(const LiveSeat& seat);

  // Asks the tables of the seats that are due and frees those that have ended; how many. A table
  // that cannot be asked is left for next time.
  absl::StatusOr<std::size_t> Sweep();

 private:
  // Of these players, those whom the table no longer has.
  absl::StatusOr<std::vector<PlayerId>> WhoLeft(const TablePlace& place,
                                                std::span<const PlayerId> players);

  Store& store_;
  Tables& tables_;
  const SeatKeeperOptions options_;
};

}  // namespace mj::matchmaking
