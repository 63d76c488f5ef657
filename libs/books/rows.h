// Journal rows read in pages, with all that hangs on them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "libs/audit/row.h"
#include "libs/pg/pool.h"

namespace mj::books {

struct ReadRow {
  audit::JournalRow row;
  audit::Digest hash{};  // as it is stored
  // An entry has another time than the row, or line numbers have a gap: nothing that the hash covers,
  // and nothing that the wallet writes.
  bool torn = false;
};

// At most `count_max` rows of a chain after `sequence`, by sequence.
[[nodiscard]] absl::StatusOr<std::vector<ReadRow>> ReadRows(pg::Transaction& tx,
                                                            std::int64_t chain_no,
                                                            std::int64_t sequence,
                                                            std::int64_t count_max);

// One row; nothing if there is none.
[[nodiscard]] absl::StatusOr<std::optional<ReadRow>> ReadOneRow(pg::Transaction& tx,
                                                                std::int64_t journal_no);

}  // namespace mj::books
