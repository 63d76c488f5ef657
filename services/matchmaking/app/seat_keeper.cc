#include "services/matchmaking/app/seat_keeper.h"

#include "libs/base/reasons.h"
#include "libs/base/status.h"

namespace mj::matchmaking {

absl::StatusOr<std::vector<PlayerId>> SeatKeeper::WhoLeft(const TablePlace& place,
                                                          std::span<const PlayerId> players) {
  const absl::StatusOr<TableNow> table = tables_.GetTable(place);
  if (base::HasReason(table.status(), base::Reason::kTableNotFound)) {
    return std::vector<PlayerId>(players.begin(), players.end());
  }
  if (!table.ok()) return table.status();
  std::vector<PlayerId> left;
  for (const PlayerId& player : players) {
    if (!table->Has(player)) left.push_back(player);
  }
  return left;
}

absl::StatusOr<bool> SeatKeeper::StillSeated(const LiveSeat& seat) {
  MJ_ASSIGN_OR_RETURN(const std::vector<PlayerId> left,
                      WhoLeft(seat.place, std::span(&seat.player, 1)));
  if (left.empty()) return true;
  MJ_RETURN_IF_ERROR(store_.FreeSeats(seat.match, left));
  return false;
}

absl::StatusOr<std::size_t> SeatKeeper::Sweep() {
  MJ_ASSIGN_OR_RETURN(const std::vector<SeatCheck> checks,
                      store_.ClaimSeatChecks(options_.batch, options_.check_interval));
  std::size_t freed = 0;
  for (const SeatCheck& check : checks) {
    const absl::StatusOr<std::vector<PlayerId>> left = WhoLeft(check.place, check.players);
    if (!left.ok() || left->empty()) continue;
    MJ_RETURN_IF_ERROR(store_.FreeSeats(check.match, *left));
    freed += left->size();
  }
  return freed;
}

}  // namespace mj::matchmaking
