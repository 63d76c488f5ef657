// The feeds in PostgreSQL (migrations/0016). Rows are written by the journal's projection (rows.h).
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include "libs/base/clock.h"
#include "libs/pg/pool.h"
#include "services/table/app/outbox.h"

namespace mj::table::store {

// Thread-safe; every call blocks. Keeps references: pool and clock must outlive it.
class PgOutbox final : public Outbox {
 public:
  PgOutbox(pg::Pool& pool, const base::Clock& clock,
           std::chrono::milliseconds timeout = std::chrono::milliseconds(5'000))
      : pool_(pool), clock_(clock), timeout_(timeout) {}

  absl::Status Number() override;
  absl::StatusOr<OutboxPage<EndedRound>> ReadRounds(std::int64_t after,
                                                    std::int64_t limit) override;
  absl::StatusOr<OutboxPage<SeatChange>> ReadSeats(std::int64_t after, std::int64_t limit) override;

  // Lets go of rows that were written more than so many days ago. How many went.
  [[nodiscard]] absl::StatusOr<std::int64_t> Drop(int keep_days);

 private:
  // The statements of one feed.
  struct Feed;
  static const Feed kRounds;
  static const Feed kSeatChanges;

  [[nodiscard]] pg::RunOptions Options() const;
  // How many got theirs; none, too, if another one is at it.
  [[nodiscard]] absl::StatusOr<std::int64_t> NumberSome(const Feed& feed);
  [[nodiscard]] absl::StatusOr<std::int64_t> DropSome(const Feed& feed, int keep_days);
  // The page's head, and the rows of its items.
  template <typename Item>
  [[nodiscard]] absl::StatusOr<pg::Result> ReadPage(const Feed& feed, std::int64_t after,
                                                    std::int64_t limit, OutboxPage<Item>& page);

  pg::Pool& pool_;
  const base::Clock& clock_;
  const std::chrono::milliseconds timeout_;
};

}  // namespace mj::table::store
