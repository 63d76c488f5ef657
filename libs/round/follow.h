// A round as one viewer follows it, from the events that it is shown and nothing else.
#pragma once

#include "libs/round/view.h"

namespace mj::round {

// The view that a stream of events adds up to: after every event that Filter gives, the same as
// Project of the engine's state (a test holds this). Not thread-safe.
class Follower {
 public:
  // `play` are the rules of the game with the table's options.
  Follower(const rules::PlayRules& play, const Viewer& viewer);

  // The next event. RoundBegan starts anew; a wild that the rules fix need not be in its deal.
  void Take(const SeatEvent& event);

  const SeatView& view() const { return view_; }

 private:
  void On(const RoundBegan& event);
  void On(const DiceRolled& event);
  void On(const HandDealt& event);
  void On(const IndicatorTurned& event);
  void On(const SeatDrew& event);
  void On(const YouAreAsked& event);
  void On(const YouAnswered& event);
  void On(const Discarded& event);
  void On(const Called& event);
  void On(const KongDeclared& event);
  void On(const KongMade& event);
  void On(const Won& event);
  void On(const HorsesTurned& event);
  void On(const RoundEnded& event);

  bool IsOwn(rules::Seat seat) const { return view_.viewer.seat == seat; }
  void EnterPhase(ViewPhase phase, std::optional<rules::Seat> actor = std::nullopt,
                  std::optional<rules::Tile> tile = std::nullopt);
  // Tiles leave the concealed hand of `seat`.
  void Take(rules::Seat seat, rules::Tile tile, int count);
  void EndLock(rules::Seat seat, rules::LockEnds when);

  rules::PlayRules play_;
  SeatView view_;
  bool offered_win_ = false;  // on the tile of another, at the latest decision
};

}  // namespace mj::round
