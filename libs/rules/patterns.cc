#include "libs/rules/patterns.h"

#include <algorithm>

namespace mj::rules {

bool IsConcealedHand(const WinQuestion& question, const Reading&) {
  return question.win->hand.is_concealed();
}
bool IsLastTile(const WinQuestion& question, const Reading&) {
  return question.win->flags.last_tile;
}
bool IsKongReplacement(const WinQuestion& question, const Reading&) {
  return question.win->flags.kong_replacement;
}
bool IsHeavenly(const WinQuestion& question, const Reading&) {
  return question.win->flags.heavenly;
}
bool IsEarthly(const WinQuestion& question, const Reading&) { return question.win->flags.earthly; }

int SuitCount(const Reading& reading) {
  bool has[3] = {false, false, false};
  for (int i = 0; i < 27; ++i) has[i / 9] |= reading.tiles.Has(Tile::At(i));
  return has[0] + has[1] + has[2];
}

bool HasHonours(const Reading& reading) {
  for (int i = 27; i < tiles::kKindCount; ++i) {
    if (reading.tiles.Has(Tile::At(i))) return true;
  }
  return false;
}

bool HasTerminals(const Reading& reading) {
  return std::any_of(tiles::kAllKinds.begin(), tiles::kAllKinds.end(),
                     [&](Tile tile) { return tile.is_terminal() && reading.tiles.Has(tile); });
}

bool OnlyTerminalsOrHonours(const Reading& reading) {
  return std::all_of(tiles::kAllKinds.begin(), tiles::kAllKinds.end(), [&](Tile tile) {
    return tile.is_terminal_or_honour() || !reading.tiles.Has(tile);
  });
}

bool IsAllTriplets(const WinQuestion&, const Reading& reading) {
  return reading.shape == Shape::kStandard &&
         CountTriplets(reading, [](Tile) { return true; }) == 4;
}

bool IsAllSequences(const WinQuestion&, const Reading& reading) {
  return reading.shape == Shape::kStandard &&
         CountTriplets(reading, [](Tile) { return true; }) == 0;
}

bool IsHalfFlush(const WinQuestion&, const Reading& reading) {
  return SuitCount(reading) == 1 && HasHonours(reading);
}

bool IsFullFlush(const WinQuestion&, const Reading& reading) {
  return SuitCount(reading) == 1 && !HasHonours(reading);
}

bool IsAllHonours(const WinQuestion&, const Reading& reading) { return SuitCount(reading) == 0; }

bool IsHalfFlushTriplets(const WinQuestion& question, const Reading& reading) {
  return IsHalfFlush(question, reading) && IsAllTriplets(question, reading);
}

bool IsFullFlushTriplets(const WinQuestion& question, const Reading& reading) {
  return IsFullFlush(question, reading) && IsAllTriplets(question, reading);
}

bool HasThreeDragonTriplets(const WinQuestion&, const Reading& reading) {
  return CountTriplets(reading, [](Tile tile) { return tile.is_dragon(); }) == 3;
}

bool HasThreeWindTripletsAndPair(const WinQuestion&, const Reading& reading) {
  return reading.shape == Shape::kStandard && reading.pair.is_wind() &&
         CountTriplets(reading, [](Tile tile) { return tile.is_wind(); }) == 3;
}

bool HasFourWindTriplets(const WinQuestion&, const Reading& reading) {
  return CountTriplets(reading, [](Tile tile) { return tile.is_wind(); }) == 4;
}

bool IsThirteenOrphans(const WinQuestion&, const Reading& reading) {
  return reading.shape == Shape::kThirteenOrphans;
}

bool IsSevenPairs(const WinQuestion&, const Reading& reading) {
  return reading.shape == Shape::kSevenPairs;
}

CountedPatterns CountPatterns(std::span<const Pattern> table, const WinQuestion& question,
                              const Reading& reading) {
  CountedPatterns applying;
  for (const Pattern& pattern : table) {
    if (pattern.applies != nullptr && pattern.applies(question, reading)) {
      applying.push_back(&pattern);
    }
  }
  CountedPatterns counted;
  for (const Pattern* pattern : applying) {
    const bool implied = std::any_of(applying.begin(), applying.end(), [&](const Pattern* other) {
      return std::find(other->implies.begin(), other->implies.end(), pattern->id) !=
             other->implies.end();
    });
    if (!implied) counted.push_back(pattern);
  }
  return counted;
}

PatternIds SortedIds(const CountedPatterns& counted) {
  PatternIds ids;
  for (const Pattern* pattern : counted) ids.push_back(pattern->id);
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace mj::rules
