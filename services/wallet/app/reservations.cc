// Seats: the coins that are held for a player at a table.

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "services/wallet/app/checks.h"
#include "services/wallet/app/composing.h"
#include "services/wallet/app/content.h"
#include "services/wallet/app/tier_checks.h"
#include "services/wallet/app/wallet.h"

namespace mj::wallet {
namespace {

using base::Reason;

// What a retry needs of the first answer.
constexpr const char* kHeldFact = "held";
constexpr const char* kUntilFact = "until_us";
constexpr const char* kReleasedFact = "released";

std::int64_t Microseconds(base::WallTime time) {
  return std::chrono::duration_cast<std::chrono::microseconds>(time.time_since_epoch()).count();
}

absl::StatusOr<Hold> HoldFrom(const std::string& table_id, const Facts& facts) {
  const auto number = [&facts](const char* name) -> std::optional<std::int64_t> {
    const auto fact = facts.find(name);
    return fact == facts.end() ? std::nullopt : base::ParseInt64(fact->second);
  };
  const auto held = number(kHeldFact);
  const auto until = number(kUntilFact);
  const auto coins = held ? Coins::From(*held) : std::nullopt;
  if (!coins || !until) return absl::InternalError("a reservation without its facts");
  return Hold{table_id, *coins, base::WallTime(std::chrono::microseconds(*until))};
}

// Whether the player may have this seat; why not, if the state of the account is to blame.
absl::StatusOr<std::optional<Refusal>> CheckSeat(const ReserveRequest& request, const Tier& tier,
                                                 const Found& player) {
  const Standing& standing = player.standing;
  if (standing.closed) return Refuse(Reason::kAccountClosed, "player_id");
  if (standing.frozen) return Refuse(Reason::kAccountFrozen, "player_id");
  if (!standing.round_id.empty()) return RoundInProgressError("player_id", standing.round_id);
  if (standing.hold && standing.hold->table_id != request.table_id) {
    return Refuse(Reason::kPlayerBusy, "player_id", {{"table_id", standing.hold->table_id}});
  }
  if (player.balance.coins < tier.stakes.minimum) {
    return Refuse(Reason::kBelowMinimum, "player_id",
                  BelowMinimumFacts(player.balance.coins, tier.stakes.minimum));
  }
  return std::optional<Refusal>();
}

}  // namespace

absl::StatusOr<ReserveAnswer> Wallet::Reserve(const CallContext& context,
                                              const ReserveRequest& request) {
  MJ_RETURN_IF_ERROR(CheckId("request_id", request.request_id));
  MJ_RETURN_IF_ERROR(CheckId("player_id", request.player_id));
  MJ_RETURN_IF_ERROR(CheckId("table_id", request.table_id));
  MJ_RETURN_IF_ERROR(CheckId("variant", request.variant));
  MJ_RETURN_IF_ERROR(CheckBase("base", request.base).status());
  Content content("Reserve", 1);
  content.Text(request.player_id)
      .Number(static_cast<int>(request.currency))
      .Text(request.table_id)
      .Text(request.variant)
      .Number(request.base);

  ChangeRequest change;
  change.key = KeyOf("Reserve", context, request.request_id, content);
  change.sticky = true;
  change.currency = request.currency;
  change.account_ids = {request.player_id};
  change.tier_variant = request.variant;
  change.tier_base = request.base;
  change.decide = [&](const Ground& ground) -> absl::StatusOr<ChangeVerdict> {
    MJ_RETURN_IF_ERROR(RequireTier(ground, request.variant, request.base));
    MJ_RETURN_IF_ERROR(RequirePlayer(ground.accounts[0].what, "player_id", request.player_id));
    MJ_ASSIGN_OR_RETURN(std::optional<Refusal> refusal,
                        CheckSeat(request, *ground.tier, ground.accounts[0]));
    if (refusal) return *std::move(refusal);
    const Hold hold{request.table_id, ground.tier->stakes.minimum,
                    ground.now + options_.reservation_time};
    Alteration alteration;
    alteration.after = {ground.accounts[0].standing};
    alteration.after[0].hold = hold;
    alteration.reserved_tier_id = ground.tier->id;
    alteration.facts = {{kHeldFact, std::to_string(hold.coins.value())},
                        {kUntilFact, std::to_string(Microseconds(hold.until))}};
    return alteration;
  };
  MJ_ASSIGN_OR_RETURN(ChangeOutcome outcome, store_.Change(change, context.deadline));
  MJ_ASSIGN_OR_RETURN(const Changed changed, FirstAnswer<Changed>(std::move(outcome)));
  MJ_ASSIGN_OR_RETURN(const Hold hold, HoldFrom(request.table_id, changed.facts));
  return ReserveAnswer{hold, changed.balance};
}

absl::StatusOr<bool> Wallet::Release(const CallContext& context, const ReleaseRequest& request) {
  MJ_RETURN_IF_ERROR(CheckId("request_id", request.request_id));
  MJ_RETURN_IF_ERROR(CheckId("player_id", request.player_id));
  MJ_RETURN_IF_ERROR(CheckId("table_id", request.table_id));
  Content content("Release", 1);
  content.Text(request.player_id).Number(static_cast<int>(request.currency)).Text(request.table_id);

  ChangeRequest change;
  change.key = KeyOf("Release", context, request.request_id, content);
  change.sticky = true;
  change.currency = request.currency;
  change.account_ids = {request.player_id};
  change.decide = [&](const Ground& ground) -> absl::StatusOr<ChangeVerdict> {
    const Found& player = ground.accounts[0];
    MJ_RETURN_IF_ERROR(RequirePlayer(player.what, "player_id", request.player_id));
    const bool here = player.standing.hold && player.standing.hold->table_id == request.table_id;
    if (here && !player.standing.round_id.empty()) {
      return RoundInProgressError("player_id", player.standing.round_id);
    }
    Alteration alteration;
    alteration.after = {player.standing};
    if (here) alteration.after[0].hold.reset();
    alteration.facts = {{kReleasedFact, here ? "1" : "0"}};
    return alteration;
  };
  MJ_ASSIGN_OR_RETURN(ChangeOutcome outcome, store_.Change(change, context.deadline));
  MJ_ASSIGN_OR_RETURN(const Changed done, FirstAnswer<Changed>(std::move(outcome)));
  const Facts& facts = done.facts;
  const auto released = facts.find(kReleasedFact);
  return released != facts.end() && released->second == "1";
}

}  // namespace mj::wallet
