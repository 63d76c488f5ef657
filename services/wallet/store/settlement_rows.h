// Settlements as rows.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "libs/pg/pool.h"
#include "services/wallet/app/types.h"

namespace mj::wallet::store {

// Writes what a journal row of this transaction settled.
//
//   account_nos     the four players' account numbers, by seat
//   house_rake_no   the house's rake account in the same currency
[[nodiscard]] absl::Status InsertSettlement(pg::Transaction& tx, JournalNo journal_no,
                                            Currency currency, const Settlement& settlement,
                                            const std::vector<std::int64_t>& account_nos,
                                            std::int64_t house_rake_no);

// Reads it back, the same in every field.
[[nodiscard]] absl::StatusOr<Settlement> ReadSettlement(pg::Transaction& tx, JournalNo journal_no);

}  // namespace mj::wallet::store
