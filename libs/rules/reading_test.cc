#include "libs/rules/reading.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "libs/tiles/mpsz.h"
#include "tests/support/counts.h"
#include "tests/support/random.h"

namespace mj::rules {
namespace {

constexpr Shapes kAllShapes = {.standard = true, .seven_pairs = true, .thirteen_orphans = true};

TileCounts Counts(const std::string& text) {
  const auto counts = tiles::ParseCounts(text);
  EXPECT_TRUE(counts) << text;
  return counts.value_or(TileCounts{});
}

std::vector<Reading> Readings(const std::string& concealed, const Melds& melds = {},
                              std::optional<Tile> wild = {}, Shapes shapes = kAllShapes) {
  std::vector<Reading> readings;
  ForEachReading(Counts(concealed), melds, wild, shapes,
                 [&](const Reading& reading) { readings.push_back(reading); });
  return readings;
}

CalledMeld Pung(const std::string& tiles) {
  return {.meld = *tiles::ParseMeld(MeldKind::kPung, tiles), .from = Seat::k1};
}

// ------------------------------------------------------- a slow reader, written apart

// Takes sets off the lowest tile, the pair first: the plain textbook recursion.
bool SlowSets(TileCounts& left, int sets) {
  for (Tile tile : tiles::kAllKinds) {
    if (!left.Has(tile)) continue;
    if (sets == 0) return false;
    if (left.Has(tile, 3)) {
      left.Remove(tile, 3);
      const bool wins = SlowSets(left, sets - 1);
      left.Add(tile, 3);
      if (wins) return true;
    }
    if (!tile.starts_chow()) return false;
    const Tile second = Tile::At(tile.index() + 1), third = Tile::At(tile.index() + 2);
    if (!left.Has(second) || !left.Has(third)) return false;
    left.Remove(tile), left.Remove(second), left.Remove(third);
    const bool wins = SlowSets(left, sets - 1);
    left.Add(tile), left.Add(second), left.Add(third);
    return wins;
  }
  return sets == 0;
}

bool SlowWin(TileCounts tiles, int melds) {
  for (Tile pair : tiles::kAllKinds) {
    if (!tiles.Has(pair, 2)) continue;
    tiles.Remove(pair, 2);
    const bool wins = SlowSets(tiles, 4 - melds);
    tiles.Add(pair, 2);
    if (wins) return true;
  }
  if (melds > 0) return false;
  int pairs = 0, orphans = 0;
  for (Tile tile : tiles::kAllKinds) {
    pairs += tiles[tile] / 2;
    orphans += tile.is_terminal_or_honour() && tiles.Has(tile);
  }
  int in_orphans = 0;
  for (Tile tile : tiles::kAllKinds) in_orphans += tile.is_terminal_or_honour() ? tiles[tile] : 0;
  return pairs == 7 || (orphans == 13 && in_orphans == 14);
}

// Tries every kind for every wild tile.
bool SlowWildWin(TileCounts naturals, int wild, int melds, int from = 0) {
  if (wild == 0) return SlowWin(naturals, melds);
  for (int i = from; i < tiles::kKindCount; ++i) {
    naturals.Add(Tile::At(i));
    const bool wins = SlowWildWin(naturals, wild - 1, melds, i);
    naturals.Remove(Tile::At(i));
    if (wins) return true;
  }
  return false;
}

// A hand that wins, or nearly does: sets and a pair of few kinds, then some tiles changed.
TileCounts RandomHand(testing::Random& random, int sets, int changes) {
  for (;;) {
    TileCounts tiles;
    std::vector<Tile> list;
    const auto add = [&](Tile tile) {
      tiles.Add(tile);
      list.push_back(tile);
    };
    const int span = 9 + random.Below(26);
    for (int i = 0; i < sets; ++i) {
      const Tile tile = Tile::At(random.Below(span));
      const bool chow = random.OneIn(2) && tile.starts_chow();
      for (int k = 0; k < 3; ++k) add(chow ? Tile::At(tile.index() + k) : tile);
    }
    const Tile pair = Tile::At(random.Below(span));
    add(pair), add(pair);
    for (int i = 0; i < changes; ++i) {
      auto& tile = list[static_cast<std::size_t>(random.Below(static_cast<int>(list.size())))];
      tiles.Remove(tile);
      tile = Tile::At(random.Below(span));
      tiles.Add(tile);
    }
    bool possible = true;
    for (Tile tile : tiles::kAllKinds) possible &= tiles[tile] <= tiles::kCopies;
    if (possible) return tiles;
  }
}

// ---------------------------------------------------------------------------------- tests

TEST(ReadingTest, AHandMayBeReadInSeveralWays) {
  EXPECT_EQ(Readings("123m456p789s11222z").size(), 1u);
  EXPECT_EQ(Readings("111222333m44p555z").size(), 2u);  // triplets, or three sequences
  EXPECT_EQ(Readings("11223344556677m").size(), 4u);    // three divisions, and seven pairs
  EXPECT_EQ(Readings("123m456p789s1122z").size(), 0u);
}

TEST(ReadingTest, FourAlikeMayBeTwoPairs) {
  const auto readings = Readings("1111m2222p3333s44z");
  ASSERT_EQ(readings.size(), 1u);
  EXPECT_EQ(readings[0].shape, Shape::kSevenPairs);
  EXPECT_EQ(readings[0].four_alikes, 3);
}

TEST(ReadingTest, MeldsAreSetsAndKeepTheirOrder) {
  const Melds melds = {Pung("777z"), Pung("222m")};
  const auto readings = Readings("345p678s99m", melds);
  ASSERT_EQ(readings.size(), 1u);
  EXPECT_EQ(tiles::ToText(readings[0].sets[0].tile), "7z");
  EXPECT_EQ(tiles::ToText(readings[0].sets[1].tile), "2m");
  EXPECT_TRUE(readings[0].sets[1].melded);
  EXPECT_FALSE(readings[0].sets[2].melded);
  EXPECT_EQ(tiles::ToText(readings[0].tiles), "22299m345p678s777z");
}

TEST(ReadingTest, ShapesThatAGameDoesNotPlayAreNotRead) {
  const Shapes standard_only = {};
  EXPECT_TRUE(Readings("1111m2222p3333s44z", {}, {}, standard_only).empty());
  EXPECT_TRUE(Readings("19m19p19s12345677z", {}, {}, standard_only).empty());
  EXPECT_EQ(Readings("19m19p19s12345677z").size(), 1u);
  EXPECT_TRUE(Readings("19m19p18s12345677z").empty());
}

TEST(ReadingTest, AWildTileStandsForAnyTileOrForItself) {
  const Tile white = tiles::kWhite;
  // 5z for 6s or 9s; and a pair of 5z that stands for itself.
  EXPECT_FALSE(Readings("123m456p78s112225z", {}, white).empty());
  const auto readings = Readings("123m456p789s222z55z", {}, white);
  bool itself = false;
  for (const Reading& reading : readings) itself |= reading.pair == white;
  EXPECT_TRUE(itself);
  // A fifth of its kind: 1111m as a pung and the start of 123m, the wild tile the fifth.
  EXPECT_TRUE(IsWin(Counts("1111m23m456p789s5z2z"), {}, white, kAllShapes));
  // Thirteen orphans with a gap, and seven pairs with a single tile.
  EXPECT_TRUE(IsWin(Counts("19m19p19s1234z5z677z"), {}, white, kAllShapes));
  EXPECT_TRUE(IsWin(Counts("1122m3344p5566s7z5z"), {}, white, kAllShapes));
}

TEST(ReadingTest, AgreesWithASlowReader) {
  testing::Random random(1);
  const auto count = testing::Count(2'000'000);
  int wins = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const int melds = random.Below(5);
    const TileCounts tiles = RandomHand(random, 4 - melds, random.Below(3));
    Melds called;
    for (int k = 0; k < melds; ++k) called.push_back(Pung("777z"));
    const bool expected = SlowWin(tiles, melds);
    wins += expected;
    ASSERT_EQ(IsWin(tiles, called, {}, kAllShapes), expected)
        << tiles::ToText(tiles) << " with " << melds << " melds";
  }
  EXPECT_GT(wins, count / 4);
  EXPECT_LT(wins, count * 3 / 4);
}

TEST(ReadingTest, AgreesWithASlowReaderThatTriesEveryKindForAWildTile) {
  testing::Random random(2);
  const auto count = testing::Count(40'000);
  int wins = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const int wild = 1 + random.Below(2);
    const int melds = random.Below(4);
    TileCounts naturals = RandomHand(random, 4 - melds, random.Below(4));
    naturals.Remove(tiles::kWhite, naturals[tiles::kWhite]);
    while (naturals.total() > 14 - 3 * melds - wild) {
      const Tile tile = Tile::At(random.Below(tiles::kKindCount));
      if (naturals.Has(tile)) naturals.Remove(tile);
    }
    const int whites = 14 - 3 * melds - naturals.total();
    if (whites > 2) continue;
    Melds called;
    for (int k = 0; k < melds; ++k) called.push_back(Pung("777z"));
    TileCounts hand = naturals;
    hand.Add(tiles::kWhite, whites);
    const bool expected = SlowWildWin(naturals, whites, melds);
    wins += expected;
    ASSERT_EQ(IsWin(hand, called, tiles::kWhite, kAllShapes), expected) << tiles::ToText(hand);
  }
  EXPECT_GT(wins, 0);
}

// What a reading says adds up to what it was read from.
TEST(ReadingTest, EveryReadingHoldsTheTilesThatItWasReadFrom) {
  testing::Random random(3);
  for (std::int64_t i = 0; i < testing::Count(200'000); ++i) {
    const TileCounts tiles = RandomHand(random, 4, 0);
    ForEachReading(tiles, {}, {}, kAllShapes, [&](const Reading& reading) {
      EXPECT_EQ(reading.tiles, tiles);
      if (reading.shape != Shape::kStandard) return;
      ASSERT_EQ(reading.sets.size(), 4u);
      TileCounts sum;
      sum.Add(reading.pair, 2);
      for (const Set& set : reading.sets) {
        AddTo(sum,
              Meld{set.kind == Set::Kind::kSequence ? MeldKind::kChow : MeldKind::kPung, set.tile});
      }
      EXPECT_EQ(sum, tiles);
    });
  }
}

}  // namespace
}  // namespace mj::rules
