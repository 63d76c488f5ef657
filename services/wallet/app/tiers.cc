// Which rooms are open to whom (CZ-70, RULEBOOK 7).

#include <algorithm>
#include <vector>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/ledger/stake_tier.h"
#include "services/wallet/app/checks.h"
#include "services/wallet/app/composing.h"
#include "services/wallet/app/wallet.h"

namespace mj::wallet {
namespace {

using base::Cat;
using base::Reason;

absl::Status BelowMinimum(std::int64_t balance, Coins minimum) {
  return base::Error(
      Reason::kBelowMinimum,
      Cat("player_id: has ", std::to_string(balance), ", needs ", std::to_string(minimum.value())),
      {.field = "player_id",
       .metadata = {{"balance", std::to_string(balance)},
                    {"minimum", std::to_string(minimum.value())}}});
}

// The tier that the request is about: of its base, or the highest that `balance` reaches; where it
// reaches none, the lowest there is. Null if there is none of that base.
const Tier* TierAskedFor(const std::vector<Tier>& tiers, std::int64_t base, Coins balance) {
  if (base != 0) {
    const auto found = std::find_if(tiers.begin(), tiers.end(), [base](const Tier& tier) {
      return tier.stakes.base.value() == base;
    });
    return found == tiers.end() ? nullptr : &*found;
  }
  std::vector<ledger::StakeTier> stakes;
  for (const Tier& tier : tiers) stakes.push_back(tier.stakes);
  if (const ledger::StakeTier* best = ledger::TierOf(balance, stakes)) {
    return &tiers[static_cast<std::size_t>(best - stakes.data())];
  }
  return &*std::min_element(tiers.begin(), tiers.end(), [](const Tier& a, const Tier& b) {
    return a.stakes.minimum < b.stakes.minimum;
  });
}

}  // namespace

absl::StatusOr<StakeTierAnswer> Wallet::GetStakeTier(const CallContext& context,
                                                     const StakeTierRequest& request) {
  MJ_RETURN_IF_ERROR(CheckId("player_id", request.player_id));
  MJ_RETURN_IF_ERROR(CheckId("variant", request.variant));
  MJ_ASSIGN_OR_RETURN(const std::vector<Tier> tiers,
                      store_.TiersOf(request.variant, context.deadline));
  if (tiers.empty()) {
    return base::Error(Reason::kUnknownVariant, Cat("variant: no rooms of ", request.variant),
                       {.field = "variant"});
  }
  // A tier that does not exist is said before anything about the player is.
  if (request.base != 0 && TierAskedFor(tiers, request.base, Coins()) == nullptr) {
    return base::Error(Reason::kTierNotFound,
                       Cat("base: no room of base ", std::to_string(request.base)),
                       {.field = "base"});
  }
  MJ_ASSIGN_OR_RETURN(const LedgerStore::Lookup found,
                      store_.FindAccount({request.player_id, request.currency}, context.deadline));
  MJ_RETURN_IF_ERROR(RequirePlayer(WhatIs(found), "player_id", request.player_id));

  const std::int64_t balance = found.account->balance;
  const Coins coins = Coins::From(balance).value();
  const Tier& tier = *TierAskedFor(tiers, request.base, coins);
  if (coins < tier.stakes.minimum) return BelowMinimum(balance, tier.stakes.minimum);
  return StakeTierAnswer{tier, balance};
}

}  // namespace mj::wallet
