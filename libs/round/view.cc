#include "libs/round/view.h"

namespace mj::round {
namespace {

class PhaseProjector {
 public:
  explicit PhaseProjector(SeatView& view) : view_(view) {}

  void operator()(const NotBegun&) { view_.phase = ViewPhase::kNotBegun; }
  void operator()(const Opening&) { view_.phase = ViewPhase::kOpening; }
  void operator()(const Turn& turn) {
    view_.phase = ViewPhase::kTurn;
    view_.actor = turn.seat;
    if (view_.viewer.seat == turn.seat) view_.drawn = turn.drawn;
  }
  void operator()(const Window& window) {
    view_.phase = ViewPhase::kThrown;
    view_.actor = window.from;
    view_.tile = window.tile;
  }
  void operator()(const Robbery& robbery) {
    view_.phase = ViewPhase::kKongDeclared;
    view_.actor = robbery.owner;
    view_.tile = robbery.tile;
  }
  void operator()(const Replacing& replacing) {
    view_.phase = ViewPhase::kKongMade;
    view_.actor = replacing.seat;
  }
  void operator()(const Decided&) { view_.phase = ViewPhase::kWon; }
  void operator()(const Over& over) {
    view_.phase = ViewPhase::kOver;
    view_.ended = RoundEnded{over.outcome, over.reason, over.seat};
  }

 private:
  SeatView& view_;
};

class EventFilter {
 public:
  explicit EventFilter(const Viewer& viewer) : viewer_(viewer) {}

  std::optional<SeatEvent> operator()(const Dealt& event) const {
    HandDealt dealt;
    if (viewer_.seat) dealt.hand = event.hands[*viewer_.seat];
    return dealt;
  }
  std::optional<SeatEvent> operator()(const Drew& event) const {
    SeatDrew drew{event.seat, std::nullopt, event.kind, event.left};
    if (viewer_.seat == event.seat) drew.tile = event.tile;
    return drew;
  }
  std::optional<SeatEvent> operator()(const Asked& event) const {
    if (!viewer_.decides || !viewer_.seat || !event.asks[*viewer_.seat]) return std::nullopt;
    return YouAreAsked{*event.asks[*viewer_.seat]};
  }
  std::optional<SeatEvent> operator()(const Answered& event) const {
    if (!viewer_.decides || viewer_.seat != event.seat) return std::nullopt;
    return YouAnswered{event.decision, event.choice, event.by};
  }
  std::optional<SeatEvent> operator()(const LeaveNoted&) const { return std::nullopt; }

  // Named one by one, so that a new event does not become public by default.
  std::optional<SeatEvent> operator()(const RoundBegan& event) const { return event; }
  std::optional<SeatEvent> operator()(const DiceRolled& event) const { return event; }
  std::optional<SeatEvent> operator()(const IndicatorTurned& event) const { return event; }
  std::optional<SeatEvent> operator()(const Discarded& event) const { return event; }
  std::optional<SeatEvent> operator()(const Called& event) const { return event; }
  std::optional<SeatEvent> operator()(const KongDeclared& event) const { return event; }
  std::optional<SeatEvent> operator()(const KongMade& event) const { return event; }
  std::optional<SeatEvent> operator()(const Won& event) const { return event; }
  std::optional<SeatEvent> operator()(const HorsesTurned& event) const { return event; }
  std::optional<SeatEvent> operator()(const RoundEnded& event) const { return event; }

 private:
  const Viewer& viewer_;
};

}  // namespace

SeatView Project(const Setup&, const State& state, const Viewer& viewer) {
  SeatView view;
  view.viewer = viewer;
  std::visit(PhaseProjector(view), state.phase);
  view.deal = state.deal;
  view.dice = state.dice;
  view.indicator = state.indicator;
  view.left = state.left;
  for (Seat seat : rules::kSeats) {
    const rules::Hand& hand = state.seats[seat].hand;
    view.seats[seat].concealed = static_cast<std::uint8_t>(hand.concealed.total());
    view.seats[seat].melds = hand.melds;
  }
  view.river = state.river;
  view.kongs = state.kongs;
  if (viewer.seat) {
    const SeatState& own = state.seats[*viewer.seat];
    view.hand = own.hand.concealed;
    if (viewer.decides) {
      view.lock = own.lock;
      if (own.open && !own.answer) view.ask = Ask{own.decisions, *own.open};
    }
  }
  view.wins = state.wins;
  view.horses = state.horses;
  return view;
}

std::optional<SeatEvent> Filter(const Event& event, const Viewer& viewer) {
  return std::visit(EventFilter(viewer), event);
}

}  // namespace mj::round
