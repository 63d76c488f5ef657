// A round as one viewer follows it, from the events that it is shown and nothing else.
#pragma once

#include "libs/round/view.h"

namespace mj::player {

// The view that a stream of events adds up to: after every event that Filter gives, the same as
// Project of the engine's state (a test holds this). Not thread-safe.
class Follower {
 public:
  // `play` are the rules of the game with the table's options.
  Follower(const rules::PlayRules& play, const round::Viewer& viewer);

  // The next event. RoundBegan starts anew.
  void Take(const round::SeatEvent& event);

  const round::SeatView& view() const { return view_; }

 private:
  void On(const round::RoundBegan& event);
  void On(const round::DiceRolled& event);
  void On(const round::HandDealt& event);
  void On(const round::IndicatorTurned& event);
  void On(const round::SeatDrew& event);
  void On(const round::YouAreAsked& event);
  void On(const round::YouAnswered& event);
  void On(const round::Discarded& event);
  void On(const round::Called& event);
  void On(const round::KongDeclared& event);
  void On(const round::KongMade& event);
  void On(const round::Won& event);
  void On(const round::HorsesTurned& event);
  void On(const round::RoundEnded& event);

  bool IsOwn(rules::Seat seat) const { return view_.viewer.seat == seat; }
  void EnterPhase(round::ViewPhase phase, std::optional<rules::Seat> actor = std::nullopt,
                  std::optional<rules::Tile> tile = std::nullopt);
  // Tiles leave the concealed hand of `seat`.
  void Take(rules::Seat seat, rules::Tile tile, int count);
  void EndLock(rules::Seat seat, rules::LockEnds when);

  rules::PlayRules play_;
  round::SeatView view_;
  bool offered_win_ = false;  // on the tile of another, at the latest decision
};

}  // namespace mj::player
