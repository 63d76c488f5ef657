#include "services/table/app/stakes.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "libs/base/check.h"
#include "libs/ledger/stake_tier.h"
#include "services/table/app/state.h"

namespace mj::table {
namespace {

using rules::BaseFrom;

BaseFrom From(const TableState& state) { return state.variant->info().base_from; }

bool Sits(const TableState& state, Seat seat) { return !state.seats[seat].player.empty(); }

bool LacksConsent(const TableState& state, Seat seat) {
  return Sits(state, seat) && !state.stakes.agreed[seat];
}

WallTime Due(const TableState& state, WallTime now) {
  return now + std::chrono::milliseconds(state.spec.settings.question_ms);
}

void Ask(TableState& state, Seat seat, StakesQuestion about, int number, WallTime now) {
  state.stakes.prompts[seat] = StakesPrompt{about, number, Due(state, now)};
  state.stakes.askings[seat].push_back({number, std::nullopt});
}

// A seat's open question is the last that it was asked.
void Answer(TableState& state, Seat seat, StakesAnswer answer) {
  state.stakes.askings[seat].back().answer = std::move(answer);
  state.stakes.prompts[seat].reset();
}

// There are no stakes any more, and whoever has said that it plays has said so for these.
void Drop(TableState& state) {
  state.base = 0;
  state.stakes.proposer.reset();
  state.stakes.prompts = {};
  state.stakes.bases.clear();
  state.stakes.agreed = {};
  for (SeatInfo& seat : state.seats) seat.ready = false;
}

ledger::Coins ToLedger(Coins coins) {
  const auto amount = ledger::Coins::From(coins);
  MJ_CHECK(amount.has_value(), "an amount beyond the limit");
  return *amount;
}

}  // namespace

std::vector<OptionChoice> FirstPlayersChoices(const TableState& state) {
  std::vector<OptionChoice> choices;
  if (From(state) != BaseFrom::kFirstPlayer) return choices;
  const auto defs = state.variant->options();
  for (std::size_t i = 0; i < defs.size(); ++i) {
    const rules::OptionDef& def = defs[i];
    if (!def.first_player_chooses) continue;
    OptionChoice choice{std::string(def.name), {}, rules::OptionText(def, state.options[i])};
    for (std::int64_t value = def.min; value <= def.max; ++value) {
      choice.values.push_back(rules::OptionText(def, value));
    }
    choices.push_back(std::move(choice));
  }
  return choices;
}

const StakesAsking* FindAsking(const TableState& state, Seat seat, DecisionRef decision) {
  const std::vector<StakesAsking>& askings = state.stakes.askings[seat];
  const auto asked = std::find_if(askings.begin(), askings.end(), [decision](const auto& asking) {
    return StakesRef(asking.number) == decision;
  });
  return asked == askings.end() ? nullptr : &*asked;
}

bool StakesSettled(const TableState& state) {
  if (From(state) == BaseFrom::kCoins) return true;
  if (state.base == 0) return false;
  return From(state) == BaseFrom::kFirstPlayer ||
         std::none_of(rules::kSeats.begin(), rules::kSeats.end(),
                      [&state](Seat seat) { return LacksConsent(state, seat); });
}

bool WantsProposal(const TableState& state) {
  return From(state) != BaseFrom::kCoins && state.stage() == TableStage::kWaiting &&
         state.base == 0 && state.anyone_seated() && !FirstPrompt(state);
}

bool WantsConsent(const TableState& state) {
  return From(state) == BaseFrom::kAgreement && state.stage() == TableStage::kWaiting &&
         state.base != 0 &&
         std::any_of(rules::kSeats.begin(), rules::kSeats.end(), [&state](Seat seat) {
           return LacksConsent(state, seat) && !state.stakes.prompts[seat];
         });
}

Coins HoldBaseOf(const TableState& state, Seat seat) {
  switch (From(state)) {
    case BaseFrom::kCoins:
      return 0;
    case BaseFrom::kAgreement:
      return state.stakes.agreed[seat] ? state.base : 0;
    case BaseFrom::kFirstPlayer:
      return state.base;
  }
  return 0;
}

Coins JoinBaseOf(const TableState& state) {
  return From(state) == BaseFrom::kCoins ? state.spec.base : state.base;
}

const Room* LeastRoom(std::span<const Room> rooms) {
  const auto least = std::min_element(rooms.begin(), rooms.end(), [](const Room& a, const Room& b) {
    return a.minimum < b.minimum;
  });
  return least == rooms.end() ? nullptr : &*least;
}

Coins BaseOfCoins(const TableState& state, std::span<const Room> rooms,
                  const PerSeat<Coins>& balances) {
  MJ_CHECK(From(state) == BaseFrom::kCoins && state.all_seated());
  std::vector<ledger::StakeTier> tiers;
  for (const Room& room : rooms) {
    ledger::StakeTier& tier = tiers.emplace_back();
    tier.base = ToLedger(room.base);
    tier.minimum = ToLedger(room.minimum);
  }
  Coins base = state.spec.base != 0 ? state.spec.base : kBaseMax;
  for (Coins balance : balances) {
    const ledger::StakeTier* tier = ledger::TierOf(ToLedger(balance), tiers);
    // The rooms have become dearer since the seat was held: the wallet will say so.
    base = std::min(base, tier != nullptr ? tier->base.value() : LeastRoom(rooms)->base);
  }
  return base;
}

Seat NextProposer(const TableState& state, int draw) {
  MJ_CHECK(draw >= 0 && draw < kDraws && state.anyone_seated());
  if (state.stakes.first) return *state.stakes.first;
  std::vector<Seat> seated;
  for (Seat seat : rules::kSeats) {
    if (Sits(state, seat)) seated.push_back(seat);
  }
  return seated[static_cast<std::size_t>(draw) % seated.size()];
}

std::vector<Coins> BasesFor(Coins balance, std::span<const Room> rooms) {
  std::vector<Coins> bases;
  for (const Room& room : rooms) {
    if (room.minimum <= balance) bases.push_back(room.base);
  }
  std::sort(bases.begin(), bases.end());
  return bases;
}

void FoldStakes(TableState& state, const StakesAsked& event, WallTime now) {
  Drop(state);
  state.stakes.first.reset();
  state.stakes.asked = event.number;
  state.stakes.bases = event.bases;
  Ask(state, event.seat, StakesQuestion::kPropose, event.number, now);
}

void FoldStakes(TableState& state, const StakesProposed& event) {
  Answer(state, event.seat, {StakesAnswer::Kind::kPropose, event.base, event.asked});
  state.base = event.base;
  state.stakes.bases.clear();
  state.stakes.proposer = event.seat;
  state.stakes.agreed[event.seat] = true;
}

void FoldStakes(TableState& state, const ConsentAsked& event, WallTime now) {
  state.stakes.asked = event.number;
  for (Seat seat : rules::kSeats) {
    if (!LacksConsent(state, seat) || state.stakes.prompts[seat]) continue;
    Ask(state, seat, StakesQuestion::kAccept, event.number, now);
  }
}

void FoldStakes(TableState& state, const StakesAccepted& event) {
  Answer(state, event.seat, {StakesAnswer::Kind::kAccept, 0, {}});
  state.stakes.agreed[event.seat] = true;
}

void FoldMade(TableState& state) {
  state.base = state.spec.base;
  if (From(state) == BaseFrom::kCoins || state.base == 0) return;
  for (Seat seat : rules::kSeats) {
    if (!Sits(state, seat)) continue;
    if (!state.stakes.proposer) state.stakes.proposer = seat;
    state.stakes.agreed[seat] = true;
  }
}

void FoldTaken(TableState& state, Seat seat) {
  if (state.seated() == 1) state.stakes.first = seat;
}

void FoldLeft(TableState& state, Seat seat) {
  Stakes& stakes = state.stakes;
  stakes.prompts[seat].reset();
  stakes.agreed[seat] = false;
  stakes.askings[seat].clear();
  if (stakes.first == seat) stakes.first.reset();
  if (stakes.proposer == seat) Drop(state);
}

void RestartPrompts(TableState& state, WallTime now) {
  for (auto& prompt : state.stakes.prompts) {
    if (prompt) prompt->due = Due(state, now);
  }
}

std::optional<Seat> FirstPrompt(const TableState& state) {
  std::optional<Seat> first;
  for (Seat seat : rules::kSeats) {
    const auto& prompt = state.stakes.prompts[seat];
    if (prompt && (!first || prompt->due < state.stakes.prompts[*first]->due)) first = seat;
  }
  return first;
}

}  // namespace mj::table
