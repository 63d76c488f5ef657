#include "services/matchmaking/app/locator.h"

#include <optional>
#include <span>
#include <utility>

#include "libs/base/reasons.h"
#include "libs/base/status.h"

namespace mj::matchmaking {

absl::StatusOr<Location> Locator::Locate(const PlayerId& player) {
  MJ_ASSIGN_OR_RETURN(Whereabouts known, store_.Locate(player));
  if (!known.seat) return Location{std::move(known.ticket), std::nullopt, {}};
  const absl::StatusOr<TableNow> table = tables_.GetTableFor(*known.seat);
  const bool gone = base::HasReason(table.status(), base::Reason::kTableNotFound) ||
                    base::HasReason(table.status(), base::Reason::kNotSeated);
  if (!gone && !table.ok()) return table.status();
  if (gone || !table->Has(player)) {
    MJ_RETURN_IF_ERROR(store_.FreeSeats(known.seat->match, std::span(&player, 1)));
    return Location{std::move(known.ticket), std::nullopt, {}};
  }
  if (!table->address.empty()) known.seat->place.address = table->address;
  return Location{std::move(known.ticket), std::move(known.seat), table->round_id, table->deadline};
}

}  // namespace mj::matchmaking
