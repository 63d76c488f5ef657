#include "services/matchmaking/app/pulse.h"

#include <utility>

#include "libs/base/mutex.h"

namespace mj::matchmaking {

struct Pulse::State : std::enable_shared_from_this<Pulse::State> {
  State(base::Clock& c, base::TaskRunner& r, std::chrono::milliseconds i, std::function<void()> b)
      : clock(c), runner(r), interval(i), beat(std::move(b)) {}

  void Pause() {
    base::MutexLock lock(mutex);
    if (stopped) return;
    if (std::exchange(hurried, false)) return Next();
    pausing = true;
    timer = clock.CallAfter(interval, [self = shared_from_this()] {
      base::MutexLock at_end(self->mutex);
      if (std::exchange(self->pausing, false)) self->Next();
    });
  }

  void Hurry() {
    base::MutexLock lock(mutex);
    if (beating) {
      hurried = true;
    } else if (std::exchange(pausing, false)) {
      clock.Cancel(timer);
      Next();
    }
  }

  void Next() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    // Beyond the queue's bound if need be: a busy moment must not end the pulse.
    runner.Post([self = shared_from_this()] { self->Beat(); });
  }

  void Beat() {
    {
      base::MutexLock lock(mutex);
      if (stopped) return;
      beating = true;
    }
    beat();
    {
      base::MutexLock lock(mutex);
      beating = false;
      changed.NotifyAll();
    }
    Pause();
  }

  void Stop() {
    base::MutexLock lock(mutex);
    stopped = true;
    pausing = false;
    clock.Cancel(timer);
    while (beating) changed.Wait(mutex);
  }

  base::Clock& clock;
  base::TaskRunner& runner;
  const std::chrono::milliseconds interval;
  const std::function<void()> beat;
  base::Mutex mutex;
  base::CondVar changed;
  bool stopped ABSL_GUARDED_BY(mutex) = false;
  bool beating ABSL_GUARDED_BY(mutex) = false;
  bool pausing ABSL_GUARDED_BY(mutex) = false;  // the timer runs
  bool hurried ABSL_GUARDED_BY(mutex) = false;  // there is to be no pause behind the beat under way
  base::TimerId timer ABSL_GUARDED_BY(mutex) = base::TimerId::kNone;
};

Pulse::Pulse(base::Clock& clock, base::TaskRunner& runner, std::chrono::milliseconds interval,
             std::function<void()> beat)
    : state_(std::make_shared<State>(clock, runner, interval, std::move(beat))) {}

Pulse::~Pulse() { Stop(); }

void Pulse::Start() { state_->Pause(); }

void Pulse::Hurry() { state_->Hurry(); }

void Pulse::Stop() { state_->Stop(); }

}  // namespace mj::matchmaking
