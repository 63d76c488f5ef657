// What is left of a round when it is over.
#pragma once

#include <optional>

#include "libs/round/setup.h"
#include "libs/round/state.h"
#include "libs/rules/hand.h"
#include "libs/rules/variant.h"

namespace mj::round {

// The finished round in the terms in which it is worth something. Nothing while it is played, and
// nothing for a void round.
std::optional<rules::FinishedRound> Finished(const State& state);

// Who deals next, and under which round wind. Nothing where Finished is nothing: after a void
// round dealer and winds are drawn anew (COM-10).
std::optional<rules::NextDeal> NextRound(const Setup& setup, const State& state);

// The win that `seat` may declare now, as it would be claimed. Nothing when it is offered none.
std::optional<Win> OfferedWin(const Setup& setup, const State& state, Seat seat);

}  // namespace mj::round
