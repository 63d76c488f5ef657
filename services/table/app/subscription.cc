#include "services/table/app/subscription.h"

#include <algorithm>
#include <utility>

namespace mj::table {

void Subscription::OnReady(std::function<void()> ready) {
  std::function<void()> call;
  {
    base::MutexLock lock(mutex_);
    ready_ = std::move(ready);
    if (!outbox_.empty() || end_) call = Signal();
  }
  if (call) call();
}

Subscription::Taken Subscription::Take(std::size_t max) {
  Taken taken;
  std::function<void()> room;
  {
    base::MutexLock lock(mutex_);
    const std::size_t size = std::min(max, outbox_.size());
    for (std::size_t i = 0; i < size; ++i) {
      taken.events.push_back(std::move(outbox_.front()));
      outbox_.pop_front();
    }
    if (outbox_.empty() && end_) taken.end = end_;
    hungry_ = taken.events.empty() && !taken.end;
    if (!end_ && outbox_.size() <= outbox_max_ / 4) room = std::exchange(room_, nullptr);
  }
  if (room) room();
  return taken;
}

void Subscription::Cancel() {
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

void Subscription::OnEnded(std::function<void()> ended) {
  {
    base::MutexLock lock(mutex_);
    if (!end_) {
      ended_ = std::move(ended);
      return;
    }
  }
  ended();
}

void Subscription::OnRoom(std::function<void()> room) {
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

bool Subscription::Put(const Shown& shown) { return PutWithin(outbox_max_, shown); }

bool Subscription::PutPast(const Shown& shown) { return PutWithin((outbox_max_ + 1) / 2, shown); }

bool Subscription::PutWithin(std::size_t limit, const Shown& shown) {
  std::function<void()> call;
  {
    base::MutexLock lock(mutex_);
    if (end_ || outbox_.size() >= limit) return false;
    outbox_.push_back(shown);
    call = Signal();
  }
  if (call) call();
  return true;
}

void Subscription::End(absl::Status status) {
  std::function<void()> call;
  std::function<void()> dropped;  // outside the lock: it may hold the last of what calls us
  std::function<void()> ended;
  {
    base::MutexLock lock(mutex_);
    if (end_) return;
    if (!status.ok()) {
      outbox_.clear();
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

bool Subscription::ended() const {
  base::MutexLock lock(mutex_);
  return end_.has_value();
}

std::function<void()> Subscription::Signal() {
  if (!hungry_ || cancelled_ || !ready_) return nullptr;
  hungry_ = false;
  return ready_;
}

}  // namespace mj::table
