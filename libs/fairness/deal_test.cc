#include "libs/fairness/deal.h"

#include <gtest/gtest.h>

#include "libs/fairness/fairness_testing.h"

namespace mj::fairness {
namespace {

tiles::TileCounts CountsOf(const Wall& wall) {
  tiles::TileCounts counts;
  for (tiles::Tile tile : wall) counts.Add(tile);
  return counts;
}

TEST(DealTest, AWallIsExactlyTheGamesTiles) {
  tiles::TileCounts without_characters = FullSet();
  for (int rank = 1; rank <= 9; ++rank) {
    without_characters.Remove(tiles::Tile::Of(tiles::Suit::kCharacters, rank), 4);
  }
  tiles::TileCounts with_terminals = without_characters;
  with_terminals.Add(tiles::Tile::At(0), 4);
  with_terminals.Add(tiles::Tile::At(8), 4);
  tiles::TileCounts one;
  one.Add(tiles::kRed);

  for (const tiles::TileCounts& set :
       {FullSet(), with_terminals, without_characters, one, tiles::TileCounts()}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Wall wall = ShuffleWall(set, Digest{}, TestSeed(seed));
      EXPECT_EQ(CountsOf(wall), set);
      EXPECT_EQ(wall, ShuffleWall(set, Digest{}, TestSeed(seed)));
    }
  }
}

TEST(DealTest, SeedAndContextBothDecide) {
  Digest other_context{};
  other_context[31] = 1;
  const Wall wall = ShuffleWall(FullSet(), Digest{}, TestSeed(1));
  EXPECT_NE(wall, ShuffleWall(FullSet(), Digest{}, TestSeed(2)));
  EXPECT_NE(wall, ShuffleWall(FullSet(), other_context, TestSeed(1)));
}

TEST(DealTest, DiceDealerAndWindsStayInRange) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Dice dice = RollDice(Digest{}, TestSeed(seed));
    EXPECT_TRUE(1 <= dice.first && dice.first <= 6 && 1 <= dice.second && dice.second <= 6);
    const int dealer = DrawDealer(Digest{}, TestSeed(seed));
    EXPECT_TRUE(0 <= dealer && dealer < 4);
  }
}

TEST(DealTest, WindsFollowEastCounterClockwise) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const SeatWinds winds = DrawWinds(Digest{}, TestSeed(seed));
    for (std::size_t seat = 0; seat < kSeats; ++seat) {
      EXPECT_EQ(winds[(seat + 1) % kSeats], tiles::NextInSequence(winds[seat]));
      EXPECT_TRUE(winds[seat].is_wind());
    }
  }
}

}  // namespace
}  // namespace mj::fairness
