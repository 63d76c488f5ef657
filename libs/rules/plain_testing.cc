#include "libs/rules/plain_testing.h"

namespace mj::rules::plain {
namespace {

// Whether the tiles from kind `from` on are `sets` sets and nothing else.
bool AreSets(TileCounts& left, int sets, int from) {
  while (from < tiles::kKindCount && !left.Has(Tile::At(from))) ++from;
  if (sets == 0 || from == tiles::kKindCount) return sets == 0 && from == tiles::kKindCount;
  const Tile lowest = Tile::At(from);
  if (left.Has(lowest, 3)) {
    left.Remove(lowest, 3);
    const bool wins = AreSets(left, sets - 1, from);
    left.Add(lowest, 3);
    if (wins) return true;
  }
  if (!lowest.starts_chow()) return false;
  const Tile second = Tile::At(from + 1), third = Tile::At(from + 2);
  if (!left.Has(second) || !left.Has(third)) return false;
  left.Remove(lowest), left.Remove(second), left.Remove(third);
  const bool wins = AreSets(left, sets - 1, from);
  left.Add(lowest), left.Add(second), left.Add(third);
  return wins;
}

bool IsStandard(TileCounts& tiles, int melds) {
  for (Tile pair : tiles::kAllKinds) {
    if (!tiles.Has(pair, 2)) continue;
    tiles.Remove(pair, 2);
    const bool wins = AreSets(tiles, 4 - melds, 0);
    tiles.Add(pair, 2);
    if (wins) return true;
  }
  return false;
}

bool IsSevenPairs(const TileCounts& tiles) {
  int pairs = 0;
  for (Tile tile : tiles::kAllKinds) {
    if (tiles[tile] % 2 != 0) return false;
    pairs += tiles[tile] / 2;
  }
  return pairs == 7;
}

bool IsThirteenOrphans(const TileCounts& tiles) {
  for (Tile tile : tiles::kAllKinds) {
    if (tile.is_terminal_or_honour() != tiles.Has(tile)) return false;
  }
  return tiles.total() == 14;
}

}  // namespace

bool IsWin(TileCounts tiles, int melds, Shapes shapes) {
  if (shapes.standard && IsStandard(tiles, melds)) return true;
  if (melds > 0) return false;
  return (shapes.seven_pairs && IsSevenPairs(tiles)) ||
         (shapes.thirteen_orphans && IsThirteenOrphans(tiles));
}

bool IsWinWithWild(TileCounts naturals, int wild, int melds, Shapes shapes) {
  if (wild == 0) return IsWin(naturals, melds, shapes);
  for (Tile tile : tiles::kAllKinds) {
    naturals.Add(tile);
    if (IsWinWithWild(naturals, wild - 1, melds, shapes)) return true;
    naturals.Remove(tile);
  }
  return false;
}

}  // namespace mj::rules::plain
