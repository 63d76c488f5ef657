#include "services/matchmaking/app/locator.h"

#include <span>
#include <utility>

#include "libs/base/reasons.h"
#include "libs/base/status.h"

namespace mj::matchmaking {

absl::StatusOr<Location> Locator::Locate(const PlayerId& player) {
  MJ_ASSIGN_OR_RETURN(Whereabouts known, store_.Locate(player));
  Location location;
  location.ticket = std::move(known.ticket);
  location.seat = std::move(known.seat);
  if (!location.seat) return location;
  const absl::StatusOr<TableNow> table = tables_.GetTable(location.seat->place);
  const bool gone = base::HasReason(table.status(), base::Reason::kTableNotFound);
  if (!gone && !table.ok()) return table.status();
  if (gone || !table->Has(player)) {
    MJ_RETURN_IF_ERROR(store_.FreeSeats(location.seat->match, std::span(&player, 1)));
    location.seat.reset();
    return location;
  }
  if (!table->address.empty()) location.seat->place.address = table->address;
  location.round_id = table->round_id;
  return location;
}

}  // namespace mj::matchmaking
