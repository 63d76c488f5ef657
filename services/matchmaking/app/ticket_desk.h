// Where tickets are taken and given back.
#pragma once

#include "absl/status/statusor.h"
#include "libs/base/uuid.h"
#include "services/matchmaking/app/ports.h"
#include "services/matchmaking/app/taker.h"
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
      : store_(store), wallet_(wallet), taker_(store, seats), ids_(ids), options_(options) {}

  // Queues a player, and friends with whom to sit at one table, in the pool of the tier that is open
  // to all of them; a ticket for each, the asking player's first. The same request again gets the
  // first answer: the tickets as they stood when they were taken. Failures, the first that applies:
  // ReadWishes's; REQUEST_ID_REUSED; TICKET_EXISTS (metadata: ticket_id, player_id); PLAYER_BUSY
  // (metadata: table_id, player_id); CommonTier's. UNAVAILABLE when the wallet, or the table at
  // which a player sat last, cannot be asked. Nothing is written by a failed call, except that a
  // seat may have been found to be over.
  absl::StatusOr<Tickets> Create(const TicketRequest& request);

  // Takes a ticket back, with those of its party. After OK they will never be in a match. Failures:
  // TICKET_NOT_FOUND, TICKET_CLOSED.
  absl::StatusOr<Ticket> Cancel(const TicketId& id) { return store_.CancelTicket(id); }

  // The ticket as it stands. Failures: TICKET_NOT_FOUND.
  absl::StatusOr<Ticket> Find(const TicketId& id);

 private:
  Store& store_;
  Wallet& wallet_;
  Taker taker_;
  base::UuidGenerator& ids_;
  const TicketDeskOptions options_;
};

}  // namespace mj::matchmaking
