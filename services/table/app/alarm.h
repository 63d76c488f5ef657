// One pending call of a clock that can be taken back for certain.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "libs/base/clock.h"

namespace mj::table {

// Thread-safe. Keeps a reference to the clock.
class Alarm {
 public:
  explicit Alarm(base::Clock& clock);
  // Cancels.
  ~Alarm();
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

  // Calls `ring` once, `delay` from now, on the clock's thread, unless Cancel or another Set comes
  // first. `ring` must be quick, and must not call this alarm.
  void Set(std::chrono::nanoseconds delay, std::function<void()> ring);

  // When this returns, nothing is being called, or will be.
  void Cancel();

 private:
  struct State;
  base::Clock& clock_;
  std::shared_ptr<State> state_;
};

}  // namespace mj::table
