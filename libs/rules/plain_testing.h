// The textbook way to find out whether tiles win, and how they can be read: plain, slow, and
// written apart from reading.h. Tests hold the fast paths against it, and its is-win is the
// reference of the benchmarks.
#pragma once

#include <vector>

#include "libs/rules/reading.h"
#include "libs/rules/variant.h"

namespace mj::rules::plain {

// Whether `tiles` (the winning tile included) win beside `melds` melds: every pair is tried, then
// sets are taken off the lowest tile. No wild tiles; any count of a kind.
bool IsWin(TileCounts tiles, int melds, Shapes shapes);

// The same with `wild` wild tiles besides: tries every kind for each of them. Very slow.
bool IsWinWithWild(TileCounts naturals, int wild, int melds, Shapes shapes);

// Every reading, each once, in no particular order; the concealed sets of each lowest first, of the
// same kind triplets first. Tries every kind for every wild tile.
std::vector<Reading> Readings(const TileCounts& naturals, int wild, const Melds& melds,
                              Shapes shapes);

// What the best of these readings is worth, by the rule's own words (D-COM-2); of none that may win
// the reason of the one that came furthest.
Worth BestOf(const std::vector<Reading>& readings, const Variant& variant, const Options& options,
             const FinishedRound& round, const WinQuestion& question);

}  // namespace mj::rules::plain
