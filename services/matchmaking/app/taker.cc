#include "services/matchmaking/app/taker.h"

#include <variant>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"

namespace mj::matchmaking {
namespace {

// A repeated request is answered as the first one was, whatever has become of the tickets since.
Tickets AsTaken(Tickets tickets) {
  for (Ticket& ticket : tickets) {
    ticket.state = TicketState::kQueued;
    ticket.match = MatchId();
    ticket.assignment.reset();
    ticket.failure_reason.clear();
  }
  return tickets;
}

absl::Status Busy(const LiveSeat& seat) {
  return base::Error(
      base::Reason::kPlayerBusy,
      base::Cat("player_id: ", seat.player.value(), " sits at table ", seat.place.table.value()),
      {.field = "player_id",
       .metadata = {{"table_id", seat.place.table.value()}, {"player_id", seat.player.value()}}});
}

}  // namespace

absl::StatusOr<std::optional<Tickets>> Taker::Resolve(const Taking& taking) {
  if (const auto* tickets = std::get_if<Tickets>(&taking)) return std::optional(AsTaken(*tickets));
  const LiveSeat& seat = std::get<LiveSeat>(taking);
  MJ_ASSIGN_OR_RETURN(const bool seated, seats_.StillSeated(seat));
  if (seated) return Busy(seat);
  return std::optional<Tickets>();
}

absl::StatusOr<std::optional<Tickets>> Taker::Foresee(const std::vector<Wish>& wishes) {
  // Of each player one seat may turn out to be over.
  for (std::size_t seats = 0; seats <= wishes.size(); ++seats) {
    MJ_ASSIGN_OR_RETURN(const std::optional<Taking> in_the_way, store_.Foresee(wishes));
    if (!in_the_way) break;
    MJ_ASSIGN_OR_RETURN(std::optional<Tickets> tickets, Resolve(*in_the_way));
    if (tickets) return tickets;
  }
  return std::optional<Tickets>();
}

absl::StatusOr<Tickets> Taker::Take(const std::function<absl::StatusOr<Taking>()>& take) {
  MJ_ASSIGN_OR_RETURN(const Taking first, take());
  MJ_ASSIGN_OR_RETURN(std::optional<Tickets> tickets, Resolve(first));
  if (tickets) return *std::move(tickets);

  // A seat stood in the way that is over by now. If there is a newer one already, it is a real one.
  MJ_ASSIGN_OR_RETURN(const Taking second, take());
  if (const LiveSeat* seat = std::get_if<LiveSeat>(&second)) return Busy(*seat);
  return AsTaken(std::get<Tickets>(second));
}

}  // namespace mj::matchmaking
