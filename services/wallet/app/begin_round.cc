// The beginning of a round: from here to its close nobody's coins leave the table.

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/rules/variant.h"
#include "libs/variants/registry.h"
#include "services/wallet/app/checks.h"
#include "services/wallet/app/composing.h"
#include "services/wallet/app/content.h"
#include "services/wallet/app/tier_checks.h"
#include "services/wallet/app/wallet.h"

namespace mj::wallet {
namespace {

using base::Cat;
using base::Reason;
using ledger::kParties;

std::vector<std::string> IdsOf(const rules::Variant& variant) {
  std::vector<std::string> ids;
  for (const rules::Pattern& pattern : variant.patterns()) ids.emplace_back(pattern.id);
  for (const rules::RuleText& rule : variant.rules()) ids.emplace_back(rule.id);
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

absl::Status Check(const BeginRoundRequest& request) {
  MJ_RETURN_IF_ERROR(CheckId("round_id", request.round_id));
  MJ_RETURN_IF_ERROR(CheckId("table_id", request.table_id));
  MJ_RETURN_IF_ERROR(CheckId("variant", request.variant));
  MJ_RETURN_IF_ERROR(CheckRulebookVersion(request.rulebook_version));
  MJ_RETURN_IF_ERROR(CheckBase("base", request.base).status());
  if (!request.tier_id.empty()) MJ_RETURN_IF_ERROR(CheckId("tier_id", request.tier_id));
  return CheckPlayers(request.player_ids);
}

RequestKey KeyOf(const BeginRoundRequest& request) {
  Content content("BeginRound", 1);
  content.Text(request.table_id)
      .Text(request.variant)
      .Text(request.rulebook_version)
      .Number(static_cast<int>(request.currency))
      .Number(request.base)
      .Text(request.tier_id);
  for (const std::string& player : request.player_ids) content.Text(player);
  // A round begins once, whoever begins it: there is no caller in it.
  return {Cat("begin/", request.round_id), content.version(), content.bytes()};
}

// `why` of one player, named in the metadata for whoever has to tell the four of them.
absl::Status Refused(Reason reason, std::size_t seat, const std::string& player_id,
                     std::map<std::string, std::string> facts = {}) {
  const std::string field = At("player_ids", seat);
  facts["player_id"] = player_id;
  return base::Error(reason, Cat(field, ": ", player_id),
                     {.field = field, .metadata = std::move(facts)});
}

absl::Status CheckPlayer(const BeginRoundRequest& request, std::size_t seat, const Found& found,
                         Coins minimum) {
  const std::string& id = request.player_ids[seat];
  MJ_RETURN_IF_ERROR(RequirePlayer(found.what, At("player_ids", seat), id));
  const Standing& standing = found.standing;
  if (standing.frozen) return Refused(Reason::kAccountFrozen, seat, id);
  if (!standing.round_id.empty()) {
    return Refused(Reason::kRoundInProgress, seat, id, {{"round_id", standing.round_id}});
  }
  if (!standing.hold || standing.hold->table_id != request.table_id) {
    return Refused(Reason::kReservationNotFound, seat, id);
  }
  if (found.balance.coins < minimum) {
    return Refused(Reason::kBelowMinimum, seat, id,
                   BelowMinimumFacts(found.balance.coins, minimum));
  }
  return absl::OkStatus();
}

}  // namespace

RuleIdsOf BuiltInRuleIds() {
  return
      [](std::string_view id, std::string_view version) -> std::optional<std::vector<std::string>> {
        const rules::Variant* const variant = variants::Find(id);
        if (variant == nullptr) return std::nullopt;
        if (rules::RulebookVersion(*variant) == version) return IdsOf(*variant);
        for (const rules::Variant* const former : variant->former()) {
          if (rules::RulebookVersion(*former) == version) return IdsOf(*former);
        }
        return std::nullopt;
      };
}

absl::StatusOr<BegunRound> Wallet::BeginRound(const CallContext& context,
                                              const BeginRoundRequest& request) {
  MJ_RETURN_IF_ERROR(Check(request));
  // Written down with the round, so that it can be closed by its own rules whatever program does it.
  auto known = rule_ids_(request.variant, request.rulebook_version);
  if (!known) {
    return base::Error(
        Reason::kRulebookVersionUnknown,
        Cat("rulebook_version: no ", request.rulebook_version, " of ", request.variant, " here"),
        {.field = "rulebook_version"});
  }

  const RuleIds rule_ids(*std::move(known));

  ChangeRequest change;
  change.key = KeyOf(request);
  change.currency = request.currency;
  change.account_ids = request.player_ids;
  change.round_id = request.round_id;
  change.tier_variant = request.variant;
  change.tier_base = request.base;
  change.decide = [&](const Ground& ground) -> absl::StatusOr<ChangeVerdict> {
    MJ_RETURN_IF_ERROR(RequireTier(ground, request.variant, request.base));
    const Tier& tier = *ground.tier;
    if (!request.tier_id.empty() && request.tier_id != tier.id) {
      return base::Error(Reason::kTierNotFound, Cat("tier_id: the room of this base is ", tier.id),
                         {.field = "tier_id"});
    }
    Alteration alteration;
    for (std::size_t seat = 0; seat < kParties; ++seat) {
      const Found& found = ground.accounts[seat];
      MJ_RETURN_IF_ERROR(CheckPlayer(request, seat, found, tier.stakes.minimum));
      Standing standing = found.standing;
      standing.hold =
          Hold{request.table_id, tier.stakes.minimum, ground.now + options_.reservation_time};
      standing.round_id = request.round_id;
      alteration.after.push_back(std::move(standing));
    }
    BegunRound round;
    round.round_id = request.round_id;
    round.table_id = request.table_id;
    round.variant = request.variant;
    round.rulebook_version = request.rulebook_version;
    round.currency = request.currency;
    round.base = tier.stakes.base;
    round.tier_id = tier.id;
    round.rake = tier.stakes.rake;
    round.escape_penalty = tier.stakes.escape_penalty;
    round.escape_compensation = tier.stakes.escape_compensation;
    std::copy_n(request.player_ids.begin(), kParties, round.player_ids.begin());
    round.rule_ids = rule_ids;
    round.begun_at = ground.now;
    round.close_due = ground.now + options_.round_time;
    alteration.round = std::move(round);
    return alteration;
  };
  MJ_ASSIGN_OR_RETURN(ChangeOutcome outcome, store_.Change(change, context.deadline));
  if (std::holds_alternative<KeyTaken>(outcome)) return KeyTakenError("round_id");
  auto* const changed = std::get_if<Changed>(&outcome);
  if (changed == nullptr || !changed->round) {
    return absl::InternalError("a round that began without its record");
  }
  return *std::move(changed->round);
}

}  // namespace mj::wallet
