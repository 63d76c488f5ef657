// Stake tiers as rows.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "libs/pg/pool.h"
#include "services/wallet/app/ledger_store.h"

namespace mj::wallet::store {

// The game's tiers in a currency as they stand now, by base. An empty `variant`: every game's.
[[nodiscard]] absl::StatusOr<std::vector<Tier>> ReadTiers(pg::Transaction& tx,
                                                          const std::string& variant,
                                                          Currency currency);

// Writes a validity period, one at a time for everybody: as LedgerStore::PutTier.
[[nodiscard]] absl::StatusOr<std::variant<Tier, TierRefused>> InsertTierPeriod(
    pg::Transaction& tx, const TierPeriod& period);

// What names a period again, to be remembered, and the period so named.
[[nodiscard]] Facts TierPeriodFacts(const Tier& tier);
[[nodiscard]] absl::StatusOr<Tier> ReadTierPeriod(pg::Transaction& tx, const Facts& facts);

}  // namespace mj::wallet::store
