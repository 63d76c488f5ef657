#include "libs/round/tile_set.h"

#include <gtest/gtest.h>

#include "tests/support/random.h"

namespace mj::round {
namespace {

using tiles::Tile;
using tiles::TileCounts;

TEST(TileSetTest, HoldsTheKindsThatAreThereOftenEnough) {
  testing::Random random(1);
  for (int round = 0; round < 200; ++round) {
    TileCounts counts;
    for (int i = 0; i < 20; ++i) counts.Add(Tile::At(random.Below(tiles::kKindCount)));
    for (int n = 1; n <= 4; ++n) {
      const TileSet held = TileSet::Held(counts, n);
      for (Tile tile : tiles::kAllKinds) EXPECT_EQ(held.Has(tile), counts.Has(tile, n));
      for (int first = 0; first <= tiles::kKindCount - 8; ++first) {
        const auto eight = TileSet::HeldOfEight(counts, static_cast<std::size_t>(first), n);
        EXPECT_EQ(eight >> 8, 0u);
        for (int i = 0; i < 8; ++i) {
          EXPECT_EQ((eight >> i & 1) != 0, counts.Has(Tile::At(first + i), n));
        }
      }
    }
  }
}

TEST(TileSetTest, CountsItsKindsOut) {
  testing::Random random(2);
  for (int round = 0; round < 200; ++round) {
    TileSet set;
    for (int i = random.Below(40); i > 0; --i) set.Add(Tile::At(random.Below(tiles::kKindCount)));
    int n = 0;
    for (Tile tile : set) EXPECT_EQ(set.Nth(n++), tile);
    EXPECT_EQ(n, set.size());
  }
}

}  // namespace
}  // namespace mj::round
