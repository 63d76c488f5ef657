// The audit of the whole wallet, or of some days of it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "libs/audit/day.h"
#include "libs/audit/finding.h"
#include "libs/base/clock.h"
#include "libs/pg/pool.h"

namespace mj::books {

struct AuditOptions {
  // YYYY-MM-DD, both inclusive; empty: from the first row, to the last. `from` takes the rows before
  // it on trust, and the day before it has to be sealed. With either, accounts are not checked: they
  // need every entry.
  std::string from{};
  std::string to{};
  // Days as they were signed: the books have to make the same. Their signatures are the caller's to
  // check.
  std::vector<audit::Day> exported{};
};

// What was checked. Up to the finding, if there is one.
struct AuditReport {
  std::optional<audit::Finding> finding;  // the first thing that is wrong
  std::int64_t rows = 0;                  // journal rows
  std::int64_t chains = 0;                // chains with rows among these
  std::int64_t entries = 0;
  std::int64_t accounts = 0;  // players'
  std::int64_t days = 0;      // sealed days
  std::int64_t roots = 0;     // exported days
  bool accounts_checked = false;
  std::map<std::string, std::int64_t> players;  // by currency: what players have
  // By "account_id currency": what the house's accounts have. With `players` they sum to zero.
  std::map<std::string, std::int64_t> house;
};

// Reads one snapshot of the database and checks, in this order: every chain row by row, every sealed
// day, every exported one, that no entry is outside of the journal, every player's entries and
// balance, the sum of everything. Stops at the first finding.
//
// INVALID_ARGUMENT     from, to: not a day.
// FAILED_PRECONDITION  the day before `from` is not sealed.
// else                 what the database said: nothing is known then.
[[nodiscard]] absl::StatusOr<AuditReport> Audit(pg::Pool& pool, const AuditOptions& options,
                                                base::MonotonicTime deadline);

}  // namespace mj::books
