#include "libs/auth/limits.h"

#include <algorithm>

#include "libs/base/reasons.h"

namespace mj::auth {
namespace {

using base::Error;
using base::Reason;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

}  // namespace

absl::Status Limits::Call(const Caller& caller, base::MonotonicTime now) {
  const CallerLimit& limit = Of(caller);
  if (limit.calls_per_second == 0) return absl::OkStatus();
  const nanoseconds each = nanoseconds(std::chrono::seconds(1)) / limit.calls_per_second;
  base::MutexLock lock(mutex_);
  if (usage_.size() >= forget_at_) Forget(now);
  Usage& usage = usage_[NameOf(caller)];
  const base::MonotonicTime paid = std::max(usage.paid_until, now) + each;
  const nanoseconds over = paid - now - each * limit.burst;
  if (over > nanoseconds::zero()) {
    return Error(Reason::kRateLimited, {}, {.retry_after = std::chrono::ceil<milliseconds>(over)});
  }
  usage.paid_until = paid;
  return absl::OkStatus();
}

absl::Status Limits::Open(const Caller& caller) {
  const CallerLimit& limit = Of(caller);
  base::MutexLock lock(mutex_);
  Usage& usage = usage_[NameOf(caller)];
  if (limit.streams > 0 && usage.streams >= limit.streams) {
    return Error(Reason::kTooManyStreams, {},
                 {.metadata = {{"limit", std::to_string(limit.streams)}},
                  .retry_after = milliseconds(1'000)});
  }
  ++usage.streams;
  return absl::OkStatus();
}

void Limits::Close(const Caller& caller) {
  base::MutexLock lock(mutex_);
  --usage_[NameOf(caller)].streams;
}

std::size_t Limits::known() const {
  base::MutexLock lock(mutex_);
  return usage_.size();
}

void Limits::Forget(base::MonotonicTime now) {
  std::erase_if(usage_, [now](const auto& one) {
    return one.second.streams == 0 && one.second.paid_until <= now;
  });
  forget_at_ = std::max(kForgetFrom, usage_.size() * 2);
}

}  // namespace mj::auth
