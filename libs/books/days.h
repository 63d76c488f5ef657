// Ledger days: sealed when they are over, read back, and proofs that a row is in one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "libs/audit/day.h"
#include "libs/audit/finding.h"
#include "libs/base/clock.h"
#include "libs/pg/pool.h"

namespace mj::books {

// A day as wallet.ledger_days has it, with the hashes of the chains' last rows. Nothing if it is not
// sealed. `day` is YYYY-MM-DD.
[[nodiscard]] absl::StatusOr<std::optional<audit::Day>> ReadDay(pg::Transaction& tx,
                                                                const std::string& day);

// Every sealed day, in order.
[[nodiscard]] absl::StatusOr<std::vector<audit::Day>> ReadDays(pg::Transaction& tx);

// The day after `before` (none: the first) as its rows make it, without the hashes of the chains'
// last rows. `name`: YYYY-MM-DD.
[[nodiscard]] absl::StatusOr<audit::Day> MakeDay(pg::Transaction& tx,
                                                 const std::optional<audit::Day>& before,
                                                 const std::string& name);

// DAY_WRONG, unless a day was sealed as its rows make it.
[[nodiscard]] std::optional<audit::Finding> CompareDays(const audit::Day& sealed,
                                                        const audit::Day& made);

// Seals every day up to `day` that is not sealed yet, in order, from the ledger's first row on, and
// gives `day`. Sealed days stay as they are; whoever calls it twice, or at two places at once, gets
// the same.
// INVALID_ARGUMENT   no day of the calendar, one that is not over (database clock), or one before the
//                    first.
[[nodiscard]] absl::StatusOr<audit::Day> SealDay(pg::Pool& pool, const std::string& day,
                                                 base::MonotonicTime deadline);

// The proof that a journal row is in an exported day.
// NOT_FOUND            there is no such row.
// FAILED_PRECONDITION  it is not of that day, or the day's rows do not make the exported root.
[[nodiscard]] absl::StatusOr<audit::Proof> Prove(pg::Pool& pool, std::int64_t journal_no,
                                                 const audit::SignedDay& exported,
                                                 base::MonotonicTime deadline);

}  // namespace mj::books
