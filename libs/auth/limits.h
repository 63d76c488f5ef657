// How much of a server one caller may take.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>

#include "absl/status/status.h"
#include "libs/auth/caller.h"
#include "libs/base/clock.h"
#include "libs/base/mutex.h"

namespace mj::auth {

struct CallerLimit {
  int calls_per_second = 0;  // 0: as many as it likes
  int burst = 1;             // at once, after a pause; at least 1
  int streams = 0;           // open at the same time; 0: as many as it likes
};

struct LimitOptions {
  // A device that plays needs two calls a second, and one stream a seat.
  CallerLimit person{.calls_per_second = 100, .burst = 400, .streams = 16};
  // Backends, operators, finance, services.
  CallerLimit other{.calls_per_second = 20'000, .burst = 20'000, .streams = 20'000};
};

// Thread-safe.
class Limits {
 public:
  explicit Limits(LimitOptions options) : options_(options) {}

  // Counts a call at `now`, which never goes back. RATE_LIMITED with the time after which it would not
  // be; then it is not counted.
  [[nodiscard]] absl::Status Call(const Caller& caller, base::MonotonicTime now);

  // Counts a stream as open, until Close is told of it. TOO_MANY_STREAMS; then it is not counted.
  [[nodiscard]] absl::Status Open(const Caller& caller);
  void Close(const Caller& caller);

  // Callers that are remembered.
  [[nodiscard]] std::size_t known() const;

 private:
  struct Usage {
    base::MonotonicTime paid_until;  // the time up to which its calls are accounted for
    int streams = 0;
  };

  [[nodiscard]] const CallerLimit& Of(const Caller& caller) const {
    return IsPerson(caller.role) ? options_.person : options_.other;
  }
  // Those whom nothing is held against need not be remembered.
  void Forget(base::MonotonicTime now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const LimitOptions options_;
  mutable base::Mutex mutex_;
  // With fewer there is nothing to be gained.
  static constexpr std::size_t kForgetFrom = 1'024;
  std::size_t forget_at_ ABSL_GUARDED_BY(mutex_) = kForgetFrom;
  std::unordered_map<std::string, Usage> usage_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace mj::auth
