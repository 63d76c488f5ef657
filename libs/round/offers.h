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

// Each writes into `asked`, which asks nobody yet: an offer is large, and is made where it stays.

// The dealer, to roll (COM-02).
void AskRoll(const State& state, Asked& asked);

// The seat whose turn it is. REQUIRES: Turn.
void AskTurn(const Setup& setup, const State& state, Asked& asked);

// Asks each seat for its answer to the tile that another seat threw or adds to a pung; not where it
// could only pass (PLAY-12). False when nobody is asked. REQUIRES: Window or Robbery.
bool AskClaims(const Setup& setup, const State& state, Asked& asked);

}  // namespace mj::round::internal
