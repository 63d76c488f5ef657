// Time, handed in. Nothing above this room reads the system's clock or sleeps: it is given a Clock,
// and tests give it one that they move themselves.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace mj::base {

// A moment of the civil calendar, UTC, in microseconds since 1970. May jump.
using WallTime = std::chrono::sys_time<std::chrono::microseconds>;

// A moment of a clock that never jumps, counted from an unknown beginning. Only differences mean
// anything, and only within one process.
struct MonotonicTime {
  std::chrono::nanoseconds since_start{0};

  friend auto operator<=>(const MonotonicTime&, const MonotonicTime&) = default;
  friend MonotonicTime operator+(MonotonicTime t, std::chrono::nanoseconds d) {
    return {t.since_start + d};
  }
  friend std::chrono::nanoseconds operator-(MonotonicTime a, MonotonicTime b) {
    return a.since_start - b.since_start;
  }
};

// Names a pending call of Clock::CallAfter. 0 is never given.
enum class TimerId : std::uint64_t { kNone = 0 };

// Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;

  [[nodiscard]] virtual WallTime Now() const = 0;
  [[nodiscard]] virtual MonotonicTime Monotonic() const = 0;

  // Calls `callback` once, `delay` from now (at once if it is not positive), on a thread of the
  // clock's, never from within this function. Callbacks run one at a time, in the order of their
  // times, and must not block: they post to an executor.
  virtual TimerId CallAfter(std::chrono::nanoseconds delay, std::function<void()> callback) = 0;

  // True: the callback will not run. False: it has run, is running, or was never set.
  virtual bool Cancel(TimerId timer) = 0;
};

// The machine's clock. Its timer thread starts with the first CallAfter; the destructor waits for a
// running callback and drops those still pending.
class SystemClock final : public Clock {
 public:
  SystemClock();
  ~SystemClock() override;
  SystemClock(const SystemClock&) = delete;
  SystemClock& operator=(const SystemClock&) = delete;

  [[nodiscard]] WallTime Now() const override;
  [[nodiscard]] MonotonicTime Monotonic() const override;
  TimerId CallAfter(std::chrono::nanoseconds delay, std::function<void()> callback) override;
  bool Cancel(TimerId timer) override;

 private:
  class Timers;
  std::unique_ptr<Timers> timers_;
};

// "2026-07-01T09:30:00.123456Z".
[[nodiscard]] std::string FormatUtc(WallTime time);

}  // namespace mj::base
