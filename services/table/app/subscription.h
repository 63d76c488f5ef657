// One client's reading of one stream.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "libs/base/mutex.h"
#include "services/table/app/shown.h"
#include "services/table/app/watched.h"

namespace mj::table {

// What a reader is told beside the events: of this moment alone, not numbered, not journalled.
struct Notice {
  int observers = 0;  // how many watch the table (COM-13); 0 until something else is said
  bool operator==(const Notice&) const = default;
};

// A bounded outbox between a table, which puts events in, and a reader, which takes them out at its
// own pace. Thread-safe. `Event` is a stream's event: Shown, Watched.
template <typename Event>
class BasicSubscription {
 public:
  // At most `outbox_max` events wait in it.
  explicit BasicSubscription(std::size_t outbox_max) : outbox_max_(outbox_max) {}

  // ------------------------------------------------------------------ the reader's side

  struct Taken {
    std::vector<Event> events;
    // The latest notice, when there has been one since the last Take.
    std::optional<Notice> notice;
    // Set once everything has been taken and no more will come: OK after the stream's last event,
    // else why it was cut off.
    std::optional<absl::Status> end;
  };

  // Sets what to call when there is something to take: once for each time that Take found nothing,
  // at once if there is something already; and whenever it is cut off, so that a reader which is
  // busy with what it took learns of it. Not to block; on whatever thread.
  void OnReady(std::function<void()> ready);

  // At most `max` events, in order. Nothing at all: OnReady's callback will be called.
  Taken Take(std::size_t max);

  // The reader is gone; nothing is called any more.
  void Cancel();

  // ------------------------------------------------------------------- the table's side

  // Sets what to call when the outbox has room again for a reader that is still behind.
  void OnRoom(std::function<void()> room);

  // An event that has just happened, or one of the past; the past may fill half of the outbox only,
  // so that the present finds room. False when there is none, or the subscription has ended: it is
  // not taken then. The reader is told of the past at once, of the present by the next Tell, so that it
  // takes together what happened together.
  bool Put(const Event& event);
  bool PutPast(const Event& event);
  void Tell();

  // Takes the place of a notice that has not been taken yet: it needs no room.
  void Notify(const Notice& notice);

  // Sets what to call once, when the subscription ends, whoever ends it; at once if it has. Not to
  // block; on whatever thread.
  void OnEnded(std::function<void()> ended);

  // No more will come. What waits is still read after OK, and dropped after a failure. The first
  // counts.
  void End(absl::Status status);

  [[nodiscard]] bool ended() const;

 private:
  bool PutWithin(std::size_t limit, const Event& event) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::function<void()> Signal() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::size_t outbox_max_;
  mutable base::Mutex mutex_;
  std::deque<Event> outbox_ ABSL_GUARDED_BY(mutex_);
  std::optional<Notice> notice_ ABSL_GUARDED_BY(mutex_);
  std::optional<absl::Status> end_ ABSL_GUARDED_BY(mutex_);
  bool cancelled_ ABSL_GUARDED_BY(mutex_) = false;
  bool hungry_ ABSL_GUARDED_BY(mutex_) = true;  // the reader waits to be called
  std::function<void()> ready_ ABSL_GUARDED_BY(mutex_);
  std::function<void()> room_ ABSL_GUARDED_BY(mutex_);
  std::function<void()> ended_ ABSL_GUARDED_BY(mutex_);
};

extern template class BasicSubscription<Shown>;
extern template class BasicSubscription<Watched>;

// Of a player, and of somebody who watches.
using Subscription = BasicSubscription<Shown>;
using WatchSubscription = BasicSubscription<Watched>;

}  // namespace mj::table
