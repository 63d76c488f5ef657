#include "libs/rules/hands_testing.h"

#include "libs/rules/plain_testing.h"

namespace mj::rules {

TileCounts FullWall() {
  TileCounts wall;
  for (Tile tile : tiles::kAllKinds) wall.Add(tile, tiles::kCopies);
  return wall;
}

bool HandMaker::Possible(const TileCounts& tiles) const {
  for (Tile tile : tiles::kAllKinds) {
    if (tiles[tile] > wall_[tile]) return false;
  }
  return true;
}

Tile HandMaker::AnyTile() { return Tile::At(random_.Below(tiles::kKindCount)); }

TileCounts HandMaker::Standard(int melds) {
  for (;;) {
    // Few kinds: a stretch of them, mostly within one suit.
    const bool few = random_.OneIn(3);
    const int first = few ? 9 * random_.Below(4) : 0;
    const int kinds = few && first < 27 ? 5 + random_.Below(5) : tiles::kKindCount - first;
    const auto any = [&] { return Tile::At(first + random_.Below(kinds)); };
    TileCounts tiles;
    for (int i = 0; i < 4 - melds; ++i) {
      const Tile tile = any();
      if (tile.starts_chow() && !random_.OneIn(3)) {
        AddTo(tiles, Meld{MeldKind::kChow, tile});
      } else {
        AddTo(tiles, Meld{MeldKind::kPung, tile});
      }
    }
    tiles.Add(any(), 2);
    if (Possible(tiles)) return tiles;
  }
}

TileCounts HandMaker::SevenPairs() {
  for (;;) {
    TileCounts tiles;
    for (int i = 0; i < 7; ++i) tiles.Add(AnyTile(), 2);
    if (Possible(tiles)) return tiles;
  }
}

TileCounts HandMaker::ThirteenOrphans() {
  TileCounts tiles;
  for (Tile tile : tiles::kAllKinds) {
    if (tile.is_terminal_or_honour()) tiles.Add(tile);
  }
  for (;;) {
    const Tile tile = AnyTile();
    if (!tile.is_terminal_or_honour()) continue;
    tiles.Add(tile);
    return tiles;
  }
}

TileCounts HandMaker::Winning(int melds) {
  if (melds == 0 && shapes_.seven_pairs && random_.OneIn(16)) return SevenPairs();
  if (melds == 0 && shapes_.thirteen_orphans && random_.OneIn(64)) return ThirteenOrphans();
  return Standard(melds);
}

TileCounts HandMaker::NearMiss(int melds) {
  for (;;) {
    TileCounts tiles = Winning(melds);
    for (int changes = 1 + random_.Below(2); changes > 0;) {
      const Tile tile = AnyTile();
      if (!tiles.Has(tile)) continue;
      tiles.Remove(tile);
      tiles.Add(AnyTile());
      --changes;
    }
    if (Possible(tiles) && !plain::IsWin(tiles, melds, shapes_)) return tiles;
  }
}

std::vector<TileCounts> MixedHands(std::uint64_t seed, std::int64_t count, const TileCounts& wall,
                                   Shapes shapes) {
  HandMaker maker(seed, wall, shapes);
  testing::Random coin(seed + 1);
  std::vector<TileCounts> hands;
  hands.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    hands.push_back(coin.OneIn(2) ? maker.Winning() : maker.NearMiss());
  }
  return hands;
}

}  // namespace mj::rules
