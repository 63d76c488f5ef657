#include "libs/base/serial_queue.h"

#include <deque>
#include <utility>

#include "libs/base/mutex.h"

namespace mj::base {
namespace {

// Tasks that one turn on the runner takes at most.
constexpr int kTurnMax = 16;

}  // namespace

struct SerialQueue::State : std::enable_shared_from_this<State> {
  State(TaskRunner& on, std::size_t max) : runner(on), queue_max(max) {}

  bool Take(Task task, bool bounded) {
    MutexLock lock(mutex);
    if (closed || (bounded && queue.size() >= queue_max)) {
      return false;
    }
    if (!scheduled) {
      auto turn = [self = shared_from_this()] { self->RunTurn(); };
      if (bounded ? !runner.TryPost(std::move(turn)) : !runner.Post(std::move(turn))) {
        return false;
      }
      scheduled = true;
    }
    queue.push_back(std::move(task));
    return true;
  }

  bool TakeOrRun(Task task, bool bounded) {
    {
      MutexLock lock(mutex);
      if (closed) return false;
      if (scheduled) {
        if (bounded && queue.size() >= queue_max) return false;
        queue.push_back(std::move(task));
        return true;
      }
      scheduled = true;
    }
    const auto self = shared_from_this();  // a task may be the queue's end
    task();
    RunTurn();
    return true;
  }

  void RunTurn() {
    for (int done = 0;; ++done) {
      Task task;
      {
        MutexLock lock(mutex);
        if (queue.empty()) {
          scheduled = false;
          return;
        }
        // A runner that has stopped takes no further turn: this one goes on to the end.
        if (done >= kTurnMax && runner.Post([self = shared_from_this()] { self->RunTurn(); })) {
          return;
        }
        task = std::move(queue.front());
        queue.pop_front();
      }
      task();
    }
  }

  TaskRunner& runner;
  const std::size_t queue_max;
  mutable Mutex mutex;
  std::deque<Task> queue ABSL_GUARDED_BY(mutex);
  bool scheduled ABSL_GUARDED_BY(mutex) = false;  // a turn is on the runner or running
  bool closed ABSL_GUARDED_BY(mutex) = false;
};

SerialQueue::SerialQueue(TaskRunner& runner, std::size_t queue_max)
    : state_(std::make_shared<State>(runner, queue_max)) {}

SerialQueue::~SerialQueue() { Close(); }

bool SerialQueue::TryPost(Task task) { return state_->Take(std::move(task), /*bounded=*/true); }

bool SerialQueue::Post(Task task) { return state_->Take(std::move(task), /*bounded=*/false); }

bool SerialQueue::TryRun(Task task) { return state_->TakeOrRun(std::move(task), /*bounded=*/true); }

bool SerialQueue::Run(Task task) { return state_->TakeOrRun(std::move(task), /*bounded=*/false); }

void SerialQueue::Close() {
  MutexLock lock(state_->mutex);
  state_->closed = true;
}

std::size_t SerialQueue::queue_size() const {
  MutexLock lock(state_->mutex);
  return state_->queue.size();
}

}  // namespace mj::base
