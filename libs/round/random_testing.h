// Rounds from a seed, for tests and benchmarks of any game.
#pragma once

#include <cstdint>
#include <functional>

#include "libs/round/decide.h"
#include "tests/support/random.h"

namespace mj::round {

// Options within their ranges; every second one at its default.
rules::Options RandomOptions(const rules::Variant& game, testing::Random& random);

// A shuffled wall, a dealer, dice, and winds where the game has them.
Setup RandomSetup(const rules::Variant& game, const rules::Options& options,
                  testing::Random& random);

// Any of the choices, each kind equally likely: a discard does not drown the calls.
Choice RandomChoice(const Offer& offer, testing::Random& random);

// Plays on: each seat that is asked chooses by `choose`, in an order that `random` gives. Calls
// `seen` with each event once it is applied. False when the round does not end within `most_commands`.
using Chooser = std::function<Choice(const State& state, Seat seat, const Offer& offer)>;
using Watcher = std::function<void(const State& state, const Event& event)>;
bool PlayOut(const Setup& setup, State& state, testing::Random& random, const Chooser& choose,
             const Watcher& seen, int most_commands);

}  // namespace mj::round
