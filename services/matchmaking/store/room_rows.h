// What taking a ticket needs of private rooms.
#pragma once

#include "absl/status/status.h"
#include "libs/pg/pool.h"
#include "services/matchmaking/app/model.h"

namespace mj::matchmaking::store {

// Keeps others from entering this wish's room until the transaction is over, and says whether the
// player may: ROOM_NOT_FOUND, ROOM_FULL, SHARED_DEVICE, SHARED_NETWORK.
[[nodiscard]] absl::Status EnterRoom(pg::Transaction& tx, const Wish& wish);

}  // namespace mj::matchmaking::store
