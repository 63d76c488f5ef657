#include "libs/ledger/stake_tier.h"

#include <utility>

namespace mj::ledger {

const StakeTier* TierOf(Coins balance, std::span<const StakeTier> tiers) {
  const StakeTier* best = nullptr;
  for (const StakeTier& tier : tiers) {
    if (tier.minimum > balance) continue;
    if (best == nullptr ||
        std::pair(best->minimum, best->base) < std::pair(tier.minimum, tier.base)) {
      best = &tier;
    }
  }
  return best;
}

}  // namespace mj::ledger
