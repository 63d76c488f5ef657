#include "libs/rules/reading.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "libs/rules/hands_testing.h"
#include "libs/rules/plain_testing.h"
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

// -------------------------------------------------------- held against the textbook's way

TileCounts ManyOfEach() {
  TileCounts wall;
  for (Tile tile : tiles::kAllKinds) wall.Add(tile, 8);
  return wall;
}

Melds RandomMelds(testing::Random& random, int count) {
  Melds melds;
  for (int i = 0; i < count; ++i) {
    const Tile tile = Tile::At(random.Below(tiles::kKindCount));
    const auto kind = static_cast<MeldKind>(random.Below(5));
    const bool chow = kind == MeldKind::kChow;
    melds.push_back(
        {.meld = {chow && !tile.starts_chow() ? MeldKind::kPung : kind, tile}, .from = Seat::k1});
  }
  return melds;
}

// `count` of the tiles made wild, any ones.
TileCounts WithoutSome(testing::Random& random, TileCounts tiles, int count) {
  while (count > 0) {
    const Tile tile = Tile::At(random.Below(tiles::kKindCount));
    if (!tiles.Has(tile)) continue;
    tiles.Remove(tile);
    --count;
  }
  return tiles;
}

TEST(ReadingTest, IsAWinWhereTheTextbookFindsOne) {
  HandMaker maker(1, FullWall(), kAllShapes);
  testing::Random random(1);
  for (std::int64_t i = 0; i < testing::Count(2'000'000); ++i) {
    const int melds = random.Below(5);
    const bool wins = random.OneIn(2);
    const TileCounts tiles = wins ? maker.Winning(melds) : maker.NearMiss(melds);
    ASSERT_EQ(IsWin(tiles, RandomMelds(random, melds), {}, kAllShapes), wins)
        << tiles::ToText(tiles) << " with " << melds << " melds";
  }
}

TEST(ReadingTest, IsAWinWithAnyNumberOfAKind) {
  HandMaker maker(2, ManyOfEach(), kAllShapes);
  testing::Random random(2);
  for (std::int64_t i = 0; i < testing::Count(400'000); ++i) {
    const int melds = random.Below(3);
    const bool wins = random.OneIn(2);
    const TileCounts tiles = wins ? maker.Winning(melds) : maker.NearMiss(melds);
    ASSERT_EQ(IsWin(tiles, RandomMelds(random, melds), {}, kAllShapes), wins)
        << tiles::ToText(tiles) << " with " << melds << " melds";
  }
}

TEST(ReadingTest, AnswersForEachShapeAlone) {
  HandMaker maker(3, FullWall(), kAllShapes);
  testing::Random random(3);
  for (std::int64_t i = 0; i < testing::Count(400'000); ++i) {
    const Shapes shapes = {.standard = random.OneIn(2),
                           .seven_pairs = random.OneIn(2),
                           .thirteen_orphans = random.OneIn(2)};
    const TileCounts tiles = random.OneIn(2) ? maker.Winning() : maker.NearMiss();
    ASSERT_EQ(IsWin(tiles, {}, {}, shapes), plain::IsWin(tiles, 0, shapes)) << tiles::ToText(tiles);
  }
}

TEST(ReadingTest, IsAWinWithWildTilesWhereTheTextbookFindsOne) {
  HandMaker maker(4, FullWall(), kAllShapes);
  testing::Random random(4);
  int wins = 0;
  const auto count = testing::Count(40'000);
  for (std::int64_t i = 0; i < count; ++i) {
    const int wild = 1 + random.Below(2);
    const int melds = random.Below(4);
    TileCounts naturals = random.OneIn(3) ? maker.Winning(melds) : maker.NearMiss(melds);
    naturals.Remove(tiles::kWhite, naturals[tiles::kWhite]);
    const int whites = 14 - 3 * melds - naturals.total();
    if (whites > wild) continue;
    naturals = WithoutSome(random, naturals, wild - whites);
    TileCounts hand = naturals;
    hand.Add(tiles::kWhite, wild);
    const bool expected = plain::IsWinWithWild(naturals, wild, melds, kAllShapes);
    wins += expected;
    ASSERT_EQ(IsWin(hand, RandomMelds(random, melds), tiles::kWhite, kAllShapes), expected)
        << tiles::ToText(hand) << " with " << melds << " melds";
  }
  EXPECT_GT(wins, count / 20);
  EXPECT_LT(wins, count);
}

// What a reading says adds up to what it was read from.
TEST(ReadingTest, EveryReadingHoldsTheTilesThatItWasReadFrom) {
  HandMaker maker(5, FullWall(), kAllShapes);
  for (std::int64_t i = 0; i < testing::Count(200'000); ++i) {
    const TileCounts tiles = maker.Winning();
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
