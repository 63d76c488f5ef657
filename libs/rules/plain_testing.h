// The textbook way to find out whether tiles win: plain, slow, and written apart from reading.h. Tests hold the fast paths against it, and its is-win is the
// reference of the benchmarks.
#pragma once

#include "libs/rules/reading.h"

namespace mj::rules::plain {

// Whether `tiles` (the winning tile included) win beside `melds` melds: every pair is tried, then
// sets are taken off the lowest tile. No wild tiles; any count of a kind.
bool IsWin(TileCounts tiles, int melds, Shapes shapes);

// The same with `wild` wild tiles besides: tries every kind for each of them. Very slow.
bool IsWinWithWild(TileCounts naturals, int wild, int melds, Shapes shapes);

}  // namespace mj::rules::plain
