#include "services/table/app/alarm.h"

#include <cstdint>
#include <utility>

#include "libs/base/mutex.h"

namespace mj::table {

struct Alarm::State {
  base::Mutex mutex;
  std::uint64_t setting ABSL_GUARDED_BY(mutex) = 0;  // counts Set and Cancel
  std::function<void()> ring ABSL_GUARDED_BY(mutex);
};

Alarm::Alarm(base::Clock& clock) : clock_(clock), state_(std::make_shared<State>()) {}

Alarm::~Alarm() { Cancel(); }

void Alarm::Set(std::chrono::nanoseconds delay, std::function<void()> ring) {
  std::uint64_t setting = 0;
  std::function<void()> dropped;  // outside the lock
  {
    base::MutexLock lock(state_->mutex);
    setting = ++state_->setting;
    dropped = std::exchange(state_->ring, std::move(ring));
  }
  clock_.CallAfter(delay, [state = state_, setting] {
    std::function<void()> spent;  // outside the lock
    base::MutexLock lock(state->mutex);
    if (state->setting != setting || !state->ring) return;
    spent = std::exchange(state->ring, nullptr);
    spent();
  });
}

void Alarm::Cancel() {
  std::function<void()> dropped;  // outside the lock
  base::MutexLock lock(state_->mutex);
  ++state_->setting;
  dropped = std::exchange(state_->ring, nullptr);
}

}  // namespace mj::table
