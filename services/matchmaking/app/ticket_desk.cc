#include "services/matchmaking/app/ticket_desk.h"

#include <utility>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"

namespace mj::matchmaking {
namespace {

// A repeated request is answered as the first one was, whatever has become of the ticket since.
Ticket AsTaken(Ticket ticket) {
  ticket.state = TicketState::kQueued;
  ticket.match = MatchId();
  ticket.assignment.reset();
  ticket.failure_reason.clear();
  return ticket;
}

absl::Status Busy(const LiveSeat& seat) {
  return base::Error(base::Reason::kPlayerBusy,
                     base::Cat("player_id: sits at table ", seat.place.table.value()),
                     {.field = "player_id", .metadata = {{"table_id", seat.place.table.value()}}});
}

}  // namespace

absl::StatusOr<std::optional<Ticket>> TicketDesk::Resolve(const Taking& taking) {
  if (const Ticket* ticket = std::get_if<Ticket>(&taking)) return std::optional(AsTaken(*ticket));
  const LiveSeat& seat = std::get<LiveSeat>(taking);
  MJ_ASSIGN_OR_RETURN(const bool seated, seats_.StillSeated(seat));
  if (seated) return Busy(seat);
  return std::optional<Ticket>();
}

absl::StatusOr<Ticket> TicketDesk::Create(const TicketRequest& request) {
  MJ_ASSIGN_OR_RETURN(Wish wish, ReadWish(request));

  // The cheap answers first: a repeated request does not trouble the wallet.
  MJ_ASSIGN_OR_RETURN(const std::optional<Taking> in_the_way, store_.Foresee(wish));
  if (in_the_way) {
    MJ_ASSIGN_OR_RETURN(std::optional<Ticket> ticket, Resolve(*in_the_way));
    if (ticket) return *std::move(ticket);
  }

  MJ_ASSIGN_OR_RETURN(wish.pool.base, wallet_.OpenTier(wish.player, wish.pool.variant,
                                                       wish.pool.currency, wish.asked_base));
  const TicketId id(ids_.Next());
  MJ_ASSIGN_OR_RETURN(const Taking first, store_.TakeTicket(id, wish, options_.ticket_lifetime));
  MJ_ASSIGN_OR_RETURN(std::optional<Ticket> ticket, Resolve(first));
  if (ticket) return *std::move(ticket);

  // A seat stood in the way that is over by now. If there is a newer one already, it is a real one.
  MJ_ASSIGN_OR_RETURN(const Taking second, store_.TakeTicket(id, wish, options_.ticket_lifetime));
  if (const LiveSeat* seat = std::get_if<LiveSeat>(&second)) return Busy(*seat);
  return AsTaken(std::get<Ticket>(second));
}

}  // namespace mj::matchmaking
