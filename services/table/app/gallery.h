// Who watches a table (COM-13), and what they are told.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "services/table/app/feed.h"
#include "services/table/app/model.h"
#include "services/table/app/watched.h"

namespace mj::table {

// Not thread-safe: its table's queue alone uses it.
//
// Invariants
//   1. nobody is told of an event before `delay` has passed since it happened;
//   2. a hand is told only if it was lent when the event happened, and has been lent ever since;
//   3. the table waits for nobody who watches: readers are cut off, as those of a seat (feed.h).
//
// While nobody watches it is shut and keeps nothing. Once open it keeps what is not told yet, and
// what is told of the latest round; anything older is to be had from the journal.
class Gallery {
 public:
  using Reader = WatchSubscription;
  // The entry of the journal by which each seat's hand is lent now.
  using Lent = PerSeat<std::optional<std::int64_t>>;

  //   kept_max   events that each seat's feed keeps for readers which are behind.
  Gallery(std::size_t kept_max, std::chrono::milliseconds delay)
      : kept_max_(kept_max), delay_(delay) {}

  // ---------------------------------------------------------------------- open and shut

  [[nodiscard]] bool open() const { return open_; }
  // From now on Add is told of everything after event `last`. What was before that has yet to come,
  // by Settle.
  void Open(StreamSeq last, const Lent& lent);
  [[nodiscard]] bool settled() const { return settled_; }
  // What LoadScenes found, any time after Open.
  void Settle(const std::vector<Scene>& past);
  // Forgets everything. REQUIRES: nobody watches.
  void Shut();

  // ----------------------------------------------------------------- what happens there

  // The next event, which has just happened.
  void Add(Scene scene);
  // Whatever is not lent any more is taken back at once, from what waits to be read too.
  void Lend(const Lent& lent);

  // Tells what is due. Returns how many readers were cut off.
  std::size_t Tell(WallTime now);
  // When there is something to tell next; nothing when everything is told.
  [[nodiscard]] std::optional<WallTime> next() const;
  // The moment until which everything has been told at `now`.
  [[nodiscard]] WallTime ToldUntil(WallTime now) const { return now - delay_; }
  // The latest event that was told. REQUIRES: settled.
  [[nodiscard]] StreamSeq told() const { return told_; }

  // No more will come, for everybody; as BasicFeed::End.
  void End(const absl::Status& status);

  // ------------------------------------------------------------------------ who watches

  // Whether a reader can go on after `after` without the journal; 0: begin with the latest round.
  [[nodiscard]] bool Keeps(StreamSeq after) const;

  // `player` watches from `seat`, from `after` + 1 on; 0: from where the latest round that was told
  // of began. `older` as from LoadScenes; not needed when Keeps(after). `refill` as BasicFeed::Attach.
  // REQUIRES: settled.
  void Enter(const PlayerId& player, Seat seat, std::shared_ptr<Reader> reader, StreamSeq after,
             const std::vector<Scene>& older, std::function<void()> refill);
  [[nodiscard]] const std::shared_ptr<WatchFeed>& feed(Seat seat) const { return feeds_[seat]; }
  // It does so no more.
  void Leave(const PlayerId& player, const Reader* reader);
  // Cuts off every stream of `player`.
  void Evict(const PlayerId& player, const absl::Status& status);

  // How many watch, each counted once, and their streams.
  [[nodiscard]] int observers() const { return static_cast<int>(readers_.size()); }
  [[nodiscard]] std::size_t streams() const;

 private:
  struct Loan {
    std::int64_t lent_by = 0;
    std::shared_ptr<Lending> lending;
    bool operator==(const Loan&) const = default;
  };

  [[nodiscard]] Watched Cut(const Scene& scene, Seat seat) const;
  [[nodiscard]] StreamSeq first() const;  // of those that are kept

  const std::size_t kept_max_;
  const std::chrono::milliseconds delay_;
  bool open_ = false;
  bool settled_ = false;
  StreamSeq opened_after_ = 0;
  StreamSeq told_ = 0;
  std::deque<Scene> scenes_;  // without gaps; from the latest round that was told of on
  PerSeat<std::shared_ptr<WatchFeed>> feeds_;
  PerSeat<std::optional<Loan>> loans_;
  std::map<PlayerId, std::vector<std::shared_ptr<Reader>>> readers_;
};

}  // namespace mj::table
