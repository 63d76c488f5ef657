#include "libs/round/applier.h"

#include <variant>

#include "libs/round/decide.h"
#include "libs/rules/completing.h"

namespace mj::round {
namespace internal {
namespace {

// Tiles leave the concealed hand for a meld.
void Lay(SeatState& seat, const TileCounts& taken) {
  for (Tile tile : tiles::kAllKinds) {
    if (taken[tile] > 0) seat.hand.concealed.Remove(tile, taken[tile]);
  }
}

}  // namespace

void Applier::operator()(const RoundBegan& event) {
  state_ = State{};
  state_.phase = Opening{};
  state_.deal = event.deal;
  state_.left = static_cast<std::uint8_t>(setup_.wall().size());
}

void Applier::operator()(const DiceRolled& event) {
  CloseAsks();
  state_.dice = event.faces;
}

void Applier::operator()(const Dealt& event) {
  for (Seat seat : rules::kSeats) {
    state_.seats[seat].hand.concealed = event.hands[seat];
    Rest(state_.seats[seat]);
    TakeFront(event.hands[seat].total());
  }
}

void Applier::operator()(const IndicatorTurned& event) {
  TakeBack();
  state_.indicator = event.indicator;
  state_.deal.wild = event.wild;
  // The dealer has drawn already.
  for (Seat seat : rules::kSeats) {
    SeatState& dealt = state_.seats[seat];
    const auto* turn = std::get_if<Turn>(&state_.phase);
    const bool drew = turn != nullptr && turn->seat == seat && turn->drawn;
    if (drew) dealt.hand.concealed.Remove(*turn->drawn);
    Rest(dealt);
    if (drew) dealt.hand.concealed.Add(*turn->drawn);
  }
}

void Applier::operator()(const Drew& event) {
  SeatState& seat = state_.seats[event.seat];
  seat.hand.concealed.Add(event.tile);
  CloseAsks();
  const bool replacement = event.kind == DrawKind::kReplacement;
  std::optional<Seat> feeder;
  if (replacement) {
    TakeBack();
    if (const auto* kong = std::get_if<Replacing>(&state_.phase)) feeder = kong->feeder;
  } else {
    TakeFront(1);
  }
  state_.phase = Turn{event.seat, event.tile, replacement, feeder};
  ++seat.draws;
  if (event.kind == DrawKind::kWall && event.seat == state_.deal.dealer) {
    state_.dealer_second_turn = true;
  }
  EndLock(seat, rules::LockEnds::kOwnDrawOrCall);
}

void Applier::operator()(const Asked& event) {
  for (Seat seat : rules::kSeats) {
    if (!event.asks[seat]) continue;
    SeatState& asked = state_.seats[seat];
    asked.decisions = event.asks[seat]->decision;
    asked.open = event.asks[seat]->offer;
    asked.answer.reset();
  }
}

void Applier::operator()(const Answered& event) {
  SeatState& seat = state_.seats[event.seat];
  seat.answer = event.choice;
  // Only another's tile can be missed: a discard, or a kong that may be robbed (PLAY-03).
  const std::optional<Tile> tile = TileOfOthers();
  if (tile && seat.open && seat.open->win && event.choice.kind != ChoiceKind::kWin) {
    Miss(seat, *tile);
  }
}

void Applier::operator()(const Discarded& event) {
  SeatState& seat = state_.seats[event.seat];
  seat.hand.concealed.Remove(event.tile);
  CloseAsks();
  ++seat.thrown;
  EndLock(seat, rules::LockEnds::kOwnDiscard);
  state_.river.push_back(Thrown{event.seat, event.tile, std::nullopt});
  state_.phase = Window{event.seat, event.tile};
  Rest(seat);  // last: counts that were just written are slow to read as words
}

void Applier::operator()(const Called& event) {
  CloseAsks();
  SeatState& seat = state_.seats[event.seat];
  TileCounts taken;
  tiles::AddTo(taken, event.meld.meld);
  taken.Remove(event.tile);
  Lay(seat, taken);
  seat.hand.melds.push_back(event.meld);
  TakeDiscard(event.seat);
  Call(event.seat, true);
  if (event.kills) seat.killed = event.meld.from;
  state_.phase = Turn{event.seat, std::nullopt, false, std::nullopt};
}

void Applier::operator()(const KongDeclared& event) {
  CloseAsks();
  state_.phase = Robbery{event.seat, event.tile};
}

void Applier::operator()(const KongMade& event) {
  CloseAsks();
  const Kong& kong = event.kong;
  SeatState& seat = state_.seats[kong.seat];
  const rules::Meld meld{kong.kind, kong.tile};
  switch (kong.kind) {
    case MeldKind::kDiscardKong:
      seat.hand.concealed.Remove(kong.tile, 3);
      seat.hand.melds.push_back(CalledMeld{meld, kong.from});
      TakeDiscard(kong.seat);
      break;
    case MeldKind::kAddedKong:
      seat.hand.concealed.Remove(kong.tile);
      for (CalledMeld& called : seat.hand.melds) {
        if (called.meld == rules::Meld{MeldKind::kPung, kong.tile}) called.meld = meld;
      }
      break;
    case MeldKind::kConcealedKong:
      seat.hand.concealed.Remove(kong.tile, 4);
      seat.hand.melds.push_back(CalledMeld{meld, std::nullopt});
      break;
    case MeldKind::kChow:
    case MeldKind::kPung:
      break;
  }
  Rest(seat);
  state_.kongs.push_back(kong);
  Call(kong.seat, kong.kind == MeldKind::kDiscardKong);
  state_.phase = Replacing{kong.seat, kong.from};
}

void Applier::operator()(const LeaveNoted& event) {
  state_.leaving = Leave{event.seat, event.reason};
}

void Applier::operator()(const Won& event) {
  CloseAsks();
  state_.wins = event.wins;
  if (!event.wins.empty() && event.wins[0].way == rules::WinWay::kRobbedKong &&
      event.wins[0].from) {
    SeatState& robbed = state_.seats[*event.wins[0].from];
    robbed.hand.concealed.Remove(event.wins[0].tile);
    Rest(robbed);
  }
  state_.phase = Decided{};
}

void Applier::operator()(const HorsesTurned& event) {
  state_.horses = event.horses;
  TakeFront(static_cast<int>(event.horses.size()));
}

void Applier::operator()(const RoundEnded& event) {
  CloseAsks();
  state_.leaving.reset();
  state_.phase = Over{event.outcome, event.reason, event.seat};
}

void Applier::Rest(SeatState& seat) const {
  seat.completing = TileSet::FromBits(rules::CompletingKinds(seat.hand.concealed, seat.hand.melds,
                                                             state_.deal.wild, setup_.shapes()));
}

void Applier::CloseAsks() {
  for (SeatState& seat : state_.seats) seat.open.reset();
}

void Applier::TakeFront(int n) {
  state_.front = static_cast<std::uint8_t>(state_.front + n);
  state_.left = static_cast<std::uint8_t>(state_.left - n);
}
void Applier::TakeBack() {
  ++state_.back;
  --state_.left;
}

void Applier::TakeDiscard(Seat by) {
  if (!state_.river.empty()) state_.river.back().taken_by = by;
}
void Applier::Call(Seat seat, bool claimed) {
  state_.anyone_called = true;
  state_.seats[seat].called = true;
  if (claimed && seat == state_.deal.dealer) state_.dealer_second_turn = true;
  EndLock(state_.seats[seat], rules::LockEnds::kOwnDrawOrCall);
}

void Applier::EndLock(SeatState& seat, rules::LockEnds when) const {
  if (setup_.play().lock_ends == when) seat.lock = Lock{};
}
void Applier::Miss(SeatState& seat, Tile tile) const {
  switch (setup_.play().missed_win) {
    case rules::MissedWin::kNoLock:
      return;
    case rules::MissedWin::kSameTile:
      return seat.lock.kinds.Add(tile);
    case rules::MissedWin::kEveryTile:
      seat.lock.every = true;
      return;
  }
}
std::optional<Tile> Applier::TileOfOthers() const {
  if (const auto* window = std::get_if<Window>(&state_.phase)) return window->tile;
  if (const auto* robbery = std::get_if<Robbery>(&state_.phase)) return robbery->tile;
  return std::nullopt;
}

}  // namespace internal

void Apply(const Setup& setup, State& state, const Event& event) {
  std::visit(internal::Applier(setup, state), event);
}

}  // namespace mj::round
