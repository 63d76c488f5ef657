#include "services/matchmaking/app/tiers.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"

namespace mj::matchmaking {
namespace {

// Says whose coins it is about.
absl::Status About(const Wish& wish, std::size_t place, absl::Status refusal) {
  auto carried = base::CarriedBy(refusal);
  if (!carried) return refusal;
  if (place > 0) {
    carried->details.field = base::Cat("friends[", std::to_string(place - 1), "].player_id");
  }
  carried->details.metadata.emplace("player_id", wish.player.value());
  base::Carry(refusal, *carried);
  return refusal;
}

}  // namespace

absl::StatusOr<std::int64_t> CommonTier(Wallet& wallet, std::span<const Wish> wishes) {
  std::vector<std::int64_t> bases;
  const auto open = [&](std::size_t i, std::int64_t asked) -> absl::StatusOr<std::int64_t> {
    const Wish& wish = wishes[i];
    const auto base = wallet.OpenTier(wish.player, wish.pool.variant, wish.pool.currency, asked);
    if (!base.ok()) return About(wish, i, base.status());
    return base;
  };
  for (std::size_t i = 0; i < wishes.size(); ++i) {
    MJ_ASSIGN_OR_RETURN(const std::int64_t base, open(i, wishes[i].asked_base));
    bases.push_back(base);
  }
  const std::int64_t lowest = *std::min_element(bases.begin(), bases.end());
  for (std::size_t i = 0; i < wishes.size(); ++i) {
    if (bases[i] != lowest) MJ_RETURN_IF_ERROR(open(i, lowest).status());
  }
  return lowest;
}

}  // namespace mj::matchmaking
