#include "libs/base/periodic.h"

#include <utility>

namespace mj::base {

Periodic::Periodic(std::string name, std::function<void()> work)
    : work_(std::move(work)), thread_({.name = std::move(name)}) {}

Periodic::~Periodic() { Stop(); }

void Periodic::Start(std::chrono::nanoseconds pause) {
  // Refused when it was stopped before.
  static_cast<void>(thread_.TryPost([this, pause] { Run(pause); }));
}

void Periodic::Stop() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
  }
  stopped_.NotifyAll();
  thread_.Stop();
}

bool Periodic::stopping() const {
  MutexLock lock(mutex_);
  return stopping_;
}

void Periodic::Run(std::chrono::nanoseconds pause) {
  while (true) {
    work_();
    MutexLock lock(mutex_);
    if (!stopping_) stopped_.WaitFor(mutex_, pause);
    if (stopping_) return;
  }
}

}  // namespace mj::base
