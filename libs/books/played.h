// What the books say once some tables have played: whether they balance, and whether every round is
// closed. Read in SQL as finance reads them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "libs/pg/pool.h"

namespace mj::books {

struct PlayedBooks {
  // Of the whole ledger.
  std::int64_t total = 0;                    // coins over all accounts
  std::int64_t unbalanced_journal_rows = 0;  // whose entries do not sum to zero
  std::int64_t wrong_balances = 0;  // players whose balance is not the sum of their entries
  // Of the tables that were asked about.
  std::int64_t settlements = 0;   // rounds that were posted
  std::int64_t reservations = 0;  // of seats
  std::int64_t rounds_begun = 0;
  std::int64_t rounds_open = 0;  // begun, and not closed

  [[nodiscard]] bool balance() const {
    return total == 0 && unbalanced_journal_rows == 0 && wrong_balances == 0;
  }
};

// Fails as `tx` does. Reads the whole ledger, entry by entry: for tests and for shows.
[[nodiscard]] absl::StatusOr<PlayedBooks> ReadPlayed(pg::Transaction& tx,
                                                     const std::vector<std::string>& tables);

}  // namespace mj::books
