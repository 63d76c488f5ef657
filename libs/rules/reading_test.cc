#include "libs/rules/reading.h"

#include <gtest/gtest.h>

#include <algorithm>
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

// Readings in which there is more of a kind than the set holds: only wild tiles make them.
TEST(ReadingTest, WildTilesMakeMoreThanFourOfAKind) {
  const Tile one = Tile::At(0);
  const auto most_ones = [&](const std::string& concealed) {
    int most = 0;
    for (const Reading& reading : Readings(concealed, {}, tiles::kWhite)) {
      most = std::max(most, reading.tiles[one]);
    }
    return most;
  };
  EXPECT_EQ(most_ones("1111m234p567p789s5z"), 5);  // 111m and a pair 1m 5z
  EXPECT_EQ(most_ones("1111m22z567p789s55z"), 6);  // two triplets
  EXPECT_EQ(most_ones("1111m567p789s5555z"), 8);   // two triplets and the pair
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

// Both sides' readings: the same ones, each once.
void ExpectSameReadings(const TileCounts& naturals, int wild, const Melds& melds) {
  // The wild kind is one that stands nowhere among the natural tiles.
  Tile white = tiles::kWhite;
  while (naturals.Has(white)) white = Tile::At(white.index() - 1);
  TileCounts hand = naturals;
  hand.Add(white, wild);
  std::vector<Reading> expected = plain::Readings(naturals, wild, melds, kAllShapes);
  ForEachReading(hand, melds, white, kAllShapes, [&](const Reading& reading) {
    const auto found = std::find(expected.begin(), expected.end(), reading);
    ASSERT_NE(found, expected.end())
        << tiles::ToText(reading.tiles) << " of " << tiles::ToText(naturals) << " and " << wild;
    expected.erase(found);
  });
  EXPECT_TRUE(expected.empty()) << tiles::ToText(naturals) << " and " << wild << " wild";
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

TEST(ReadingTest, ReadsAsTheTextbookDoes) {
  HandMaker maker(5, FullWall(), kAllShapes);
  testing::Random random(5);
  for (std::int64_t i = 0; i < testing::Count(200'000); ++i) {
    const int melds = random.Below(5);
    const TileCounts tiles = random.OneIn(4) ? maker.NearMiss(melds) : maker.Winning(melds);
    ExpectSameReadings(tiles, 0, RandomMelds(random, melds));
  }
}

TEST(ReadingTest, ReadsAnyNumberOfAKind) {
  HandMaker maker(6, ManyOfEach(), kAllShapes);
  testing::Random random(6);
  for (std::int64_t i = 0; i < testing::Count(20'000); ++i) {
    const int melds = random.Below(3);
    ExpectSameReadings(maker.Winning(melds), 0, RandomMelds(random, melds));
  }
}

TEST(ReadingTest, ReadsWildTilesAsTheTextbookDoes) {
  HandMaker maker(7, FullWall(), kAllShapes);
  testing::Random random(7);
  for (std::int64_t i = 0; i < testing::Count(20'000); ++i) {
    const int melds = random.Below(4);
    // A third wild tile takes the textbook 7,140 tries, a fourth 66,045.
    const int wild = random.OneIn(100) ? 3 : 1 + random.Below(2);
    const TileCounts tiles = random.OneIn(4) ? maker.NearMiss(melds) : maker.Winning(melds);
    ExpectSameReadings(WithoutSome(random, tiles, wild), wild, RandomMelds(random, melds));
  }
}

// Hands that no wall deals, with wild tiles: no input comes so far, but nothing may break on it.
TEST(ReadingTest, ReadsAnyNumberOfAKindWithWildTiles) {
  HandMaker maker(9, ManyOfEach(), kAllShapes);
  testing::Random random(9);
  for (std::int64_t i = 0; i < testing::Count(2'000); ++i) {
    const int melds = random.Below(3);
    const int wild = 1 + random.Below(2);
    ExpectSameReadings(WithoutSome(random, maker.Winning(melds), wild), wild,
                       RandomMelds(random, melds));
  }
  TileCounts ten;
  ten.Add(Tile::At(0), 10);
  ExpectSameReadings(ten, 4, {});
}

TEST(ReadingTest, ReadsFourWildTilesAsTheTextbookDoes) {
  HandMaker maker(8, FullWall(), kAllShapes);
  testing::Random random(8);
  for (std::int64_t i = 0; i < testing::Count(200); ++i) {
    const int melds = random.Below(4);
    ExpectSameReadings(WithoutSome(random, maker.Winning(melds), 4), 4, RandomMelds(random, melds));
  }
}

}  // namespace
}  // namespace mj::rules
