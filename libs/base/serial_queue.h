// A strand: tasks that never run at the same time, in the order in which they were taken. What only
// such tasks touch needs no lock.
#pragma once

#include <cstddef>
#include <memory>

#include "libs/base/executor.h"

namespace mj::base {

// Runs its tasks on the threads of a runner, or of whoever calls Run, a few at a time, then lets other
// strands have a turn.
// Thread-safe. Tasks may post to their own queue.
class SerialQueue {
 public:
  // At most `queue_max` tasks wait. Keeps a reference to `runner`, which must outlive every task.
  SerialQueue(TaskRunner& runner, std::size_t queue_max);

  // Refuses further tasks. Those taken still run, and keep what they need alive by themselves: the
  // queue may be gone by then.
  ~SerialQueue();

  SerialQueue(const SerialQueue&) = delete;
  SerialQueue& operator=(const SerialQueue&) = delete;

  // Takes new work. False, and the task is dropped unrun, if queue_max tasks wait already, the
  // runner's own queue is full, or either is closed: answer OVERLOADED.
  [[nodiscard]] bool TryPost(Task task);

  // Takes the continuation of accepted work (a timer, a peer's answer), beyond both bounds if need
  // be. False only when closed or when the runner has stopped.
  bool Post(Task task);

  // The same two for a caller that may be held up for some tasks' time: when nothing of this queue
  // runs or waits, the task runs here and now, and what comes meanwhile behind it, which saves waking
  // a thread of the runner. Not under a lock that a task may take.
  [[nodiscard]] bool TryRun(Task task);
  bool Run(Task task);

  // Refuses further tasks.
  void Close();

  // Tasks that wait at this moment.
  [[nodiscard]] std::size_t queue_size() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace mj::base
