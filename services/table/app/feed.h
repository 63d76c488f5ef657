// One stream: its latest events, and who reads it.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "services/table/app/shown.h"
#include "services/table/app/subscription.h"

namespace mj::table {

// Not thread-safe: its table's queue alone uses it.
//
// A reader that is up to date is live: events are put into its outbox as they happen, and it is cut
// off (STREAM_TOO_SLOW) when that is full. A reader that is behind is fed with the past as fast as
// it reads, and cut off only when what it needs next is kept no longer. Whoever is cut off resumes.
template <typename Event>
class BasicFeed {
 public:
  using Reader = BasicSubscription<Event>;

  // Keeps the latest `kept_max` events, 1 or more; older ones are to be had from the journal. Its
  // next event is number `last` + 1.
  explicit BasicFeed(std::size_t kept_max, StreamSeq last = 0) : kept_max_(kept_max), last_(last) {}

  // Its next event: put into every live reader's outbox, which is told of it by Tell. Returns how many
  // readers were cut off.
  std::size_t Add(const Event& event);
  void Tell();

  // Tells every reader, live or not.
  void Notify(const Notice& notice);

  // The latest event; 0 before the first.
  [[nodiscard]] StreamSeq last() const { return last_; }
  // Whether everything after `after` is kept here.
  [[nodiscard]] bool Keeps(StreamSeq after) const { return after >= last_ - kept_.size(); }

  // A reader, from `after` + 1 on. `older` are events from the journal, in order, the first of them
  // `after` + 1; not needed when Keeps(after). `refill` is called, on whatever thread, when Refill
  // is to be called for this reader.
  void Attach(std::shared_ptr<Reader> reader, StreamSeq after, std::vector<Event> older,
              std::function<void()> refill);

  // Puts what there is room for into the outbox of a reader that is behind. Returns how many were
  // cut off.
  std::size_t Refill(const Reader* reader);

  // No more will come. OK: every reader gets the rest, then the end; those that are behind still
  // call for Refill. A failure: they are cut off with it.
  void End(const absl::Status& status);

 private:
  struct Place {
    std::shared_ptr<Reader> reader;
    StreamSeq next = 1;  // the first event that it has not been given
    std::vector<Event> older;
    std::function<void()> refill;
    bool live = false;
  };

  [[nodiscard]] const Event* Find(const Place& place) const;
  std::size_t Fill(Place& place);
  void ForgetEnded();

  const std::size_t kept_max_;
  std::deque<Event> kept_;
  StreamSeq last_;
  bool over_ = false;
  std::vector<Place> places_;
};

extern template class BasicFeed<Shown>;
extern template class BasicFeed<Watched>;

// Of the player at one seat, and of those who watch from one.
using Feed = BasicFeed<Shown>;
using WatchFeed = BasicFeed<Watched>;

// The streams of a table's four seats. A feed outlives its seat's player while readers are behind.
class Feeds {
 public:
  explicit Feeds(std::size_t kept_max);

  // Shows it to whoever reads, who is told of it by Tell; an event with number 1 begins a new stream.
  // Returns how many readers were cut off.
  std::size_t Show(const Showing& showing);
  void TellAll();
  void End(Seat seat, const absl::Status& status) { feeds_[seat]->End(status); }
  void EndAll(const absl::Status& status);
  void NotifyAll(const Notice& notice);

  [[nodiscard]] const std::shared_ptr<Feed>& operator[](Seat seat) const { return feeds_[seat]; }

 private:
  std::size_t kept_max_;
  PerSeat<std::shared_ptr<Feed>> feeds_;
};

}  // namespace mj::table
