#include "libs/round/result.h"

#include "libs/round/offers.h"
#include "libs/rules/score.h"

namespace mj::round {

std::optional<rules::FinishedRound> Finished(const State& state) {
  const auto* over = std::get_if<Over>(&state.phase);
  if (over == nullptr || over->outcome == Outcome::kVoid) return std::nullopt;
  rules::FinishedRound round;
  round.deal = state.deal;
  round.end = over->outcome == Outcome::kWin ? rules::RoundEnd::kWin : rules::RoundEnd::kExhausted;
  round.wins = state.wins;
  round.kongs = state.kongs;
  round.horses = state.horses;
  return round;
}

std::optional<rules::NextDeal> NextRound(const Setup& setup, const State& state) {
  const std::optional<rules::FinishedRound> round = Finished(state);
  if (!round) return std::nullopt;
  return rules::NextAfter(setup.variant(), setup.options(), *round);
}

std::optional<Win> OfferedWin(const Setup& setup, const State& state, Seat seat) {
  const SeatState& asked = state.seats[seat];
  if (!asked.open || asked.answer || !asked.open->win) return std::nullopt;
  return internal::ClaimOf(setup, state, seat);
}

}  // namespace mj::round
