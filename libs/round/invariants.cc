#include "libs/round/invariants.h"

#include <variant>

#include "libs/rules/completing.h"

namespace mj::round {
namespace {

bool Begun(const State& state) { return !std::holds_alternative<NotBegun>(state.phase); }
bool IsDealt(const State& state) { return state.front > 0; }

TileCounts Accounted(const Setup& setup, const State& state) {
  TileCounts all;
  const std::vector<Tile>& wall = setup.wall();
  for (std::size_t i = state.front; i + state.back < wall.size(); ++i) all.Add(wall[i]);
  for (const SeatState& seat : state.seats) {
    all += seat.hand.concealed;
    for (const CalledMeld& called : seat.hand.melds) tiles::AddTo(all, called.meld);
  }
  for (const Thrown& thrown : state.river) {
    if (!thrown.taken_by) all.Add(thrown.tile);
  }
  if (state.indicator) all.Add(*state.indicator);
  for (Tile horse : state.horses) all.Add(horse);
  if (!state.wins.empty() && state.wins[0].way == rules::WinWay::kRobbedKong) {
    all.Add(state.wins[0].tile);
  }
  return all;
}

// Concealed tiles more or less than a resting hand has.
int Surplus(const State& state, Seat seat, int concealed) {
  return concealed - state.seats[seat].hand.resting_tiles();
}

bool HandSizesHold(const State& state) {
  const auto* turn = std::get_if<Turn>(&state.phase);
  const auto* robbery = std::get_if<Robbery>(&state.phase);
  // The winner of a self-draw, or whoever acted when the round became void, keeps one more.
  const bool settled =
      std::holds_alternative<Decided>(state.phase) || std::holds_alternative<Over>(state.phase);
  for (Seat seat : rules::kSeats) {
    const int surplus = Surplus(state, seat, state.seats[seat].hand.concealed.total());
    const bool one_more =
        (turn != nullptr && turn->seat == seat) || (robbery != nullptr && robbery->owner == seat);
    if (settled ? (surplus != 0 && surplus != 1) : surplus != (one_more ? 1 : 0)) return false;
  }
  return true;
}

bool AsksHold(const State& state) {
  for (Seat seat : rules::kSeats) {
    if (!state.seats[seat].open) continue;
    const auto* turn = std::get_if<Turn>(&state.phase);
    const auto* window = std::get_if<Window>(&state.phase);
    const auto* robbery = std::get_if<Robbery>(&state.phase);
    const bool may = (std::holds_alternative<Opening>(state.phase) && seat == state.deal.dealer) ||
                     (turn != nullptr && turn->seat == seat) ||
                     (window != nullptr && window->from != seat) ||
                     (robbery != nullptr && robbery->owner != seat);
    if (!may) return false;
  }
  return true;
}

bool KongsHold(const State& state) {
  std::size_t melded = 0;
  for (const SeatState& seat : state.seats) {
    for (const CalledMeld& called : seat.hand.melds) {
      if (called.meld.is_kong()) ++melded;
    }
  }
  if (melded != state.kongs.size()) return false;
  for (const Kong& kong : state.kongs) {
    bool found = false;
    for (const CalledMeld& called : state.seats[kong.seat].hand.melds) {
      found = found || called.meld == rules::Meld{kong.kind, kong.tile};
    }
    if (!found) return false;
  }
  return true;
}

bool CompletingHolds(const Setup& setup, const State& state) {
  const auto* turn = std::get_if<Turn>(&state.phase);
  for (Seat seat : rules::kSeats) {
    const SeatState& held = state.seats[seat];
    TileCounts resting = held.hand.concealed;
    if (turn != nullptr && turn->seat == seat && turn->drawn) resting.Remove(*turn->drawn);
    if (resting.total() != held.hand.resting_tiles()) continue;  // after a call, or robbed
    const std::uint64_t kinds =
        rules::CompletingKinds(resting, held.hand.melds, state.deal.wild, setup.shapes());
    if (!(held.completing == TileSet::FromBits(kinds))) return false;
  }
  return true;
}

}  // namespace

std::optional<Breach> CheckInvariants(const Setup& setup, const State& state) {
  if (!Begun(state)) return std::nullopt;
  if (!(Accounted(setup, state) == setup.play().wall)) return Breach::kTileLost;
  if (static_cast<std::size_t>(state.front + state.back + state.left) != setup.wall().size()) {
    return Breach::kWallCount;
  }
  if (IsDealt(state) && !HandSizesHold(state)) return Breach::kHandSize;
  if (!AsksHold(state)) return Breach::kAsk;
  if (!KongsHold(state)) return Breach::kKongs;
  if (IsDealt(state) && !CompletingHolds(setup, state)) return Breach::kCompleting;
  return std::nullopt;
}

}  // namespace mj::round
