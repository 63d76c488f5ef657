// What each event does to a state. Apply and Decide use it; nobody else writes a state.
#pragma once

#include <optional>

#include "libs/round/event.h"
#include "libs/round/setup.h"
#include "libs/round/state.h"

namespace mj::round::internal {

class Applier {
 public:
  // Both outlive it.
  Applier(const Setup& setup, State& state) : setup_(setup), state_(state) {}

  void operator()(const RoundBegan& event);
  void operator()(const DiceRolled& event);
  void operator()(const Dealt& event);
  void operator()(const IndicatorTurned& event);
  void operator()(const Drew& event);
  void operator()(const Asked& event);
  void operator()(const Answered& event);
  void operator()(const Discarded& event);
  void operator()(const Called& event);
  void operator()(const KongDeclared& event);
  void operator()(const KongMade& event);
  void operator()(const LeaveNoted& event);
  void operator()(const Won& event);
  void operator()(const HorsesTurned& event);
  void operator()(const RoundEnded& event);

 private:
  // `seat` holds as many tiles as it rests with.
  void Rest(SeatState& seat) const;
  void CloseAsks();
  void TakeFront(int n);
  void TakeBack();
  void TakeDiscard(Seat by);
  // `seat` has called or konged; `claimed`: another's tile.
  void Call(Seat seat, bool claimed);
  void EndLock(SeatState& seat, rules::LockEnds when) const;
  void Miss(SeatState& seat, Tile tile) const;
  std::optional<Tile> TileOfOthers() const;

  const Setup& setup_;
  State& state_;
};

}  // namespace mj::round::internal
