// What rows of the table ask that no other game's do.
#pragma once

#include "libs/rules/patterns.h"

namespace mj::variants::shaoguan {

using rules::Reading;
using rules::Shape;
using rules::WinQuestion;

inline bool IsPairs(const Reading& reading) { return reading.shape == Shape::kSevenPairs; }

// Seven pairs are never a chicken nor one of the rows for sets: SG-04 names their rows.
inline bool IsChicken(const WinQuestion&, const Reading& reading) {
  return reading.shape == Shape::kStandard;
}
inline bool IsPungsOrMixedPairs(const WinQuestion& question, const Reading& reading) {
  return rules::IsAllTriplets(question, reading) || IsPairs(reading);
}
inline bool IsHalfFlushSets(const WinQuestion& question, const Reading& reading) {
  return reading.shape == Shape::kStandard && rules::IsHalfFlush(question, reading);
}
inline bool IsFullFlushSets(const WinQuestion& question, const Reading& reading) {
  return reading.shape == Shape::kStandard && rules::IsFullFlush(question, reading);
}
inline bool IsMixedPungs(const WinQuestion& question, const Reading& reading) {
  return IsPungsOrMixedPairs(question, reading) && rules::IsHalfFlush(question, reading);
}
inline bool IsPurePungs(const WinQuestion& question, const Reading& reading) {
  return IsPungsOrMixedPairs(question, reading) && rules::IsFullFlush(question, reading);
}
inline bool IsTerminalsAndHonours(const WinQuestion& question, const Reading& reading) {
  return rules::IsAllTriplets(question, reading) && rules::OnlyTerminalsOrHonours(reading);
}
inline bool IsHonoursAlone(const WinQuestion& question, const Reading& reading) {
  return IsPungsOrMixedPairs(question, reading) && rules::IsAllHonours(question, reading);
}

}  // namespace mj::variants::shaoguan
