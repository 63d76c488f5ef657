// What rows of the table ask that no other game's do.
#pragma once

#include "libs/rules/patterns.h"

namespace mj::variants::guangdong {

using rules::Reading;
using rules::Tile;
using rules::WinQuestion;

inline bool IsMixedTerminals(const WinQuestion& question, const Reading& reading) {
  return rules::IsAllTriplets(question, reading) && rules::OnlyTerminalsOrHonours(reading) &&
         rules::HasTerminals(reading) && rules::HasHonours(reading);
}

// 1112345678999 of the winning tile's suit, concealed, before it came.
inline bool IsNineGates(const WinQuestion& question, const Reading&) {
  const rules::Win& win = *question.win;
  if (!win.hand.melds.empty() || win.tile.is_honour()) return false;
  for (int rank = 1; rank <= 9; ++rank) {
    const int wanted = rank == 1 || rank == 9 ? 3 : 1;
    if (win.hand.concealed[Tile::Of(win.tile.suit(), rank)] != wanted) return false;
  }
  return true;
}

inline bool IsAllHonourTriplets(const WinQuestion& question, const Reading& reading) {
  return rules::IsAllTriplets(question, reading) && rules::IsAllHonours(question, reading);
}

inline bool IsPureTerminals(const WinQuestion& question, const Reading& reading) {
  return rules::IsAllTriplets(question, reading) && rules::OnlyTerminalsOrHonours(reading) &&
         !rules::HasHonours(reading);
}

inline bool IsSmallThreeDragons(const WinQuestion&, const Reading& reading) {
  return CountTriplets(reading, rules::kDragonKinds) == 2 && reading.pair.is_dragon();
}

inline bool HasRoundWindTriplet(const WinQuestion& question, const Reading& reading) {
  const auto wind = question.deal->round_wind;
  return wind && (reading.triplets & rules::MaskOf(*wind)) != 0;
}

inline bool HasSeatWindTriplet(const WinQuestion& question, const Reading& reading) {
  const auto& winds = question.deal->seat_winds;
  return winds && (reading.triplets & rules::MaskOf((*winds)[question.win->seat])) != 0;
}

inline int DragonTriplets(const WinQuestion&, const Reading& reading) {
  return CountTriplets(reading, rules::kDragonKinds);
}

inline bool HasDragonTriplet(const WinQuestion& question, const Reading& reading) {
  return DragonTriplets(question, reading) > 0;
}

}  // namespace mj::variants::guangdong
