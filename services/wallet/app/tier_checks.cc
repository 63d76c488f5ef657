#include "services/wallet/app/tier_checks.h"

#include "libs/base/reasons.h"
#include "libs/base/strings.h"

namespace mj::wallet {

using base::Cat;
using base::Reason;

absl::Status UnknownVariantError(const std::string& variant) {
  return base::Error(Reason::kUnknownVariant, Cat("variant: no rooms of ", variant),
                     {.field = "variant"});
}

absl::Status TierNotFoundError(std::int64_t coins) {
  return base::Error(Reason::kTierNotFound, Cat("base: no room of base ", std::to_string(coins)),
                     {.field = "base"});
}

absl::Status RequireTier(const Ground& ground, const std::string& variant, std::int64_t base) {
  if (!ground.variant_known) return UnknownVariantError(variant);
  if (!ground.tier) return TierNotFoundError(base);
  return absl::OkStatus();
}

Facts BelowMinimumFacts(Coins balance, Coins minimum) {
  return {{"balance", std::to_string(balance.value())},
          {"minimum", std::to_string(minimum.value())}};
}

}  // namespace mj::wallet
