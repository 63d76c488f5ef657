// What the wallet asks of its schema besides its ledger: whether it is there, and what upkeep looks
// at (migrations/0005_wallet_audit.sql).
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "libs/pg/pool.h"

namespace mj::wallet::store {

// FAILED_PRECONDITION if schema `wallet` is not there.
[[nodiscard]] absl::Status CheckSchema(pg::Pool& pool, base::MonotonicTime deadline);

// Makes the partitions of entries of this month and the next three, where they are not there yet. At
// start, and in every round of upkeep.
[[nodiscard]] absl::Status MakePartitions(pg::Pool& pool, base::MonotonicTime deadline);

struct UpkeepState {
  std::int64_t misplaced_entries = 0;  // in the default partition, at most 1,000 are counted
  std::int64_t months_ahead = 0;       // of the next twelve, how many have their partition
  std::int64_t days_unsealed = 0;      // days that are over (UTC) and not sealed
  std::string yesterday;               // the last day that is over, "2026-02-01"
};

[[nodiscard]] absl::StatusOr<UpkeepState> ReadUpkeepState(pg::Pool& pool,
                                                          base::MonotonicTime deadline);

}  // namespace mj::wallet::store
