#include "libs/base/executor.h"

#include <pthread.h>

#include <utility>

#include "libs/base/check.h"

namespace mj::base {

Executor::Executor(ExecutorOptions options) : options_(std::move(options)) {
  MJ_CHECK(options_.threads >= 1);
  threads_.reserve(static_cast<std::size_t>(options_.threads));
  for (int i = 0; i < options_.threads; ++i) {
    threads_.emplace_back([queue = queue_.get()] { Run(*queue); });
    pthread_setname_np(threads_.back().native_handle(), options_.name.substr(0, 15).c_str());
  }
}

Executor::~Executor() { Stop(); }

bool Executor::TryPost(Task task) { return Take(std::move(task), /*bounded=*/true); }

bool Executor::Post(Task task) { return Take(std::move(task), /*bounded=*/false); }

bool Executor::Take(Task task, bool bounded) {
  const std::shared_ptr<Queue> queue = queue_;
  {
    MutexLock lock(queue->mutex);
    if (queue->stopping || (bounded && queue->tasks.size() >= options_.queue_max)) {
      return false;
    }
    queue->tasks.push_back(std::move(task));
  }
  queue->changed.NotifyOne();
  return true;
}

void Executor::Stop() {
  {
    MutexLock lock(queue_->mutex);
    queue_->stopping = true;
  }
  queue_->changed.NotifyAll();
  for (std::thread& thread : threads_) {
    if (thread.joinable()) {
      thread.join();
    }
  }
}

std::size_t Executor::queue_size() const {
  MutexLock lock(queue_->mutex);
  return queue_->tasks.size();
}

void Executor::Run(Queue& queue) {
  while (true) {
    Task task;
    {
      MutexLock lock(queue.mutex);
      while (queue.tasks.empty() && !queue.stopping) {
        queue.changed.Wait(queue.mutex);
      }
      if (queue.tasks.empty()) {
        return;
      }
      task = std::move(queue.tasks.front());
      queue.tasks.pop_front();
    }
    task();
  }
}

}  // namespace mj::base
