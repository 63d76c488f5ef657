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
    timer = clock.CallAfter(interval, [self = shared_from_this()] {
      // Beyond the queue's bound if need be: a busy moment must not end the pulse.
      self->runner.Post([self] { self->Beat(); });
    });
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
  base::TimerId timer ABSL_GUARDED_BY(mutex) = base::TimerId::kNone;
};

Pulse::Pulse(base::Clock& clock, base::TaskRunner& runner, std::chrono::milliseconds interval,
             std::function<void()> beat)
    : state_(std::make_shared<State>(clock, runner, interval, std::move(beat))) {}

Pulse::~Pulse() { Stop(); }

void Pulse::Start() { state_->Pause(); }

void Pulse::Stop() { state_->Stop(); }

}  // namespace mj::matchmaking
