// How far a hand is from winning.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "libs/rules/reading.h"
#include "libs/tiles/tile.h"

namespace mj::bots {

// How many tiles a hand still misses: 0 it wins, 1 it waits, more otherwise. A tile counts as
// missing whether or not one is left to draw, but never a fifth of its kind, unless wild tiles are
// in play: one that is yet to be drawn could stand for it.
//
// Answers are exact. They rest on what each suit can give, which is remembered once computed: an
// object grows to 16 MB (as much again for hands with wild tiles). Results do not depend on what
// was asked before. Not thread-safe; one for each thread.
class Distances {
 public:
  Distances();

  // REQUIRES: `concealed` and `melds` make 13 or 14 tiles (a meld counts three).
  int Missing(const tiles::TileCounts& concealed, int melds, std::optional<tiles::Tile> wild,
              rules::Shapes shapes);

 private:
  // What a suit can give: the fewest tiles missing for `sets` sets with or without a pair.
  struct Needs {
    std::array<std::array<std::uint8_t, 5>, 2> missing;  // [pair][sets]
  };
  // Over the suits of nine; index: the nine counts as digits to base 5.
  struct Memo {
    std::vector<std::uint64_t> packed;  // 0: not known yet
    int most_alike = tiles::kCopies;    // how many of a kind a winning hand can hold
  };

  Needs SuitNeeds(Memo& memo, const tiles::TileCounts& counts, int suit) const;
  static Needs ComputeSuit(const std::array<int, 9>& counts, int most_alike);
  static Needs HonourNeeds(const tiles::TileCounts& counts, int most_alike);
  int Standard(const tiles::TileCounts& natural, int melds, bool wild);

  Memo plain_, wild_;
};

}  // namespace mj::bots
