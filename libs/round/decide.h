// The round as two functions.
//
// Both are deterministic and pure, safe from any thread on different states. A round is
//
//   State state;
//   for (command : commands) {
//     Decision decision = Decide(setup, state, command);
//     if (events) for (event : *events) Apply(setup, state, event);   // journal them first
//   }
//
// and replaying the same events on State{} gives the same state, byte for byte.
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "libs/round/command.h"
#include "libs/round/event.h"
#include "libs/round/setup.h"
#include "libs/round/state.h"

namespace mj::round {

using Decision = std::variant<std::vector<Event>, Rejection>;

// What `command` leads to: all events up to the next point where a seat has to decide, or the end
// of the round; never empty. Or why it is refused.
//
// Windows are resolved by the answers, not by their order (PLAY-12): an Answered alone when
// an answer that is still missing could change the outcome; otherwise the outcome follows at once.
[[nodiscard]] Decision Decide(const Setup& setup, const State& state, const Command& command);

// Whether this event of a Decide is where play goes on after a tile that nobody claimed: the next
// draw, the added kong that stands, the exhausted wall, the end by a leave. A caller may journal and show only what is
// before it and ask for the rest with Proceed, after as long a pause as follows any discard, so that
// a pause tells nobody that somebody else was asked (D-ROUND-5).
[[nodiscard]] bool FollowsUnclaimedTile(const Event& event);

// Whether Proceed would be accepted.
[[nodiscard]] bool HoldsBack(const State& state);

// Decide and Apply in one, for whoever plays in memory and journals nothing: `state` goes on at once,
// the events are added to `log`. A refusal changes neither. The events and the state are the same
// as by Decide. Allocates nothing but what `log` needs to grow.
[[nodiscard]] std::optional<Rejection> Play(const Setup& setup, State& state,
                                            const Command& command, std::vector<Event>& log);

// Total: any event of a Decide on the same setup and state. Does not allocate.
void Apply(const Setup& setup, State& state, const Event& event);

}  // namespace mj::round
