#include "services/matchmaking/app/ticket_desk.h"

#include <span>
#include <utility>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "services/matchmaking/app/tiers.h"

namespace mj::matchmaking {

absl::StatusOr<Tickets> TicketDesk::Create(const TicketRequest& request) {
  MJ_ASSIGN_OR_RETURN(std::vector<Wish> wishes, ReadWishes(request));

  // The cheap answers first: a repeated request does not trouble the wallet.
  MJ_ASSIGN_OR_RETURN(std::optional<Tickets> before, taker_.Foresee(wishes));
  if (before) return *std::move(before);

  MJ_ASSIGN_OR_RETURN(const std::int64_t base, CommonTier(wallet_, wishes));
  std::vector<TicketId> ids;
  for (Wish& wish : wishes) {
    wish.pool.base = base;
    ids.push_back(TicketId(ids_.Next()));
  }
  return taker_.Take([&] { return store_.TakeTickets(ids, wishes, options_.ticket_lifetime); });
}

absl::StatusOr<Ticket> TicketDesk::Find(const TicketId& id) {
  MJ_ASSIGN_OR_RETURN(std::vector<Ticket> found, store_.FindTickets(std::span(&id, 1)));
  if (!found.empty()) return std::move(found.front());
  return base::Error(base::Reason::kTicketNotFound, {}, {.field = "ticket_id"});
}

}  // namespace mj::matchmaking
