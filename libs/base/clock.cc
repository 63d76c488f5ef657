#include "libs/base/clock.h"

#include <array>
#include <cstdio>
#include <map>
#include <thread>
#include <utility>

#include "libs/base/mutex.h"

namespace mj::base {

// Pending callbacks by time, and the thread that calls them.
class SystemClock::Timers {
 public:
  ~Timers() {
    {
      MutexLock lock(mutex_);
      stopping_ = true;
      changed_.NotifyAll();
    }
    if (thread_.joinable()) {
      thread_.join();
    }
  }

  TimerId Add(MonotonicTime at, std::function<void()> callback) {
    std::uint64_t id = 0;
    bool earliest = false;
    {
      MutexLock lock(mutex_);
      id = ++last_id_;
      const Key key{at, id};
      pending_.emplace(key, std::move(callback));
      earliest = pending_.begin()->first == key;
      times_.emplace(id, at);
      if (!thread_.joinable()) {
        thread_ = std::thread([this] { Run(); });
      }
    }
    // It sleeps until the earliest, or an earlier one that was cancelled; outside of the lock, which is
    // the first thing that it takes.
    if (earliest) {
      changed_.NotifyAll();
    }
    return TimerId{id};
  }

  bool Cancel(TimerId timer) {
    const auto id = static_cast<std::uint64_t>(timer);
    MutexLock lock(mutex_);
    const auto at = times_.find(id);
    if (at == times_.end()) {
      return false;
    }
    pending_.erase({at->second, id});
    times_.erase(at);
    return true;
  }

  static MonotonicTime ReadMonotonic() {
    return {std::chrono::steady_clock::now().time_since_epoch()};
  }

 private:
  using Key = std::pair<MonotonicTime, std::uint64_t>;

  void Run() {
    MutexLock lock(mutex_);
    while (!stopping_) {
      if (pending_.empty()) {
        changed_.Wait(mutex_);
        continue;
      }
      const auto next = pending_.begin();
      const auto wait = next->first.first - ReadMonotonic();
      if (wait > std::chrono::nanoseconds::zero()) {
        changed_.WaitFor(mutex_, wait);
        continue;
      }
      std::function<void()> callback = std::move(next->second);
      times_.erase(next->first.second);
      pending_.erase(next);
      mutex_.Unlock();
      callback();
      callback = nullptr;
      mutex_.Lock();
    }
  }

  Mutex mutex_;
  CondVar changed_;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::uint64_t last_id_ ABSL_GUARDED_BY(mutex_) = 0;
  std::map<Key, std::function<void()>> pending_ ABSL_GUARDED_BY(mutex_);
  std::map<std::uint64_t, MonotonicTime> times_ ABSL_GUARDED_BY(mutex_);
  std::thread thread_;
};

SystemClock::SystemClock() : timers_(std::make_unique<Timers>()) {}
SystemClock::~SystemClock() = default;

WallTime SystemClock::Now() const {
  return std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now());
}

MonotonicTime SystemClock::Monotonic() const { return Timers::ReadMonotonic(); }

TimerId SystemClock::CallAfter(std::chrono::nanoseconds delay, std::function<void()> callback) {
  return timers_->Add(Monotonic() + delay, std::move(callback));
}

bool SystemClock::Cancel(TimerId timer) { return timers_->Cancel(timer); }

std::string FormatUtc(WallTime time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  std::array<char, 48> text{};
  const int length = std::snprintf(
      text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%06dZ",
      static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
      static_cast<unsigned>(date.day()), static_cast<int>(clock.hours().count()),
      static_cast<int>(clock.minutes().count()), static_cast<int>(clock.seconds().count()),
      static_cast<int>(clock.subseconds().count()));
  return {text.data(), static_cast<std::size_t>(length)};
}

}  // namespace mj::base
