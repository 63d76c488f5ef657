#include "libs/rules/waits.h"

#include <gtest/gtest.h>

#include <string>

#include "libs/rules/hands_testing.h"
#include "libs/rules/toy_testing.h"
#include "libs/tiles/mpsz.h"
#include "tests/support/counts.h"
#include "tests/support/random.h"

namespace mj::rules {
namespace {

KindMask Kinds(const char* text) {
  KindMask kinds = 0;
  const auto listed = tiles::ParseTiles(text);
  for (Tile tile : listed.value()) kinds |= MaskOf(tile);
  return kinds;
}

constexpr Shapes kAllShapes = {.standard = true, .seven_pairs = true, .thirteen_orphans = true};

KindMask WaitsOf(const char* concealed, std::optional<Tile> wild = {}, Shapes shapes = kAllShapes) {
  return KindsWaitedFor(*tiles::ParseCounts(concealed), {}, wild, shapes);
}

TEST(WaitsTest, OfEveryShape) {
  EXPECT_EQ(WaitsOf("23m456p789s11222z"), Kinds("14m"));
  EXPECT_EQ(WaitsOf("1112345678999m"), Kinds("123456789m"));
  EXPECT_EQ(WaitsOf("11m22p456p789s222z"), Kinds("1m2p"));  // two pairs, in two suits
  EXPECT_EQ(WaitsOf("1122m3344p5566s7z"), Kinds("7z"));
  EXPECT_EQ(WaitsOf("19m19p19s1234567z"), Kinds("19m19p19s1234567z"));
  EXPECT_EQ(WaitsOf("19m19p19s1234566z"), Kinds("7z"));
  EXPECT_EQ(WaitsOf("23m456p789s11223z"), 0u);
  EXPECT_EQ(WaitsOf("1122m3344p5566s7z", {}, {}), 0u) << "where no pairs are played";
}

TEST(WaitsTest, AFifthOfAKindIsNotWaitedFor) {
  EXPECT_EQ(WaitsOf("1111m456p789s222z"), 0u);
  EXPECT_EQ(WaitsOf("1111z456p789s222z"), 0u);
}

TEST(WaitsTest, WithAWildTile) {
  // The pair is made by anything.
  EXPECT_EQ(WaitsOf("123m456p789s222z5z", tiles::kWhite), (KindMask{1} << 34) - 1);
}

TEST(WaitsTest, AreTheKindsThatComplete) {
  HandMaker maker(1, FullWall(), kAllShapes);
  testing::Random random(1);
  std::int64_t waits = 0;
  const auto count = testing::Count(400'000);
  for (std::int64_t i = 0; i < count; ++i) {
    const int melds = random.Below(5);
    Melds called;
    for (int k = 0; k < melds; ++k) {
      called.push_back({.meld = {MeldKind::kPung, tiles::kRed}, .from = Seat::k1});
    }
    TileCounts hand = random.OneIn(3) ? maker.NearMiss(melds) : maker.Winning(melds);
    const std::optional<Tile> wild = random.OneIn(4) ? std::optional(tiles::kNorth) : std::nullopt;
    for (;;) {
      const Tile tile = Tile::At(random.Below(tiles::kKindCount));
      if (!hand.Has(tile)) continue;
      hand.Remove(tile);
      break;
    }
    KindMask expected = 0;
    for (Tile tile : tiles::kAllKinds) {
      if (hand[tile] == tiles::kCopies) continue;
      hand.Add(tile);
      if (IsWin(hand, called, wild, kAllShapes)) expected |= MaskOf(tile);
      hand.Remove(tile);
    }
    ASSERT_EQ(KindsWaitedFor(hand, called, wild, kAllShapes), expected) << tiles::ToText(hand);
    waits += expected != 0;
  }
  EXPECT_GT(waits, count / 4);
}

// A robbed kong is made of all four: one who holds any of them waits for no such kong, and wild
// tiles never make one.
TEST(WaitFinderTest, AKongOfATileThatOneHoldsCannotBeRobbed) {
  const ToyGame game;
  const auto robbed = [&](const char* concealed, const Deal& deal) {
    std::string tiles;
    const Hand hand{.concealed = *tiles::ParseCounts(concealed), .melds = {}};
    WaitFinder(game, DefaultOptions(game.options()), deal)
        .ForEach(Seat::k0, hand, {}, [&](const Wait& wait) {
          EXPECT_TRUE(wait.by_self_draw && wait.by_discard) << tiles::ToText(wait.tile);
          if (wait.by_robbed_kong) tiles += tiles::ToText(wait.tile) + " ";
        });
    return tiles;
  };
  EXPECT_EQ(robbed("111222333m44p78s", {}), "6s 9s ");
  EXPECT_EQ(robbed("111222333m44p55z", {}), "");  // 4p and 5z are held
  Deal wild;
  wild.wild = tiles::ParseTile("6s");
  EXPECT_EQ(robbed("111222333m44p78s", wild), "9s ");
}

}  // namespace
}  // namespace mj::rules
