#include "libs/proof/follows.h"

#include "libs/round/result.h"

namespace mj::proof {

bool IsBefore(const record::RoundRecord& before, const record::RoundRecord& round) {
  return before.table_id == round.table_id && before.number + 1 == round.number && !round.drawn;
}

std::optional<Misfit> Follows(const record::RoundRecord& before, const record::RoundRecord& round) {
  const rules::Variant* game = FindRules(before.variant, before.rulebook_version);
  const auto setup = game == nullptr ? std::nullopt : SetupOf(*game, before);
  if (!setup) return Misfit{"drawn", "nothing follows from a round that was not dealt"};
  const Played played = ReplayPlay(*setup, before);
  const auto next = round::NextRound(*setup, played.state);
  if (!next) return Misfit{"drawn", "after a void round dealer and winds are drawn anew"};
  if (round.dealer != next->dealer) {
    return Misfit{"dealer", "not who deals after the round before"};
  }
  if (round.round_wind != next->round_wind) {
    return Misfit{"round_wind", "not the wind after the round before"};
  }
  if (round.seat_winds != before.seat_winds) {
    return Misfit{"seat_winds", "seats keep their winds until somebody leaves"};
  }
  if (round.players != before.players) {
    return Misfit{"player_ids", "whoever comes, dealer and winds are drawn anew"};
  }
  return std::nullopt;
}

}  // namespace mj::proof
