// A TaskRunner whose tasks run when the test says so, on the test's own thread.
#pragma once

#include <cstddef>
#include <deque>

#include "libs/base/executor.h"
#include "libs/base/mutex.h"

namespace mj::base {

// Thread-safe; tasks run first in first out inside RunOne and RunAll.
class ManualRunner final : public TaskRunner {
 public:
  explicit ManualRunner(std::size_t queue_max = 1024) : queue_max_(queue_max) {}

  [[nodiscard]] bool TryPost(Task task) override;
  bool Post(Task task) override;

  // Runs the oldest task; false if there is none.
  bool RunOne();
  // Runs until none is left, those posted meanwhile too. Returns how many.
  std::size_t RunAll();
  // From now on every post is refused.
  void Stop();
  [[nodiscard]] std::size_t queue_size() const;

 private:
  const std::size_t queue_max_;
  mutable Mutex mutex_;
  std::deque<Task> queue_ ABSL_GUARDED_BY(mutex_);
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace mj::base
