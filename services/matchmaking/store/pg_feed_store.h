// FeedStore in PostgreSQL.
#pragma once

#include "libs/base/clock.h"
#include "libs/pg/pool.h"
#include "services/matchmaking/app/feeds.h"
#include "services/matchmaking/store/pg_store.h"

namespace mj::matchmaking::store {

// Thread-safe; no state of its own. Keeps references: `pool` and `clock` must outlive it.
class PgFeedStore final : public FeedStore {
 public:
  PgFeedStore(pg::Pool& pool, base::Clock& clock, PgStoreOptions options = {})
      : pool_(pool), clock_(clock), options_(options) {}

  absl::StatusOr<std::optional<std::string>> ClaimFeed(Feed feed, std::string_view holder,
                                                       Millis lease) override;
  absl::StatusOr<bool> ApplyRounds(std::string_view from,
                                   const FeedBatch<EndedRound>& batch) override;
  absl::StatusOr<std::optional<std::size_t>> ApplySeats(
      std::string_view from, const FeedBatch<SeatChange>& batch) override;
  absl::StatusOr<std::size_t> ForgetMeetings(Millis age, std::size_t limit) override;

 private:
  pg::RunOptions Deadline() const;

  pg::Pool& pool_;
  base::Clock& clock_;
  const PgStoreOptions options_;
};

}  // namespace mj::matchmaking::store
