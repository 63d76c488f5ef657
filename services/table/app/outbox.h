// What other services follow of all tables: the rounds that ended, and who sits where. Any process
// serves what every process wrote.
#pragma once

#include <chrono>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "libs/base/mutex.h"
#include "services/table/app/events.h"

namespace mj::table {

// A round that is settled or void.
struct EndedRound {
  RoundId round;
  TableId table;
  RequestId request;  // that made the table
  std::string variant;
  Coins base = 0;
  Currency currency = Currency::kCoin;
  PerSeat<PlayerId> players;
  std::optional<VoidReason> void_reason;  // none: it is settled
  PerSeat<Coins> coins{};  // received minus paid, rake included; void: what the escape cost
  WallTime ended_at{};     // by the store's clock
  bool operator==(const EndedRound&) const = default;
};

// Who sits at a table after a change of that, or of whether it waits for players.
struct SeatChange {
  TableId table;
  RequestId request;    // that made the table
  std::string address;  // host:port of the process that holds it now; empty: nobody does
  std::string variant;
  OptionTexts options;  // every option of the game, as they are now; to followers those that differ
                        // from its defaults
  Coins base = 0;       // as it is now; 0: not found yet
  Currency currency = Currency::kCoin;
  TableStage stage = TableStage::kWaiting;
  PerSeat<PlayerId> players;   // empty: a free seat
  std::vector<PlayerId> left;  // who gave up a seat by this change
  std::string media_room{};    // in which the players see each other; empty: they do not
  bool operator==(const SeatChange&) const = default;

  // Whether it wants players.
  [[nodiscard]] bool open() const;
};

// What a feed holds after some number.
template <typename Item>
struct OutboxPage {
  std::int64_t dropped = 0;  // items up to this number are not kept any more
  std::int64_t last = 0;     // the highest number handed out
  std::vector<Item> items;   // numbered without gaps, from the one asked for on
  // How long ago the first of them was written, by the store's clock, when it was read.
  std::chrono::milliseconds lag{0};
};

// The port to where the feeds are kept. Calls block. Thread-safe. Failures are as EventLog's.
//
// Invariant: whoever was shown a number has been, or will be, shown every number below it, however
// late the transaction of an item committed; a number never changes its item.
class Outbox {
 public:
  virtual ~Outbox() = default;

  // Hands out numbers to what has been written since. Not at once with another call, here or in
  // another process: then it does nothing.
  virtual absl::Status Number() = 0;

  // Items after number `after`, at most `limit`; none if `after` is below `dropped` or not below
  // `last`.
  virtual absl::StatusOr<OutboxPage<EndedRound>> ReadRounds(std::int64_t after,
                                                            std::int64_t limit) = 0;
  virtual absl::StatusOr<OutboxPage<SeatChange>> ReadSeats(std::int64_t after,
                                                           std::int64_t limit) = 0;
};

// What a follower is given at once: 1 to kOutboxBatch items, and where the feed goes on after them.
inline constexpr std::int64_t kOutboxBatch = 100;
template <typename Item>
struct OutboxBatch {
  std::vector<Item> items;
  std::string position;
  std::chrono::milliseconds lag{0};  // as in OutboxPage
};

// Whoever follows a feed. Called on the tail's thread, one call at a time; must not block.
template <typename Item>
class Follower {
 public:
  virtual ~Follower() = default;
  // Whether it can take another batch now. One that cannot is asked again, and holds up nobody.
  virtual bool Wants() = 0;
  virtual void Take(OutboxBatch<Item> batch) = 0;
  // The feed cannot go on for it: the last call.
  virtual void End(const absl::Status& status) = 0;
  // Whether it has gone: nothing is called any more.
  virtual bool Gone() = 0;
};

// Gives followers what comes. Thread-safe.
class OutboxTail {
 public:
  // `outbox` must outlive it.
  explicit OutboxTail(Outbox& outbox) : outbox_(outbox) {}
  OutboxTail(const OutboxTail&) = delete;
  OutboxTail& operator=(const OutboxTail&) = delete;

  // From the next turn on, `follower` is given what comes after `position` (empty: from the oldest
  // that is kept). BAD_PAGE_TOKEN for what is no position of this feed. It may End with
  // SEQUENCE_AHEAD, RECORD_EXPIRED, or what the outbox fails with.
  [[nodiscard]] absl::Status FollowRounds(std::string_view position,
                                          std::shared_ptr<Follower<EndedRound>> follower);
  [[nodiscard]] absl::Status FollowSeats(std::string_view position,
                                         std::shared_ptr<Follower<SeatChange>> follower);

  // One look at the feeds, for all who follow them; nothing is asked while nobody does. Blocks; one
  // turn at a time.
  void Turn();

 private:
  template <typename Item>
  struct Entry {
    std::shared_ptr<Follower<Item>> follower;
    std::optional<std::int64_t> after;  // none: before the oldest that is kept
  };
  template <typename Item>
  using Entries = std::list<Entry<Item>>;

  // Takes over whoever came, and tells whether there is anybody.
  template <typename Item>
  bool Admit(Entries<Item>& came, Entries<Item>& entries) ABSL_EXCLUSIVE_LOCKS_REQUIRED(turn_);
  template <typename Item>
  void Serve(Entries<Item>& entries) ABSL_EXCLUSIVE_LOCKS_REQUIRED(turn_);
  // False: it is over with this one.
  template <typename Item>
  bool Serve(Entry<Item>& entry) ABSL_EXCLUSIVE_LOCKS_REQUIRED(turn_);

  Outbox& outbox_;
  base::Mutex turn_;
  Entries<EndedRound> rounds_ ABSL_GUARDED_BY(turn_);
  Entries<SeatChange> seats_ ABSL_GUARDED_BY(turn_);
  base::Mutex mutex_;  // taken after turn_
  Entries<EndedRound> new_rounds_ ABSL_GUARDED_BY(mutex_);
  Entries<SeatChange> new_seats_ ABSL_GUARDED_BY(mutex_);
};

// Positions as clients hold them. `feed` is "rounds" or "seats".
[[nodiscard]] std::string MakePosition(std::string_view feed, std::int64_t number);
// The number in it, nothing for an empty text. BAD_PAGE_TOKEN.
[[nodiscard]] absl::StatusOr<std::optional<std::int64_t>> ReadPosition(std::string_view feed,
                                                                       std::string_view position);

}  // namespace mj::table
