// Stake tiers as rows.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "libs/pg/pool.h"
#include "services/wallet/app/types.h"

namespace mj::wallet::store {

// The game's tiers as they stand now, by base.
[[nodiscard]] absl::StatusOr<std::vector<Tier>> ReadTiers(pg::Transaction& tx,
                                                          const std::string& variant);

}  // namespace mj::wallet::store
