// Predicates on a reading that several games' pattern tables share, and how a table is counted.
#pragma once

#include "libs/rules/variant.h"

namespace mj::rules {

// Each has the signature of Pattern::applies. What they say of tiles is said of the tiles as read.

bool IsConcealedHand(const WinQuestion&, const Reading&);    // 门前清
bool IsLastTile(const WinQuestion&, const Reading&);         // 海底捞月
bool IsKongReplacement(const WinQuestion&, const Reading&);  // 杠上开花
bool IsHeavenly(const WinQuestion&, const Reading&);
bool IsEarthly(const WinQuestion&, const Reading&);

bool IsAllTriplets(const WinQuestion&, const Reading&);        // four triplets or kongs and a pair
bool IsAllSequences(const WinQuestion&, const Reading&);       // four sequences and a pair
bool IsHalfFlush(const WinQuestion&, const Reading&);          // honours and one suit, both present
bool IsFullFlush(const WinQuestion&, const Reading&);          // one suit, no honours
bool IsAllHonours(const WinQuestion&, const Reading&);         // honours only
bool IsHalfFlushTriplets(const WinQuestion&, const Reading&);  // IsHalfFlush and IsAllTriplets
bool IsFullFlushTriplets(const WinQuestion&, const Reading&);  // IsFullFlush and IsAllTriplets
bool HasThreeDragonTriplets(const WinQuestion&, const Reading&);
bool HasThreeWindTripletsAndPair(const WinQuestion&, const Reading&);
bool HasFourWindTriplets(const WinQuestion&, const Reading&);
bool IsThirteenOrphans(const WinQuestion&, const Reading&);
bool IsSevenPairs(const WinQuestion&, const Reading&);
template <int kFourAlikes>
bool IsSevenPairsWith(const WinQuestion&, const Reading& reading) {
  return reading.shape == Shape::kSevenPairs && reading.four_alikes == kFourAlikes;
}

// Suits (without honours) of which the reading has tiles.
int SuitCount(const Reading& reading);
bool HasHonours(const Reading& reading);
bool HasTerminals(const Reading& reading);
// Whether every tile is a terminal or an honour (幺九).
bool OnlyTerminalsOrHonours(const Reading& reading);
// Triplets and kongs whose tile satisfies `is`.
template <typename Is>
int CountTriplets(const Reading& reading, Is&& is) {
  int count = 0;
  for (const Set& set : reading.sets) count += set.kind == Set::Kind::kTriplet && is(set.tile);
  return count;
}

using CountedPatterns = InlineVector<const Pattern*, PatternIds::capacity()>;

// The rows of `table` that apply to the reading, without those that another of them implies; in
// the table's order.
CountedPatterns CountPatterns(std::span<const Pattern> table, const WinQuestion& question,
                              const Reading& reading);

// Their ids, sorted.
PatternIds SortedIds(const CountedPatterns& counted);

}  // namespace mj::rules
