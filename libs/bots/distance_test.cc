#include "libs/bots/distance.h"

#include <gtest/gtest.h>

#include <vector>

#include "libs/tiles/mpsz.h"
#include "tests/support/counts.h"
#include "tests/support/random.h"

namespace mj::bots {
namespace {

using tiles::Tile;
using tiles::TileCounts;

constexpr rules::Shapes kAll = {.standard = true, .seven_pairs = true, .thirteen_orphans = true};
constexpr rules::Shapes kStandard = {
    .standard = true, .seven_pairs = false, .thirteen_orphans = false};

TileCounts Counts(std::string_view text) { return *tiles::ParseCounts(text); }

TEST(DistancesTest, HandsFromABook) {
  struct Case {
    std::string_view concealed;
    int melds;
    rules::Shapes shapes;
    int missing;
  };
  const Case cases[] = {
      {"123456789m11122z", 0, kStandard, 0},
      {"123456789m1112z", 0, kStandard, 1},
      {"123456789m1124z", 0, kStandard, 2},
      {"147m258p369s1234z", 0, kStandard, 9},
      {"147m258p369s1234z", 0, kAll, 7},  // towards seven pairs or orphans
      {"1122335577m114p", 0, kStandard, 2},
      {"1122335577m114p", 0, kAll, 1},
      {"19m19p19s1234567z", 0, kAll, 1},
      {"19m19p19s123456z1z", 0, kAll, 1},
      {"19m19p19s1234567z7z", 0, kAll, 0},
      {"5z", 4, kStandard, 1},
      {"55z", 4, kStandard, 0},
      {"45m55z", 3, kStandard, 1},
      {"46m5z6z", 3, kStandard, 2},
      {"1111m", 3, kStandard, 2},
      {"1111222233334m", 0, kStandard, 1},
  };
  Distances distances;
  for (const Case& test : cases) {
    EXPECT_EQ(distances.Missing(Counts(test.concealed), test.melds, std::nullopt, test.shapes),
              test.missing)
        << test.concealed;
  }
}

// A kind of which all four are held cannot be the pair as well as the triplet.
TEST(DistancesTest, NeverAFifthOfAKind) {
  Distances distances;
  EXPECT_EQ(distances.Missing(Counts("1111z"), 3, std::nullopt, kStandard), 2);
  EXPECT_EQ(distances.Missing(Counts("1111z"), 3, Tile(tiles::kRed), kStandard), 1) << "a wild one";
  EXPECT_EQ(distances.Missing(Counts("111z7z"), 3, Tile(tiles::kRed), kStandard), 1);
}

TEST(DistancesTest, WildTilesStandForWhatIsMissing) {
  Distances distances;
  const std::optional<Tile> wild = tiles::kWhite;
  EXPECT_EQ(distances.Missing(Counts("123456789m1112z5z"), 0, wild, kStandard), 0);
  EXPECT_EQ(distances.Missing(Counts("123456789m115z5z"), 0, wild, kStandard), 1);
  EXPECT_EQ(distances.Missing(Counts("147m258p369s5555z"), 0, wild, kStandard), 5);
  EXPECT_EQ(distances.Missing(Counts("147m258p369s5555z"), 0, wild, kAll), 1 + 7 - 5);
}

TEST(DistancesTest, OfSequencesOrTripletsAlone) {
  struct Case {
    std::string_view concealed;
    int melds;
    Sets sets;
    int missing;
  };
  const Case cases[] = {
      {"123456789m11122z", 0, Sets::kAny, 0},
      {"123456789m11122z", 0, Sets::kSequences, 3},
      {"123456789m11122z", 0, Sets::kTriplets, 6},
      {"111222333m11122z", 0, Sets::kTriplets, 0},
      {"111222333m11122z", 0, Sets::kSequences, 4},
      {"55z", 4, Sets::kTriplets, 0},
      {"123m55z", 3, Sets::kTriplets, 2},
      {"555m55z", 3, Sets::kSequences, 2},
      // Fewer tiles than a hand has: what is not there is missing.
      {"123m", 0, Sets::kAny, 11},
      {"", 0, Sets::kAny, 14},
  };
  Distances distances;
  for (const Case& test : cases) {
    EXPECT_EQ(
        Nearby(distances, Counts(test.concealed), test.melds, std::nullopt, kStandard, test.sets)
            .Missing(),
        test.missing)
        << test.concealed;
  }
}

// Deals a hand that has some shape: whole sets, then tiles from anywhere.
struct RandomHand {
  TileCounts concealed;
  int melds = 0;
};
RandomHand Draw(testing::Random& random, int tiles_in_all, std::optional<Tile> wild) {
  RandomHand hand;
  hand.melds = random.Below(4);
  TileCounts rest;
  for (Tile tile : tiles::kAllKinds) rest.Add(tile, tiles::kCopies);
  const auto take = [&](Tile tile, int n) {
    if (!rest.Has(tile, n) || hand.concealed.total() + 3 * hand.melds + n > tiles_in_all) return;
    rest.Remove(tile, n);
    hand.concealed.Add(tile, n);
  };
  if (wild && random.OneIn(2)) take(*wild, 1 + random.Below(3));
  for (int sets = random.Below(5); sets > 0; --sets) {
    const Tile tile = Tile::At(random.Below(tiles::kKindCount));
    if (random.OneIn(2) || !tile.starts_chow()) {
      take(tile, 2 + random.Below(2));
    } else {
      for (int i = 0; i < 3; ++i) take(Tile::At(tile.index() + i), 1);
    }
  }
  // Half of the hands keep to one suit, where the readings are many.
  const bool narrow = random.OneIn(2);
  while (hand.concealed.total() + 3 * hand.melds < tiles_in_all) {
    take(Tile::At(random.Below(narrow ? 9 : tiles::kKindCount)), 1);
  }
  return hand;
}

rules::Melds SomeMelds(int n) {
  rules::Melds melds;
  for (int i = 0; i < n; ++i) {
    melds.push_back({{tiles::MeldKind::kPung, tiles::kEast}, rules::Seat::k1});
  }
  return melds;
}

// The distance is the least number of draws, by definition; each of its properties is checked
// against the reader of winning hands, which knows nothing of it:
//   a hand of 14 misses nothing exactly when it wins;
//   a hand of 13 misses one more than the best hand that one more tile can make of it;
//   a hand of 14 that does not win misses what the best hand of 13 within it misses.
void ExpectDefinitionHolds(std::optional<Tile> wild, std::uint64_t seed) {
  Distances distances;
  testing::Random random(seed);
  const std::int64_t count = testing::Count(200'000);
  int wins = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const RandomHand fourteen = Draw(random, 14, wild);
    const auto missing = [&](const TileCounts& concealed, int melds) {
      return distances.Missing(concealed, melds, wild, kAll);
    };
    const int whole = missing(fourteen.concealed, fourteen.melds);
    const std::string text = tiles::ToText(fourteen.concealed);
    const bool won = rules::IsWin(fourteen.concealed, SomeMelds(fourteen.melds), wild, kAll);
    ASSERT_EQ(whole == 0, won) << text;
    wins += won ? 1 : 0;

    int best = 99;
    const Nearby whole_hand(distances, fourteen.concealed, fourteen.melds, wild, kAll);
    ASSERT_EQ(whole_hand.Missing(), whole) << text;
    for (Tile tile : tiles::kAllKinds) {
      if (!fourteen.concealed.Has(tile)) continue;
      TileCounts thirteen = fourteen.concealed;
      thirteen.Remove(tile);
      const int without = missing(thirteen, fourteen.melds);
      ASSERT_EQ(whole_hand.Without(tile), without) << text << " " << tiles::ToText(tile);
      best = std::min(best, without);
    }
    ASSERT_EQ(won ? 1 : whole, best) << text;

    const RandomHand thirteen = Draw(random, 13, wild);
    // Who holds all wild tiles draws no further one, and so no fifth of a kind either.
    if (wild && thirteen.concealed.Has(*wild, tiles::kCopies)) continue;
    int next = 99;
    const Nearby around(distances, thirteen.concealed, thirteen.melds, wild, kAll);
    for (Tile tile : tiles::kAllKinds) {
      if (thirteen.concealed.Has(tile, tiles::kCopies)) continue;
      TileCounts drawn = thirteen.concealed;
      drawn.Add(tile);
      const int with = missing(drawn, thirteen.melds);
      ASSERT_EQ(around.With(tile), with)
          << tiles::ToText(thirteen.concealed) << " " << tiles::ToText(tile);
      next = std::min(next, with);
    }
    ASSERT_EQ(missing(thirteen.concealed, thirteen.melds), next + 1)
        << tiles::ToText(thirteen.concealed);
  }
  EXPECT_GT(wins, 0);
}

TEST(DistancesTest, IsTheLeastNumberOfDraws) { ExpectDefinitionHolds(std::nullopt, 1); }
TEST(DistancesTest, IsTheLeastNumberOfDrawsWithWildTiles) {
  ExpectDefinitionHolds(tiles::kWhite, 2);
}

}  // namespace
}  // namespace mj::bots
