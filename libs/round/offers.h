// What each seat may do: used by Decide alone. Every function reads the state as it stands once the
// tile in question has been drawn, thrown or added.
#pragma once

#include <optional>

#include "libs/round/event.h"
#include "libs/round/setup.h"
#include "libs/round/state.h"

namespace mj::round::internal {

// The claim of `seat` on the drawn tile of its turn, on the tile of the window, or on the kong that
// may be robbed. REQUIRES: the phase is one of these; on a turn, that a tile was drawn.
Win ClaimOf(const Setup& setup, const State& state, Seat seat);

// What the seat whose turn it is may do. REQUIRES: Turn.
Offer TurnOffer(const Setup& setup, const State& state);

// What `seat` may answer to the tile that another seat threw or adds to a pung; nothing when it
// could only pass (PLAY-12). REQUIRES: Window or Robbery.
std::optional<Offer> ClaimOffer(const Setup& setup, const State& state, Seat seat);

}  // namespace mj::round::internal
