#include "services/table/app/subscription.h"

#include <algorithm>
#include <utility>

namespace mj::table {

template <typename Event>
void BasicSubscription<Event>::OnReady(std::function<void()> ready) {
  std::function<void()> call;
  {
    base::MutexLock lock(mutex_);
    ready_ = std::move(ready);
    if (!outbox_.empty() || notice_ || end_) call = Signal();
  }
  if (call) call();
}

template <typename Event>
typename BasicSubscription<Event>::Taken BasicSubscription<Event>::Take(std::size_t max) {
  Taken taken;
  std::function<void()> room;
  {
    base::MutexLock lock(mutex_);
    const std::size_t size = std::min(max, outbox_.size());
    for (std::size_t i = 0; i < size; ++i) {
      taken.events.push_back(std::move(outbox_.front()));
      outbox_.pop_front();
    }
    taken.notice = std::exchange(notice_, std::nullopt);
    if (outbox_.empty() && end_) taken.end = end_;
    hungry_ = taken.events.empty() && !taken.notice && !taken.end;
    if (!end_ && outbox_.size() <= outbox_max_ / 4) room = std::exchange(room_, nullptr);
  }
  if (room) room();
  return taken;
}

template <typename Event>
void BasicSubscription<Event>::Cancel() {
  std::function<void()> ready;  // outside the lock, as in End
  std::function<void()> room;
  std::function<void()> ended;
  {
    base::MutexLock lock(mutex_);
    cancelled_ = true;
    if (!end_) end_ = absl::CancelledError();
    outbox_.clear();
    ready = std::exchange(ready_, nullptr);
    room = std::exchange(room_, nullptr);
    ended = std::exchange(ended_, nullptr);
  }
  if (ended) ended();
}

template <typename Event>
void BasicSubscription<Event>::OnEnded(std::function<void()> ended) {
  {
    base::MutexLock lock(mutex_);
    if (!end_) {
      ended_ = std::move(ended);
      return;
    }
  }
  ended();
}

template <typename Event>
void BasicSubscription<Event>::OnRoom(std::function<void()> room) {
  std::function<void()> call;
  {
    base::MutexLock lock(mutex_);
    if (end_) return;
    if (outbox_.size() <= outbox_max_ / 4) {
      call = std::move(room);
    } else {
      room_ = std::move(room);
    }
  }
  if (call) call();
}

template <typename Event>
bool BasicSubscription<Event>::Put(const Event& event) {
  base::MutexLock lock(mutex_);
  return PutWithin(outbox_max_, event);
}

template <typename Event>
bool BasicSubscription<Event>::PutPast(const Event& event) {
  std::function<void()> call;
  {
    base::MutexLock lock(mutex_);
    if (!PutWithin((outbox_max_ + 1) / 2, event)) return false;
    call = Signal();
  }
  if (call) call();
  return true;
}

template <typename Event>
void BasicSubscription<Event>::Tell() {
  std::function<void()> call;
  {
    base::MutexLock lock(mutex_);
    if (outbox_.empty()) return;
    call = Signal();
  }
  if (call) call();
}

template <typename Event>
void BasicSubscription<Event>::Notify(const Notice& notice) {
  std::function<void()> call;
  {
    base::MutexLock lock(mutex_);
    if (end_) return;
    notice_ = notice;
    call = Signal();
  }
  if (call) call();
}

template <typename Event>
bool BasicSubscription<Event>::PutWithin(std::size_t limit, const Event& event) {
  if (end_ || outbox_.size() >= limit) return false;
  outbox_.push_back(event);
  return true;
}

template <typename Event>
void BasicSubscription<Event>::End(absl::Status status) {
  std::function<void()> call;
  std::function<void()> dropped;  // outside the lock: it may hold the last of what calls us
  std::function<void()> ended;
  {
    base::MutexLock lock(mutex_);
    if (end_) return;
    if (!status.ok()) {
      outbox_.clear();
      notice_.reset();
      hungry_ = true;
    }
    end_ = std::move(status);
    dropped = std::exchange(room_, nullptr);
    ended = std::exchange(ended_, nullptr);
    call = Signal();
  }
  if (call) call();
  if (ended) ended();
}

template <typename Event>
bool BasicSubscription<Event>::ended() const {
  base::MutexLock lock(mutex_);
  return end_.has_value();
}

template <typename Event>
std::function<void()> BasicSubscription<Event>::Signal() {
  if (!hungry_ || cancelled_ || !ready_) return nullptr;
  hungry_ = false;
  return ready_;
}

template class BasicSubscription<Shown>;
template class BasicSubscription<Watched>;

}  // namespace mj::table
