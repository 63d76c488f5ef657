// What matchmaking learns from the table service without asking: rounds that ended, seats that were
// given up. The ports to where it is told, and to where it is kept.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/matchmaking/app/ports.h"

namespace mj::matchmaking {

// A round that is settled or void.
struct EndedRound {
  std::string round;
  std::string variant;
  std::string currency;
  std::array<PlayerId, kSeats> players;
  bool settled = false;                      // else it was void
  std::array<std::int64_t, kSeats> coins{};  // what each won (or lost: negative)
  base::WallTime ended_at{};                 // by the table service's database
  bool operator==(const EndedRound&) const = default;
};

// Who sits at a table after somebody came or left.
struct SeatChange {
  TablePlace place;                     // the address may be empty
  MatchId match;                        // the request that made the table; not always one of ours
  std::array<PlayerId, kSeats> seated;  // empty: a free seat
  bool open = false;                    // it waits between rounds, and wants players
  std::vector<PlayerId> left;           // who gave up a seat by this
  bool operator==(const SeatChange&) const = default;
};

// Some of a feed, in its order, and the position after it.
template <typename Item>
struct FeedBatch {
  std::vector<Item> items;
  std::string position;
  Millis lag{0};  // how long ago the first of them was written, when it was sent
};

// The table service's feeds. Thread-safe.
class TableFeeds {
 public:
  virtual ~TableFeeds() = default;

  // False: no more of this.
  template <typename Item>
  using Take = std::function<bool(const FeedBatch<Item>&)>;

  // Hands `take`, on this thread, what follows `position` (empty: the oldest that is kept), as it
  // comes, until `until` by this process's clock, until `take` wants no more, or until End. OK for
  // each of these. Failures: BAD_PAGE_TOKEN, SEQUENCE_AHEAD, RECORD_EXPIRED for a position from which
  // the feed cannot go on; others may pass.
  virtual absl::Status FollowRounds(const std::string& position, base::MonotonicTime until,
                                    const Take<EndedRound>& take) = 0;
  virtual absl::Status FollowSeats(const std::string& position, base::MonotonicTime until,
                                   const Take<SeatChange>& take) = 0;

  // Ends what is being followed, and whatever will be. Again: no effect.
  virtual void End() = 0;
};

enum class Feed : std::uint8_t { kEndedRounds, kSeatChanges };

// How far the feeds have been followed, and what came of it. Calls and time as Store's, on the same
// truth.
class FeedStore {
 public:
  virtual ~FeedStore() = default;

  // Where the feed goes on, if it is `holder`'s to follow, which it is for `lease` from now on; nothing
  // while it is another's.
  virtual absl::StatusOr<std::optional<std::string>> ClaimFeed(Feed feed, std::string_view holder,
                                                               Millis lease) = 0;

  // Moves the feed on from one position to another and writes what the batch between them leads to, in
  // one step: ratings, each round once for ever (rate.h), and who has met. False, and nothing is
  // written, if the feed is not at `from` any more.
  virtual absl::StatusOr<bool> ApplyRounds(std::string_view from,
                                           const FeedBatch<EndedRound>& batch) = 0;

  // The same for seats: those that were given up and that a match had led to are free; and of a table
  // that was made for a match of the open queue it is known from then on whether it is open
  // (Store::MakeRefills). How many seats are free now that were not; nothing if the feed is not at
  // `from` any more.
  virtual absl::StatusOr<std::optional<std::size_t>> ApplySeats(
      std::string_view from, const FeedBatch<SeatChange>& batch) = 0;

  // Forgets at most `limit` meetings older than `age`; how many.
  virtual absl::StatusOr<std::size_t> ForgetMeetings(Millis age, std::size_t limit) = 0;
};

}  // namespace mj::matchmaking
