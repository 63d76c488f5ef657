// What is kept of a round, from its table's journal and the wallet's row of it.
#pragma once

#include <optional>
#include <span>

#include "absl/status/statusor.h"
#include "libs/record/round_record.h"
#include "services/table/app/events.h"

namespace mj::table {

// Both take the journal of one table in order, or as much of it as tells of `round`: what made the
// table, the last stakes that were proposed before the round, and the round from its beginning to its
// end. What else is in there changes nothing. DATA_LOSS when that is not there, or cannot be so.

// Whether the wallet closed the round: each but one that it did not let begin.
[[nodiscard]] absl::StatusOr<bool> ClosedByWallet(std::span<const LogEntry> entries,
                                                  const RoundId& round);

// The record. `row` is what ClosedByWallet asks for; DATA_LOSS also where it is missing, or the row of
// something else. Pure: the same journal and row always give the same record.
[[nodiscard]] absl::StatusOr<record::RoundRecord> Compact(std::span<const LogEntry> entries,
                                                          const RoundId& round,
                                                          std::optional<record::JournalRow> row);

}  // namespace mj::table
