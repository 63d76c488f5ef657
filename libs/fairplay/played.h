// Sittings and rounds, read for an examiner; and pairs that are kept apart.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "libs/base/clock.h"
#include "libs/collusion/report.h"
#include "libs/pg/pool.h"

namespace mj::fairplay {

// UTC days, YYYY-MM-DD, both included; empty: from the first, to the last.
struct Days {
  std::string from = {};
  std::string to = {};
};

struct Played {
  collusion::Report report;
  // Rounds whose records this program cannot read: they are not in the report. At most 20 ids.
  std::int64_t unreadable = 0;
  std::vector<std::string> unreadable_rounds = {};
};

// Examines what the open queue seated for coins on these days, and every round that was paid in coins, wherever its
// players met. One snapshot. INVALID_ARGUMENT for what is no day; else what the database said.
[[nodiscard]] absl::StatusOr<Played> Examine(pg::Pool& pool, const Days& days,
                                             const collusion::ReportOptions& options,
                                             base::MonotonicTime deadline);

// Keeps each pair of the findings apart for `time`, from now by the database's clock; one that is kept apart already is
// kept at least as long. How many pairs these are.
[[nodiscard]] absl::StatusOr<std::int64_t> KeepApart(
    pg::Pool& pool, const std::vector<collusion::Finding>& findings, std::chrono::hours time,
    base::MonotonicTime deadline);

}  // namespace mj::fairplay
