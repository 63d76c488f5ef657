// Whether a state can be one at all; for tests and for simulations, after every event.
#pragma once

#include <cstdint>
#include <optional>

#include "libs/round/setup.h"
#include "libs/round/state.h"

namespace mj::round {

enum class Breach : std::uint8_t {
  kTileLost,   // a tile of the wall is nowhere, or in two places
  kWallCount,  // front + back + left is not the wall
  kHandSize,
  kAsk,         // somebody is asked where nobody decides, or nobody where somebody must
  kKongs,       // the list of kongs and the melds disagree
  kCompleting,  // does not follow from the hand
};

// The first breach (invariants of state.h), or nothing.
std::optional<Breach> CheckInvariants(const Setup& setup, const State& state);

}  // namespace mj::round
