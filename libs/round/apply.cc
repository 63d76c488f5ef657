#include <variant>

#include "libs/round/decide.h"

namespace mj::round {
namespace {

class Applier {
 public:
  Applier(const Setup& setup, State& state) : setup_(setup), state_(state) {}

  void operator()(const RoundBegan& event) {
    state_ = State{};
    state_.phase = Opening{};
    state_.deal = event.deal;
    state_.left = static_cast<std::uint8_t>(setup_.wall().size());
  }

  void operator()(const DiceRolled& event) {
    CloseAsks();
    state_.dice = event.faces;
  }

  void operator()(const Dealt& event) {
    for (Seat seat : rules::kSeats) {
      state_.seats[seat].hand.concealed = event.hands[seat];
      TakeFront(event.hands[seat].total());
    }
  }

  void operator()(const IndicatorTurned& event) {
    TakeBack();
    state_.indicator = event.indicator;
    state_.deal.wild = event.wild;
  }

  void operator()(const Drew& event) {
    CloseAsks();
    Turn turn{event.seat, event.tile, false, std::nullopt};
    if (event.kind == DrawKind::kReplacement) {
      TakeBack();
      turn.replacement = true;
      if (const auto* kong = std::get_if<Replacing>(&state_.phase)) turn.feeder = kong->feeder;
    } else {
      TakeFront(1);
    }
    state_.phase = turn;
    SeatState& seat = state_.seats[event.seat];
    seat.hand.concealed.Add(event.tile);
    ++seat.draws;
    if (event.kind == DrawKind::kWall && event.seat == state_.deal.dealer) {
      state_.dealer_second_turn = true;
    }
    EndLock(seat, rules::LockEnds::kOwnDrawOrCall);
  }

  void operator()(const Asked& event) {
    for (Seat seat : rules::kSeats) {
      if (!event.asks[seat]) continue;
      SeatState& asked = state_.seats[seat];
      asked.decisions = event.asks[seat]->decision;
      asked.open = event.asks[seat]->offer;
      asked.answer.reset();
    }
  }

  void operator()(const Answered& event) {
    SeatState& seat = state_.seats[event.seat];
    seat.answer = event.choice;
    // Only another's tile can be missed: a discard, or a kong that may be robbed (PLAY-03).
    const std::optional<Tile> tile = TileOfOthers();
    if (tile && seat.open && seat.open->win && event.choice.kind != ChoiceKind::kWin) {
      Miss(seat, *tile);
    }
  }

  void operator()(const Discarded& event) {
    CloseAsks();
    SeatState& seat = state_.seats[event.seat];
    seat.hand.concealed.Remove(event.tile);
    ++seat.thrown;
    EndLock(seat, rules::LockEnds::kOwnDiscard);
    state_.river.push_back(Thrown{event.seat, event.tile, std::nullopt});
    state_.phase = Window{event.seat, event.tile};
  }

  void operator()(const Called& event) {
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

  void operator()(const KongDeclared& event) {
    CloseAsks();
    state_.phase = Robbery{event.seat, event.tile};
  }

  void operator()(const KongMade& event) {
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
    state_.kongs.push_back(kong);
    Call(kong.seat, kong.kind == MeldKind::kDiscardKong);
    state_.phase = Replacing{kong.seat, kong.from};
  }

  void operator()(const LeaveNoted& event) { state_.leaving = Leave{event.seat, event.reason}; }

  void operator()(const Won& event) {
    CloseAsks();
    state_.wins = event.wins;
    if (!event.wins.empty() && event.wins[0].way == rules::WinWay::kRobbedKong &&
        event.wins[0].from) {
      state_.seats[*event.wins[0].from].hand.concealed.Remove(event.wins[0].tile);
    }
    state_.phase = Decided{};
  }

  void operator()(const HorsesTurned& event) {
    state_.horses = event.horses;
    TakeFront(static_cast<int>(event.horses.size()));
  }

  void operator()(const RoundEnded& event) {
    CloseAsks();
    state_.leaving.reset();
    state_.phase = Over{event.outcome, event.reason, event.seat};
  }

 private:
  void CloseAsks() {
    for (SeatState& seat : state_.seats) seat.open.reset();
  }

  void TakeFront(int n) {
    state_.front = static_cast<std::uint8_t>(state_.front + n);
    state_.left = static_cast<std::uint8_t>(state_.left - n);
  }
  void TakeBack() {
    ++state_.back;
    --state_.left;
  }

  // Tiles leave the concealed hand for a meld.
  static void Lay(SeatState& seat, const TileCounts& taken) {
    for (Tile tile : tiles::kAllKinds) {
      if (taken[tile] > 0) seat.hand.concealed.Remove(tile, taken[tile]);
    }
  }
  void TakeDiscard(Seat by) {
    if (!state_.river.empty()) state_.river.back().taken_by = by;
  }
  // `seat` has called or konged; `claimed`: another's tile.
  void Call(Seat seat, bool claimed) {
    state_.anyone_called = true;
    state_.seats[seat].called = true;
    if (claimed && seat == state_.deal.dealer) state_.dealer_second_turn = true;
    EndLock(state_.seats[seat], rules::LockEnds::kOwnDrawOrCall);
  }

  void EndLock(SeatState& seat, rules::LockEnds when) const {
    if (setup_.play().lock_ends == when) seat.lock = Lock{};
  }
  void Miss(SeatState& seat, Tile tile) const {
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
  std::optional<Tile> TileOfOthers() const {
    if (const auto* window = std::get_if<Window>(&state_.phase)) return window->tile;
    if (const auto* robbery = std::get_if<Robbery>(&state_.phase)) return robbery->tile;
    return std::nullopt;
  }

  const Setup& setup_;
  State& state_;
};

}  // namespace

void Apply(const Setup& setup, State& state, const Event& event) {
  std::visit(Applier(setup, state), event);
}

}  // namespace mj::round
