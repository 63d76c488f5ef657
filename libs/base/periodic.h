// Work that comes round again on a thread of its own, until it is stopped.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "libs/base/executor.h"
#include "libs/base/mutex.h"

namespace mj::base {

// Thread-safe.
class Periodic {
 public:
  // `work` is done in turn, and may block. What it uses outlives this.
  //   name   of the thread, for debuggers
  Periodic(std::string name, std::function<void()> work);
  // Stops.
  ~Periodic();
  Periodic(const Periodic&) = delete;
  Periodic& operator=(const Periodic&) = delete;

  // Begins, with so much time between two turns. Once; without effect after Stop.
  void Start(std::chrono::nanoseconds pause);
  // Returns when the turn that is on its way is over. Again: no effect.
  void Stop();
  // Whether Stop was called, for a turn that is long.
  [[nodiscard]] bool stopping() const;

 private:
  void Run(std::chrono::nanoseconds pause);

  const std::function<void()> work_;
  mutable Mutex mutex_;
  CondVar stopped_;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  Executor thread_;  // last: ends before what it uses
};

}  // namespace mj::base
