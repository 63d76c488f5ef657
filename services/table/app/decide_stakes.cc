// What is decided about the stakes (stakes.h).
#include <algorithm>
#include <string>
#include <utility>

#include "libs/base/check.h"
#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "services/table/app/decide.h"

namespace mj::table {
namespace {

using base::Cat;
using base::Error;
using base::Reason;

absl::Status NotOffered(std::string_view field, std::string_view message) {
  return Error(Reason::kChoiceNotOffered, Cat(field, ": ", message), {.field = std::string(field)});
}

// Every option of the game with those that were named in place of what they are. The first that is
// not the first player's to choose is refused.
absl::StatusOr<OptionTexts> WithNamed(const TableState& state, const OptionTexts& named) {
  OptionTexts options = rules::ToTexts(state.variant->options(), state.options, /*all=*/true);
  const std::vector<OptionChoice> choices = FirstPlayersChoices(state);
  for (const auto& [name, value] : named) {
    const auto choice = std::find_if(choices.begin(), choices.end(),
                                     [&name = name](const auto& c) { return c.name == name; });
    if (choice == choices.end()) return NotOffered("choice.propose.options", name);
    if (std::find(choice->values.begin(), choice->values.end(), value) == choice->values.end()) {
      return NotOffered("choice.propose.options", Cat(name, " got ", value));
    }
    options[name] = value;
  }
  return options;
}

absl::StatusOr<Events> Propose(const TableState& state, Seat seat, int number,
                               const StakesAnswer& answer) {
  const std::vector<Coins>& bases = state.stakes.bases;
  if (std::find(bases.begin(), bases.end(), answer.base) == bases.end()) {
    return NotOffered("choice.propose.base", Cat("got ", std::to_string(answer.base)));
  }
  MJ_ASSIGN_OR_RETURN(OptionTexts options, WithNamed(state, answer.options));
  return Events{StakesProposed{number, seat, answer.base, answer.options, std::move(options)}};
}

}  // namespace

absl::StatusOr<Events> DecideStakes(const TableState& state, const PlayerId& player,
                                    DecisionRef decision, const StakesAnswer& answer) {
  MJ_ASSIGN_OR_RETURN(const Seat seat, SeatedAt(state, player));
  const StakesAsking* const asked = FindAsking(state, seat, decision);
  if (asked == nullptr) {
    return Error(Reason::kDecisionNotOffered, {}, {.field = "decision_id"});
  }
  if (asked->answer == answer) return Events{};
  const auto& prompt = state.stakes.prompts[seat];
  if (!prompt || prompt->number != asked->number) {
    return Error(Reason::kDecisionStale, {}, {.field = "decision_id"});
  }
  if (answer.kind == StakesAnswer::Kind::kRefuse) {
    return LeaveTable(state, seat, LeaveReason::kDisagreed);
  }
  const bool proposes = answer.kind == StakesAnswer::Kind::kPropose;
  if (proposes != (prompt->about == StakesQuestion::kPropose)) {
    return NotOffered("choice", "an answer to another question");
  }
  if (proposes) return Propose(state, seat, prompt->number, answer);
  return Events{StakesAccepted{prompt->number, seat}};
}

Events AskForStakes(const TableState& state, Seat seat, std::vector<Coins> bases) {
  MJ_CHECK(NextStepOf(state) == NextStep::kAskForStakes && !bases.empty());
  return {StakesAsked{state.stakes.asked + 1, seat, std::move(bases)}};
}

Events AskConsent(const TableState& state) {
  MJ_CHECK(NextStepOf(state) == NextStep::kAskConsent);
  return {ConsentAsked{state.stakes.asked + 1}};
}

Events SetBase(const TableState& state, Coins base) {
  MJ_CHECK(state.stage() == TableStage::kWaiting && base != state.base);
  return {BaseSet{base}};
}

}  // namespace mj::table
