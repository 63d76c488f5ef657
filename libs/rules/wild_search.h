// Readings of hands with wild tiles.
#pragma once

#include "libs/rules/reading.h"

namespace mj::rules::internal {

// Shows `sink` every reading of natural tiles, `wild` wild ones and melds, each once, until it
// wants no more. Natural tiles of any number of a kind; with more than four it takes its time.
// REQUIRES: naturals.total() + wild + 3 x melds.size() == 14. Does not allocate.
void ReadWithWild(const TileCounts& naturals, int wild, const Melds& melds, Shapes shapes,
                  ReadingSink& sink);

// Whether there is any.
bool IsWinWithWild(const TileCounts& naturals, int wild, const Melds& melds, Shapes shapes);

}  // namespace mj::rules::internal
