// What rows of the table ask that no other game's do.
#pragma once

#include <algorithm>

#include "libs/rules/patterns.h"

namespace mj::variants::jieyang {

using rules::Reading;
using rules::WinQuestion;

inline bool IsTwoOrMoreFourAlikes(const WinQuestion&, const Reading& reading) {
  return reading.shape == rules::Shape::kSevenPairs && reading.four_alikes >= 2;  // D-JY-4
}

inline bool IsEighteenArhats(const WinQuestion&, const Reading& reading) {
  return std::count_if(reading.sets.begin(), reading.sets.end(),
                       [](const rules::Set& set) { return set.kong; }) == 4;
}

inline bool HasNoWild(const WinQuestion& question, const Reading&) {
  const auto wild = question.deal->wild;
  return wild && !question.win->hand.concealed.Has(*wild) && question.win->tile != *wild;
}

}  // namespace mj::variants::jieyang
