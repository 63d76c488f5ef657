#include "libs/base/executor.h"

#include <pthread.h>

#include <utility>

#include "libs/base/check.h"

namespace mj::base {

Executor::Executor(ExecutorOptions options) : options_(std::move(options)) {
  MJ_CHECK(options_.threads >= 1);
  threads_.reserve(static_cast<std::size_t>(options_.threads));
  for (int i = 0; i < options_.threads; ++i) {
    threads_.emplace_back([this] { Run(); });
    pthread_setname_np(threads_.back().native_handle(), options_.name.substr(0, 15).c_str());
  }
}

Executor::~Executor() { Stop(); }

bool Executor::TryPost(Task task) { return Take(std::move(task), /*bounded=*/true); }

bool Executor::Post(Task task) { return Take(std::move(task), /*bounded=*/false); }

bool Executor::Take(Task task, bool bounded) {
  MutexLock lock(mutex_);
  if (stopping_ || (bounded && queue_.size() >= options_.queue_max)) {
    return false;
  }
  queue_.push_back(std::move(task));
  changed_.NotifyOne();
  return true;
}

void Executor::Stop() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    changed_.NotifyAll();
  }
  for (std::thread& thread : threads_) {
    if (thread.joinable()) {
      thread.join();
    }
  }
}

std::size_t Executor::queue_size() const {
  MutexLock lock(mutex_);
  return queue_.size();
}

void Executor::Run() {
  while (true) {
    Task task;
    {
      MutexLock lock(mutex_);
      while (queue_.empty() && !stopping_) {
        changed_.Wait(mutex_);
      }
      if (queue_.empty()) {
        return;
      }
      task = std::move(queue_.front());
      queue_.pop_front();
    }
    task();
  }
}

}  // namespace mj::base
