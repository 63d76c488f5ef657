#include "libs/base/manual_runner_testing.h"

#include <utility>

namespace mj::base {

bool ManualRunner::TryPost(Task task) {
  MutexLock lock(mutex_);
  if (stopped_ || queue_.size() >= queue_max_) {
    return false;
  }
  queue_.push_back(std::move(task));
  return true;
}

bool ManualRunner::Post(Task task) {
  MutexLock lock(mutex_);
  if (stopped_) {
    return false;
  }
  queue_.push_back(std::move(task));
  return true;
}

bool ManualRunner::RunOne() {
  Task task;
  {
    MutexLock lock(mutex_);
    if (queue_.empty()) {
      return false;
    }
    task = std::move(queue_.front());
    queue_.pop_front();
  }
  task();
  return true;
}

std::size_t ManualRunner::RunAll() {
  std::size_t count = 0;
  while (RunOne()) {
    ++count;
  }
  return count;
}

void ManualRunner::Stop() {
  MutexLock lock(mutex_);
  stopped_ = true;
}

std::size_t ManualRunner::queue_size() const {
  MutexLock lock(mutex_);
  return queue_.size();
}

}  // namespace mj::base
