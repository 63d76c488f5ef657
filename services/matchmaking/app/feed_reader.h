// Follows the table service's feeds and has what they tell written down, each batch once, however many
// replicas do it and whatever ends in the middle.
#pragma once

#include <string>

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

// Thread-safe. Keeps references: what it is given must outlive it.
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
        options_(options) {}

  // One turn each: follows the feed for a while, if no other replica does. Blocks; to be done again and
  // again. What fails is told to the monitor ("rounds", "seats") and tried again in the next turn.
  // From a position at which the feed cannot go on it begins anew with the oldest that there is: what
  // was counted already is not counted again, what is gone is lost, and the monitor hears of it.
  void FollowRounds();
  void FollowSeats();

 private:
  FeedStore& store_;
  TableFeeds& feeds_;
  const base::Clock& clock_;
  Monitor& monitor_;
  const std::string holder_;
  const FeedReaderOptions options_;
};

}  // namespace mj::matchmaking
