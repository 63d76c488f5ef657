// At which stake players may sit down together.
#pragma once

#include <cstdint>
#include <span>

#include "absl/status/statusor.h"
#include "services/matchmaking/app/ports.h"

namespace mj::matchmaking {

// The base at which all of them may play: the one they ask for or, if they leave it open, the lowest
// of their own tiers. Failures: Wallet::OpenTier's, of the first player for whom it is not open,
// naming the field and the player_id (metadata).
// REQUIRES: at least one wish; alike in game, currency and asked base.
absl::StatusOr<std::int64_t> CommonTier(Wallet& wallet, std::span<const Wish> wishes);

}  // namespace mj::matchmaking
