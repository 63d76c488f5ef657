// Follows the table service's feeds and has what they tell written down, each batch once, however many
// replicas do it and whatever ends in the middle.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "libs/base/clock.h"
#include "services/matchmaking/app/feeds.h"
#include "services/matchmaking/app/monitor.h"

namespace mj::matchmaking {

struct FeedReaderOptions {
  Millis lease{15'000};  // for which a feed is one replica's to follow
  Millis turn{5'000};    // after which it is claimed anew; shorter than the lease
  // Longer than who has met is kept apart (QueueOptions::met_for).
  Millis meetings_kept{86'400'000};
  std::size_t forget_batch = 1'000;  // meetings at once
};

// Thread-safe, but for one feed's turns, which are one thread's at a time. Keeps references: what it is given
// must outlive it.
class FeedReader {
 public:
  //   holder   names this replica's run.
  FeedReader(FeedStore& store, TableFeeds& feeds, const base::Clock& clock, Monitor& monitor,
             std::string holder, FeedReaderOptions options = {})
      : store_(store),
        feeds_(feeds),
        clock_(clock),
        monitor_(monitor),
        holder_(std::move(holder)),
        options_(options),
        rounds_followed_(clock.Monotonic()),
        seats_followed_(rounds_followed_) {}

  // One turn each: follows the feed for a while, if no other replica does. Blocks; to be done again and
  // again. What fails is told to the monitor ("rounds", "seats") and tried again in the next turn.
  // From a position at which the feed cannot go on it begins anew with the oldest that there is: what
  // was counted already is not counted again, what is gone is lost, and the monitor hears of it.
  void FollowRounds();
  void FollowSeats();

 private:
  // One feed's turn, and what operators hear of it. `follow` says how far behind the last batch of it was;
  // nothing without one.
  using Behind = std::optional<Millis>;
  void Follow(std::string_view feed, base::MonotonicTime& followed,
              const std::function<absl::StatusOr<Behind>()>& turn);

  FeedStore& store_;
  TableFeeds& feeds_;
  const base::Clock& clock_;
  Monitor& monitor_;
  const std::string holder_;
  const FeedReaderOptions options_;
  // Since when each cannot be followed, if it cannot; the turn's own.
  base::MonotonicTime rounds_followed_;
  base::MonotonicTime seats_followed_;
};

}  // namespace mj::matchmaking
