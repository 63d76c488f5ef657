// The saga: match → table → assigned. Of a match of one that is to take a free seat, JoinTable stands where
// CreateTable does for the others: it may be repeated as well, and a seat that has gone sends the ticket back.
//
//   proposed ── CreateTable OK, all four still there ──► assigned
//      │  └──── refused for good ──────────────────────► released: tickets back, or failed
//      └─────── nobody knows ──► abandoned ── again, when due ──► assigned or released
//
// Every step may be done twice and by any replica: CreateTable is idempotent by match id, the
// store's steps are compare-and-set on the match's state. An abandoned match is gone on with until
// its table is either assigned or left by all four, so no player is ever held at a table that
// nobody told them of.
//
// A replica that was paused must not make a table for a match that others have given up since: it
// sends no CreateTable after its lease (`until`), and the store does not listen to its opinion
// either (Store::ReleaseMatch).
#pragma once

#include <cstdint>
#include <functional>

#include "absl/status/status.h"
#include "services/matchmaking/app/assigner.h"
#include "services/matchmaking/app/ports.h"

namespace mj::matchmaking {

struct SeatingOptions {
  Millis retry_after{500};  // after the first attempt that came to nothing; grows with each
  Millis retry_max{5'000};
  Millis check_seats_after{15'000};
};

// How a step of the saga ended.
enum class Seated : std::uint8_t {
  kAssigned,   // all have their table
  kReleased,   // there is no table; the tickets are back or failed
  kAbandoned,  // unknown; to be gone on with when due
};

// Thread-safe. Keeps references: the ports must outlive it.
class Seating {
 public:
  Seating(Store& store, Tables& tables, SeatingOptions options)
      : store_(store),
        tables_(tables),
        assigner_(store, options.check_seats_after),
        options_(options) {}

  // Goes on with a match that the caller has just made or claimed, as far as it can.
  //   until   a moment before the caller's lease is over: when it asked for the match, plus the
  //   lease.
  //   done    called once, on this thread or on that of another caller who is seating (assigner.h).
  // A failure is the store's: the match is as it was, and due again when its lease has passed.
  using Done = std::function<void(const absl::StatusOr<Seated>& seated)>;
  void Drive(const Match& match, base::MonotonicTime until, Done done);
  // The same, and waits for it.
  absl::StatusOr<Seated> Drive(const Match& match, base::MonotonicTime until);

 private:
  absl::StatusOr<Seated> OnAssigned(const Match& match, const TablePlace& place, Assigned how);
  absl::StatusOr<Seated> Undo(const Match& match, const TablePlace& place);
  absl::StatusOr<Seated> Refused(const Match& match, const absl::Status& refusal);
  absl::StatusOr<Seated> Abandon(const Match& match, const absl::Status& failure);

  Store& store_;
  Tables& tables_;
  Assigner assigner_;
  const SeatingOptions options_;
};

// Whether CreateTable or JoinTable failed because of what was asked: the same would be refused again.
[[nodiscard]] bool ArgumentIsRefused(const absl::Status& status);

}  // namespace mj::matchmaking
