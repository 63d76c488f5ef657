// Private rooms: opened by one player, entered by a code. Whoever is in one waits there with a ticket
// of its own, which is watched, cancelled and seated like any other.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "libs/base/entropy.h"
#include "libs/base/uuid.h"
#include "services/matchmaking/app/ports.h"
#include "services/matchmaking/app/taker.h"
#include "services/matchmaking/app/wish.h"

namespace mj::matchmaking {

struct RoomDeskOptions {
  Millis lifetime{3'600'000};  // how long four friends have to come together
};

// A player who is in a room.
struct Entered {
  Room room;
  Ticket ticket;
};

// Six decimal digits, each code as likely as any other.
[[nodiscard]] std::string NewRoomCode(base::Entropy& entropy);

// Whether a text can be a code.
[[nodiscard]] bool IsRoomCode(std::string_view text);

// Thread-safe. Keeps references: what it is given must outlive it.
class RoomDesk {
 public:
  RoomDesk(Store& store, Wallet& wallet, SeatKeeper& seats, base::UuidGenerator& ids,
           base::Entropy& entropy, RoomDeskOptions options)
      : store_(store),
        wallet_(wallet),
        taker_(store, seats),
        ids_(ids),
        entropy_(entropy),
        options_(options) {}

  // Opens a room with the player in it. The same request again gets the same room and ticket.
  // Failures: TicketDesk::Create's; OVERLOADED when hardly a code is left.
  // REQUIRES: no friends in the request: they enter by the code.
  absl::StatusOr<Entered> Open(const TicketRequest& request);

  // Puts a player into the open room of this code, at its base. Failures, the first that applies:
  // ReadEntry's; REQUEST_ID_REUSED; TICKET_EXISTS; PLAYER_BUSY; ROOM_NOT_FOUND; the wallet's;
  // ROOM_FULL; SHARED_DEVICE and SHARED_NETWORK (metadata: player_id, of who is there).
  absl::StatusOr<Entered> Enter(const EntryRequest& request);

  // The open room of this code, and who is in it. Failures: ROOM_NOT_FOUND.
  absl::StatusOr<Room> Find(std::string_view code) { return store_.FindRoom(code); }

 private:
  absl::StatusOr<Entered> InRoom(const Tickets& tickets);

  Store& store_;
  Wallet& wallet_;
  Taker taker_;
  base::UuidGenerator& ids_;
  base::Entropy& entropy_;
  const RoomDeskOptions options_;
};

}  // namespace mj::matchmaking
