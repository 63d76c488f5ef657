// What the use cases that need a room say when there is none, or when it is too dear.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "services/wallet/app/ledger_store.h"

namespace mj::wallet {

// UNKNOWN_VARIANT, TIER_NOT_FOUND, each with its field.
[[nodiscard]] absl::Status UnknownVariantError(const std::string& variant);
[[nodiscard]] absl::Status TierNotFoundError(std::int64_t base);

// OK if the ground has the tier that was asked for; else the one or the other of these two.
[[nodiscard]] absl::Status RequireTier(const Ground& ground, const std::string& variant,
                                       std::int64_t base);

// The metadata of BELOW_MINIMUM: balance, minimum.
[[nodiscard]] Facts BelowMinimumFacts(Coins balance, Coins minimum);

}  // namespace mj::wallet
