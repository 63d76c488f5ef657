// A clock that stands still until a test moves it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "libs/base/clock.h"
#include "libs/base/mutex.h"

namespace mj::base {

// Thread-safe. Timers fire inside Advance, on the thread that calls it, each at its exact time, so a
// callback that reads the clock sees the moment for which it was set.
class SimulatedClock final : public Clock {
 public:
  // Begins at `now`, by default 2026-01-01T00:00:00Z.
  explicit SimulatedClock(WallTime now = kStart);

  [[nodiscard]] WallTime Now() const override;
  [[nodiscard]] MonotonicTime Monotonic() const override;
  TimerId CallAfter(std::chrono::nanoseconds delay, std::function<void()> callback) override;
  bool Cancel(TimerId timer) override;

  // Moves both clocks by `by` (not negative) and runs every timer that falls due on the way, those
  // set by callbacks too. Advance(0) runs what is due already.
  void Advance(std::chrono::nanoseconds by);

  // Moves the wall clock alone, as an administrator would; timers do not notice.
  void JumpWallClock(std::chrono::microseconds by);

  // Timers still to fire.
  [[nodiscard]] std::size_t pending_timers() const;

  static constexpr WallTime kStart{std::chrono::microseconds{1'767'225'600'000'000}};

 private:
  mutable Mutex mutex_;
  WallTime wall_start_ ABSL_GUARDED_BY(mutex_);
  MonotonicTime now_ ABSL_GUARDED_BY(mutex_);
  std::uint64_t last_id_ ABSL_GUARDED_BY(mutex_) = 0;
  std::map<std::pair<MonotonicTime, std::uint64_t>, std::function<void()>> timers_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace mj::base
