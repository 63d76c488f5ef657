// Tells those who watch a ticket when it changes, on whichever replica the change was made: the
// store is asked, once for all tickets watched here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>

#include "absl/status/status.h"
#include "libs/base/clock.h"
#include "libs/base/mutex.h"
#include "services/matchmaking/app/ports.h"

namespace mj::matchmaking {

struct TicketWatchOptions {
  Millis remind_every{5'000};  // a queued ticket is told again, for its estimate has changed
};

// Thread-safe. Keeps references: `store` and `clock` must outlive it.
class TicketWatch {
 public:
  enum class WatchId : std::uint64_t { kNone = 0 };
  using OnChange = std::function<void(const Ticket&)>;

  TicketWatch(Store& store, const base::Clock& clock, TicketWatchOptions options = {})
      : store_(store), clock_(clock), options_(options) {}

  // From now on `on_change` is called, from within Poll, whenever the ticket stands otherwise than
  // it did last, and now and then while it is queued; `known` is how the watcher knows it. States that it passed through between two
  // polls are left out. After a state that is not live it is forgotten.
  WatchId Watch(const Ticket& known, OnChange on_change);

  // Forgets it; kNone and unknown ids too. `on_change` may be running, or about to run, in another
  // thread: it must own what it touches.
  void Unwatch(WatchId id);

  // Looks for changes. A failure of the store changes nothing: next time.
  absl::Status Poll();

  [[nodiscard]] std::size_t size() const;

 private:
  struct Watcher {
    Ticket known;
    base::MonotonicTime told{};
    OnChange on_change;
  };

  // Only those who watched before the tickets were read: for a later one this may be old news.
  void Tell(const std::vector<Ticket>& tickets, WatchId newest);

  Store& store_;
  const base::Clock& clock_;
  const TicketWatchOptions options_;
  mutable base::Mutex mutex_;
  std::uint64_t last_id_ ABSL_GUARDED_BY(mutex_) = 0;
  std::map<WatchId, Watcher> watchers_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace mj::matchmaking
