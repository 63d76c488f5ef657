// Something done again and again: one beat, a pause, the next beat.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "libs/base/clock.h"
#include "libs/base/executor.h"

namespace mj::matchmaking {

// Beats never overlap; the pause is counted from the end of one to the beginning of the next.
// Thread-safe. Keeps references: `clock` and `runner` must outlive it, and `runner` must not be
// stopped before it.
class Pulse {
 public:
  // The first beat comes `interval` after Start.
  Pulse(base::Clock& clock, base::TaskRunner& runner, std::chrono::milliseconds interval,
        std::function<void()> beat);
  // Stops.
  ~Pulse();
  Pulse(const Pulse&) = delete;
  Pulse& operator=(const Pulse&) = delete;

  void Start();

  // The next beat comes without a pause: there is more to do than the last one did, or the one under way
  // will have done. No effect before Start or after Stop. Also from within a beat.
  void Hurry();

  // No beat begins after this; waits for one that is under way. Not from within a beat.
  void Stop();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace mj::matchmaking
