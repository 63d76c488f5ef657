// Where work runs that must not run on a gRPC thread: whatever waits for a disk, a database or a
// peer.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "libs/base/mutex.h"

namespace mj::base {

using Task = std::function<void()>;

// Takes tasks and runs each once, on whatever thread it has. A task must not throw. Thread-safe.
class TaskRunner {
 public:
  virtual ~TaskRunner() = default;

  // Takes new work. False, and the task is dropped unrun, if the queue is full or stopped: answer
  // OVERLOADED, or SHUTTING_DOWN.
  [[nodiscard]] virtual bool TryPost(Task task) = 0;

  // Takes the continuation of work that was accepted before, beyond the queue's bound if need be;
  // there are never more of these than accepted work. False only when stopped.
  virtual bool Post(Task task) = 0;
};

struct ExecutorOptions {
  std::string name;             // of its threads, for debuggers; at most 15 characters are used
  int threads = 1;              // 1 or more
  std::size_t queue_max = 256;  // tasks that wait; more are refused
};

// A fixed number of threads over one bounded first-in-first-out queue.
class Executor final : public TaskRunner {
 public:
  explicit Executor(ExecutorOptions options);
  // Stops.
  ~Executor() override;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  [[nodiscard]] bool TryPost(Task task) override;
  bool Post(Task task) override;

  // Refuses further work, runs what was taken, and returns when all of it is done. Not from one of
  // its own tasks. Again: no effect.
  void Stop();

  // Tasks that wait at this moment.
  [[nodiscard]] std::size_t queue_size() const;

 private:
  // What the threads share with whoever posts. Whoever posts wakes a thread once it has let go of the
  // lock, which is the first thing that the thread takes; by then its task may have run, and the
  // executor be gone.
  struct Queue {
    mutable Mutex mutex;
    CondVar changed;
    std::deque<Task> tasks ABSL_GUARDED_BY(mutex);
    bool stopping ABSL_GUARDED_BY(mutex) = false;
  };

  bool Take(Task task, bool bounded);
  static void Run(Queue& queue);

  const ExecutorOptions options_;
  const std::shared_ptr<Queue> queue_ = std::make_shared<Queue>();
  std::vector<std::thread> threads_;
};

}  // namespace mj::base
