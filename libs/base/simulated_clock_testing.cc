#include "libs/base/simulated_clock_testing.h"

#include <algorithm>
#include <utility>

#include "libs/base/check.h"

namespace mj::base {

SimulatedClock::SimulatedClock(WallTime now) : wall_start_(now) {}

WallTime SimulatedClock::Now() const {
  MutexLock lock(mutex_);
  return wall_start_ + std::chrono::floor<std::chrono::microseconds>(now_.since_start);
}

MonotonicTime SimulatedClock::Monotonic() const {
  MutexLock lock(mutex_);
  return now_;
}

TimerId SimulatedClock::CallAfter(std::chrono::nanoseconds delay, std::function<void()> callback) {
  MutexLock lock(mutex_);
  const std::uint64_t id = ++last_id_;
  const auto at = now_ + std::max(delay, std::chrono::nanoseconds::zero());
  timers_.emplace(std::pair{at, id}, std::move(callback));
  return TimerId{id};
}

bool SimulatedClock::Cancel(TimerId timer) {
  const auto id = static_cast<std::uint64_t>(timer);
  MutexLock lock(mutex_);
  for (auto it = timers_.begin(); it != timers_.end(); ++it) {
    if (it->first.second == id) {
      timers_.erase(it);
      return true;
    }
  }
  return false;
}

void SimulatedClock::Advance(std::chrono::nanoseconds by) {
  MJ_CHECK(by >= std::chrono::nanoseconds::zero(), "a clock does not run backwards");
  MutexLock lock(mutex_);
  const MonotonicTime end = now_ + by;
  while (!timers_.empty() && timers_.begin()->first.first <= end) {
    const auto next = timers_.begin();
    now_ = std::max(now_, next->first.first);
    std::function<void()> callback = std::move(next->second);
    timers_.erase(next);
    mutex_.Unlock();
    callback();
    callback = nullptr;
    mutex_.Lock();
  }
  now_ = std::max(now_, end);
}

void SimulatedClock::JumpWallClock(std::chrono::microseconds by) {
  MutexLock lock(mutex_);
  wall_start_ += by;
}

std::size_t SimulatedClock::pending_timers() const {
  MutexLock lock(mutex_);
  return timers_.size();
}

}  // namespace mj::base
