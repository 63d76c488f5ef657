// Which rooms there are, and which are open to whom (CZ-70, RULEBOOK 7).

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/ledger/stake_tier.h"
#include "services/wallet/app/checks.h"
#include "services/wallet/app/composing.h"
#include "services/wallet/app/content.h"
#include "services/wallet/app/tier_checks.h"
#include "services/wallet/app/wallet.h"

namespace mj::wallet {
namespace {

using base::Cat;
using base::Reason;

absl::Status BelowMinimum(Coins balance, Coins minimum) {
  return base::Error(Reason::kBelowMinimum,
                     Cat("player_id: has ", std::to_string(balance.value()), ", needs ",
                         std::to_string(minimum.value())),
                     {.field = "player_id", .metadata = BelowMinimumFacts(balance, minimum)});
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

absl::Status BadPeriod(std::string_view field, std::string_view message) {
  return base::Error(Reason::kBadPeriod, Cat(field, ": ", message), {.field = std::string(field)});
}

// A room's least coins, which are told as such or as a multiple of its base.
absl::StatusOr<Coins> CheckMinimum(const PutStakeTierRequest& request) {
  if (request.minimum_balance != 0 && request.minimum_multiple != 0) {
    return base::Error(Reason::kBadAmount,
                       "minimum_multiple: got one, and minimum_balance too; want one of them",
                       {.field = "minimum_multiple"});
  }
  if (request.minimum_multiple == 0) {
    return CheckAmountOrNone("minimum_balance", request.minimum_balance);
  }
  MJ_RETURN_IF_ERROR(CheckAmountOrNone("minimum_multiple", request.minimum_multiple).status());
  if (request.minimum_multiple > ledger::kCoinsMax / request.base) {
    return base::Error(Reason::kBadAmount, "minimum_multiple: comes to more than 2^53",
                       {.field = "minimum_multiple"});
  }
  return CheckAmountOrNone("minimum_multiple", request.minimum_multiple * request.base);
}

absl::StatusOr<TierPeriod> CheckPeriod(const PutStakeTierRequest& request) {
  MJ_RETURN_IF_ERROR(CheckId("request_id", request.request_id));
  MJ_RETURN_IF_ERROR(CheckId("tier_id", request.tier_id));
  MJ_RETURN_IF_ERROR(CheckId("variant", request.variant));
  TierPeriod period;
  Tier& tier = period.tier;
  tier.id = request.tier_id;
  tier.currency = request.currency;
  tier.stakes.variant = request.variant;
  MJ_ASSIGN_OR_RETURN(tier.stakes.base, CheckBase("base", request.base));
  MJ_ASSIGN_OR_RETURN(tier.stakes.minimum, CheckMinimum(request));
  MJ_ASSIGN_OR_RETURN(tier.stakes.rake,
                      CheckAmountOrNone("rake_per_player", request.rake_per_player));
  MJ_ASSIGN_OR_RETURN(tier.stakes.escape_penalty,
                      CheckAmountOrNone("escape_penalty", request.escape_penalty));
  MJ_ASSIGN_OR_RETURN(tier.stakes.escape_compensation,
                      CheckAmountOrNone("escape_compensation", request.escape_compensation));
  if (tier.stakes.escape_compensation > tier.stakes.escape_penalty) {
    return base::Error(Reason::kBadAmount, "escape_compensation: more than the penalty",
                       {.field = "escape_compensation"});
  }
  if (request.valid_from && request.valid_until && *request.valid_until <= *request.valid_from) {
    return BadPeriod("valid_until", "want a time after valid_from");
  }
  MJ_RETURN_IF_ERROR(CheckId("requested_by", request.requested_by));
  period.from_now = !request.valid_from;
  tier.valid_from = request.valid_from.value_or(base::WallTime{});
  tier.valid_until = request.valid_until;
  period.actor = request.requested_by;
  return period;
}

absl::Status PeriodError(TierRefused refused) {
  switch (refused) {
    case TierRefused::kInThePast:
      return BadPeriod("valid_from", "the period would begin, or end, in the past");
    case TierRefused::kNotTheLast:
      return base::Error(Reason::kTierConflict,
                         "valid_from: the room has a period that begins then or later",
                         {.field = "valid_from"});
    case TierRefused::kOtherRoom:
      return base::Error(Reason::kTierConflict,
                         "tier_id: is another room's, or the room has another id",
                         {.field = "tier_id"});
  }
  return absl::InternalError("an unknown refusal");
}

}  // namespace

absl::StatusOr<StakeTierAnswer> Wallet::GetStakeTier(const CallContext& context,
                                                     const StakeTierRequest& request) {
  MJ_RETURN_IF_ERROR(CheckId("player_id", request.player_id));
  MJ_RETURN_IF_ERROR(CheckId("variant", request.variant));
  MJ_ASSIGN_OR_RETURN(const std::vector<Tier> tiers,
                      store_.TiersOf(request.variant, request.currency, context.deadline));
  if (tiers.empty()) return UnknownVariantError(request.variant);
  // A tier that does not exist is said before anything about the player is.
  if (request.base != 0 && TierAskedFor(tiers, request.base, Coins()) == nullptr) {
    return TierNotFoundError(request.base);
  }
  MJ_ASSIGN_OR_RETURN(const LedgerStore::Lookup found,
                      store_.FindAccount({request.player_id, request.currency}, context.deadline));
  MJ_RETURN_IF_ERROR(RequirePlayer(WhatIs(found), "player_id", request.player_id));

  const std::int64_t balance = found.account->balance;
  const Coins coins = Coins::From(balance).value();
  const Tier& tier = *TierAskedFor(tiers, request.base, coins);
  if (coins < tier.stakes.minimum) return BelowMinimum(coins, tier.stakes.minimum);
  return StakeTierAnswer{tier, balance};
}

absl::StatusOr<std::vector<Tier>> Wallet::ListStakeTiers(const CallContext& context,
                                                         const ListStakeTiersRequest& request) {
  if (!request.variant.empty()) MJ_RETURN_IF_ERROR(CheckId("variant", request.variant));
  MJ_ASSIGN_OR_RETURN(std::vector<Tier> tiers,
                      store_.TiersOf(request.variant, request.currency, context.deadline));
  if (tiers.empty() && !request.variant.empty()) return UnknownVariantError(request.variant);
  std::sort(tiers.begin(), tiers.end(), [](const Tier& a, const Tier& b) {
    return std::tie(a.stakes.variant, a.stakes.base) < std::tie(b.stakes.variant, b.stakes.base);
  });
  return tiers;
}

absl::StatusOr<Tier> Wallet::PutStakeTier(const CallContext& context,
                                          const PutStakeTierRequest& request) {
  MJ_ASSIGN_OR_RETURN(TierPeriod period, CheckPeriod(request));
  const auto microseconds = [](const std::optional<base::WallTime>& time) {
    return time ? std::chrono::floor<std::chrono::microseconds>(*time).time_since_epoch().count()
                : -1;
  };
  Content content("PutStakeTier", 1);
  content.Text(period.tier.id)
      .Text(request.variant)
      .Number(static_cast<int>(request.currency))
      .Number(request.base)
      .Number(period.tier.stakes.minimum.value())
      .Number(request.rake_per_player)
      .Number(request.escape_penalty)
      .Number(request.escape_compensation)
      .Number(microseconds(request.valid_from))
      .Number(microseconds(request.valid_until))
      .Text(request.requested_by);
  MJ_ASSIGN_OR_RETURN(TierOutcome outcome,
                      store_.PutTier(KeyOf("PutStakeTier", context, request.request_id, content),
                                     period, context.deadline));
  if (std::holds_alternative<KeyTaken>(outcome)) return KeyTakenError("request_id");
  if (const auto* refused = std::get_if<TierRefused>(&outcome)) return PeriodError(*refused);
  return std::get<Tier>(std::move(outcome));
}

}  // namespace mj::wallet
