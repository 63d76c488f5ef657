// Where tickets are taken and given back.
#pragma once

#include "absl/status/statusor.h"
#include "libs/base/uuid.h"
#include "services/matchmaking/app/ports.h"
#include "services/matchmaking/app/seat_keeper.h"
#include "services/matchmaking/app/wish.h"

namespace mj::matchmaking {

struct TicketDeskOptions {
  Millis ticket_lifetime{600'000};  // how long a ticket waits before it expires
};

// Thread-safe. Keeps references: what it is given must outlive it.
class TicketDesk {
 public:
  TicketDesk(Store& store, Wallet& wallet, SeatKeeper& seats, base::UuidGenerator& ids,
             TicketDeskOptions options)
      : store_(store), wallet_(wallet), seats_(seats), ids_(ids), options_(options) {}

  // Queues a player in the pool of the tier that the wallet names. The same request again gets the
  // first answer: the ticket as it stood when it was taken. Failures, the first that applies:
  // ReadWish's; REQUEST_ID_REUSED; TICKET_EXISTS (metadata: ticket_id); PLAYER_BUSY (metadata:
  // table_id); the wallet's. UNAVAILABLE when the wallet, or the table at which the player sat
  // last, cannot be asked. Nothing is written by a failed call, except that a seat may have been
  // found to be over.
  absl::StatusOr<Ticket> Create(const TicketRequest& request);

  // Takes a ticket back. After OK it will never be in a match. Failures: TICKET_NOT_FOUND,
  // TICKET_CLOSED.
  absl::StatusOr<Ticket> Cancel(const TicketId& id) { return store_.CancelTicket(id); }

 private:
  // What stands in the way: a ticket of the same request, a seat that is still taken, or nothing
  // any more.
  absl::StatusOr<std::optional<Ticket>> Resolve(const Taking& taking);

  Store& store_;
  Wallet& wallet_;
  SeatKeeper& seats_;
  base::UuidGenerator& ids_;
  const TicketDeskOptions options_;
};

}  // namespace mj::matchmaking
