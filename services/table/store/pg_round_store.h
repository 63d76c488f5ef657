// Rounds and their records in PostgreSQL.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "libs/base/clock.h"
#include "libs/pg/pool.h"
#include "services/table/app/records.h"

namespace mj::table::store {

// Thread-safe; every call blocks. Keeps references: pool and clock must outlive it.
class PgRoundStore final : public RoundStore {
 public:
  PgRoundStore(pg::Pool& pool, const base::Clock& clock,
               std::chrono::milliseconds timeout = std::chrono::milliseconds(5'000))
      : pool_(pool), clock_(clock), timeout_(timeout) {}

  absl::StatusOr<Standing> Find(const RoundId& round) override;
  absl::StatusOr<std::vector<LogEntry>> ReadRound(const RoundId& round) override;
  absl::StatusOr<bool> Keep(const record::RoundRecord& record) override;
  absl::StatusOr<std::optional<std::string>> ReadRecord(const RoundId& round) override;
  absl::StatusOr<std::vector<RoundId>> Claim(std::int64_t limit,
                                             std::chrono::milliseconds lease) override;
  absl::StatusOr<Backlog> ReadBacklog() override;
  absl::StatusOr<std::vector<RoundListing>> List(const RoundFilter& filter,
                                                 const std::optional<RoundPosition>& after,
                                                 std::int64_t limit) override;

  // What of the schema comes and goes with time (migrations/0014, 0015).
  struct Partitions {
    std::int64_t days_ahead = 0;        // that have theirs, today not counted
    std::int64_t misplaced_events = 0;  // in the default partition, at most 1,000 are counted
  };
  [[nodiscard]] absl::StatusOr<Partitions> MakePartitions(int days_ahead);
  // How many partitions went.
  [[nodiscard]] absl::StatusOr<std::int64_t> DropEvents(int keep_days);
  [[nodiscard]] absl::StatusOr<std::int64_t> DropRecords(int keep_days);

 private:
  [[nodiscard]] pg::RunOptions Options(bool read_only = false) const;
  [[nodiscard]] absl::StatusOr<std::int64_t> Drop(std::string_view sql, int keep_days);

  pg::Pool& pool_;
  const base::Clock& clock_;
  const std::chrono::milliseconds timeout_;
};

}  // namespace mj::table::store
