#include "libs/rules/completing.h"

#include <gtest/gtest.h>

#include "libs/rules/hands_testing.h"
#include "libs/tiles/mpsz.h"
#include "tests/support/counts.h"

namespace mj::rules {
namespace {

constexpr Shapes kStandard = {.standard = true, .seven_pairs = false, .thirteen_orphans = false};
constexpr Shapes kPairs = {.standard = false, .seven_pairs = true, .thirteen_orphans = false};
constexpr Shapes kAll = {.standard = true, .seven_pairs = true, .thirteen_orphans = true};

std::string Completing(std::string_view hand, const Shapes& shapes, int melds = 0,
                       const std::optional<Tile>& wild = std::nullopt) {
  Melds some;
  for (int i = 0; i < melds; ++i) some.push_back({{MeldKind::kPung, tiles::kEast}, Seat::k1});
  const std::uint64_t kinds = CompletingKinds(*tiles::ParseCounts(hand), some, wild, shapes);
  TileCounts counts;
  for (Tile tile : tiles::kAllKinds) {
    if ((kinds >> tile.index() & 1) != 0) counts.Add(tile);
  }
  return tiles::ToText(counts);
}

TEST(CompletingTest, TheWaitsOfAHand) {
  EXPECT_EQ(Completing("123m456p78s11222z", kStandard), "69s");
  EXPECT_EQ(Completing("123m456p789s1122z", kStandard), "12z");
  EXPECT_EQ(Completing("123m456p789s1112z", kStandard), "2z");
  EXPECT_EQ(Completing("1112345678999m", kStandard), "123456789m");
  EXPECT_EQ(Completing("147m258p369s1234z", kStandard), "");
  EXPECT_EQ(Completing("78s11z", kStandard, 3), "69s");
  EXPECT_EQ(Completing("5z", kStandard, 4), "5z");
}

TEST(CompletingTest, NeverAFifthOfAKind) {
  EXPECT_EQ(Completing("1111m123p456p789p", kStandard), "");
  EXPECT_EQ(Completing("2222m13m456p789s77z", kStandard), "");
}

TEST(CompletingTest, OtherShapesOnlyWhereTheyArePlayedAndWithoutMelds) {
  EXPECT_EQ(Completing("1133m55779p2244s6z", kPairs), "");
  EXPECT_EQ(Completing("1133m5577p22446s66z", kPairs), "6s");
  EXPECT_EQ(Completing("1133m5577p22446s66z", kStandard), "");
  EXPECT_EQ(Completing("1113m5577p2244s66z", kPairs), "");
  EXPECT_EQ(Completing("1133m446s", kPairs, 2), "");
  EXPECT_EQ(Completing("19m19p19s1234567z", kStandard), "");
  EXPECT_EQ(Completing("19m19p19s1234567z", kAll), "19m19p19s1234567z");
}

TEST(CompletingTest, WithAWildTileItMayBeAny) {
  EXPECT_EQ(Completing("147m258p369s1235z", kAll, 0, tiles::kWhite),
            "123456789m123456789p123456789s1234567z");
  EXPECT_EQ(Completing("147m258p369s1234z", kAll, 0, tiles::kWhite), "5z");
}

// Nothing outside of it completes the hand, and nothing in it fails to where it is said to be exact.
TEST(CompletingTest, AgreesWithIsWin) {
  const std::int64_t count = testing::Count(100'000);
  HandMaker maker(29, FullWall(), kAll);
  testing::Random random(31);
  for (std::int64_t i = 0; i < count; ++i) {
    const int melds = static_cast<int>(i % 5);
    TileCounts hand = random.OneIn(2) ? maker.Winning(melds) : maker.NearMiss(melds);
    Tile gone;
    do {
      gone = Tile::At(random.Below(tiles::kKindCount));
    } while (!hand.Has(gone));
    hand.Remove(gone);
    Melds some;
    for (int meld = 0; meld < melds; ++meld) {
      some.push_back({{MeldKind::kPung, tiles::kEast}, Seat::k1});
    }
    bool middle = false;
    for (Tile tile : tiles::kAllKinds) {
      middle = middle || (hand.Has(tile) && !tile.is_terminal_or_honour());
    }
    for (const std::optional<Tile>& wild : {std::optional<Tile>(), std::optional(tiles::kWhite)}) {
      const std::uint64_t kinds = CompletingKinds(hand, some, wild, kAll);
      const bool exact = middle && !(wild && hand.Has(*wild));
      for (Tile tile : tiles::kAllKinds) {
        if (hand.Has(tile, tiles::kCopies) || tile == wild) continue;
        TileCounts whole = hand;
        whole.Add(tile);
        const bool wins = IsWin(whole, some, wild, kAll);
        const bool has = (kinds >> tile.index() & 1) != 0;
        ASSERT_TRUE(has || !wins) << tiles::ToText(hand) << " " << tiles::ToText(tile);
        ASSERT_TRUE(wins || !has || !exact) << tiles::ToText(hand) << " " << tiles::ToText(tile);
      }
    }
  }
}

}  // namespace
}  // namespace mj::rules
