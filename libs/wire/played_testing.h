// Rounds played at random in every game, for tests of what is written of them.
#pragma once

#include <functional>

#include "libs/round/event.h"
#include "libs/round/setup.h"
#include "libs/round/state.h"

namespace mj::wire {

// What the visitor sees of each event: the round as it stands after it.
struct PlayedStep {
  const round::Setup& setup;
  const round::State& state;
  const round::Event& event;
};

// Plays `rounds` rounds of every registered game from a fixed seed, options varied.
void ForEachPlayedStep(int rounds, const std::function<void(const PlayedStep&)>& visit);

}  // namespace mj::wire
