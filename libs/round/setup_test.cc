#include "libs/round/setup.h"

#include <gtest/gtest.h>

#include <utility>

#include "libs/rules/toy_testing.h"
#include "libs/tiles/mpsz.h"

namespace mj::round {
namespace {

class SetupTest : public testing::Test {
 protected:
  SetupTest() {
    good_.variant = &toy_;
    for (int copy = 0; copy < tiles::kCopies; ++copy) {
      good_.wall.insert(good_.wall.end(), tiles::kAllKinds.begin(), tiles::kAllKinds.end());
    }
  }
  void ExpectFault(const SetupInput& input, SetupFault fault) {
    const auto setup = MakeSetup(input);
    ASSERT_TRUE(std::holds_alternative<SetupFault>(setup));
    EXPECT_EQ(std::get<SetupFault>(setup), fault);
  }
  static bool IsGood(const SetupInput& input) {
    return std::holds_alternative<round::Setup>(MakeSetup(input));
  }

  rules::ToyGame toy_;
  SetupInput good_;
};

TEST_F(SetupTest, KeepsWhatItIsGiven) {
  good_.dealer = rules::Seat::k3;
  good_.dice = {6, 1};
  const auto made = MakeSetup(good_);
  const auto& setup = std::get<round::Setup>(made);
  EXPECT_EQ(&setup.variant(), &toy_);
  EXPECT_EQ(setup.deal().dealer, rules::Seat::k3);
  EXPECT_EQ(setup.dice(), (Dice{6, 1}));
  EXPECT_EQ(setup.wall(), good_.wall);
}

TEST_F(SetupTest, NeedsAGame) {
  good_.variant = nullptr;
  ExpectFault(good_, SetupFault::kNoVariant);
}

TEST_F(SetupTest, DiceHaveSixFaces) {
  for (const Dice& dice : {Dice{0, 1}, Dice{1, 0}, Dice{7, 1}, Dice{1, 255}}) {
    good_.dice = dice;
    ExpectFault(good_, SetupFault::kDice);
  }
}

// D-COM-1: E, S, W, N counter-clockwise from whoever is East.
TEST_F(SetupTest, WindsAreDealtInTurnWhereTheGameHasThem) {
  using rules::PerSeat;
  using rules::Tile;
  const PerSeat<Tile> dealt(std::array{tiles::kNorth, tiles::kEast, tiles::kSouth, tiles::kWest});
  SetupInput winds = good_;
  winds.round_wind = tiles::kWest;
  winds.seat_winds = dealt;
  ExpectFault(winds, SetupFault::kWinds);  // in a game without

  toy_.play_rules.winds = true;
  EXPECT_TRUE(IsGood(winds));
  ExpectFault(good_, SetupFault::kWinds);
  SetupInput wrong = winds;
  wrong.round_wind = tiles::kRed;
  ExpectFault(wrong, SetupFault::kWinds);
  wrong = winds;
  wrong.seat_winds.reset();
  ExpectFault(wrong, SetupFault::kWinds);
  wrong = winds;
  std::swap((*wrong.seat_winds)[rules::Seat::k0], (*wrong.seat_winds)[rules::Seat::k2]);
  ExpectFault(wrong, SetupFault::kWinds);
  wrong = winds;
  wrong.seat_winds =
      PerSeat<Tile>(std::array{tiles::kWhite, tiles::kRed, tiles::kGreen, tiles::kWhite});
  ExpectFault(wrong, SetupFault::kWinds);
}

TEST_F(SetupTest, TheWallIsExactlyTheGames) {
  SetupInput wall = good_;
  wall.wall.pop_back();
  ExpectFault(wall, SetupFault::kWall);
  wall.wall.push_back(tiles::kEast);  // a fifth, and a red dragon missing
  ExpectFault(wall, SetupFault::kWall);
  wall = good_;
  wall.wall.push_back(tiles::kEast);
  ExpectFault(wall, SetupFault::kWall);
  // 256 more of a kind come to the same count in a byte.
  wall = good_;
  wall.wall.insert(wall.wall.end(), 256, tiles::kEast);
  ExpectFault(wall, SetupFault::kWall);
  wall.wall.clear();
  ExpectFault(wall, SetupFault::kWall);
}

TEST_F(SetupTest, AFixedWildKindIsAFactOfTheDeal) {
  toy_.play_rules.wild = rules::WildMode::kFixed;
  toy_.play_rules.fixed_wild = tiles::kWhite;
  EXPECT_EQ(std::get<round::Setup>(MakeSetup(good_)).deal().wild, tiles::kWhite);
  toy_.play_rules.wild = rules::WildMode::kFlipped;
  EXPECT_EQ(std::get<round::Setup>(MakeSetup(good_)).deal().wild, std::nullopt);
}

}  // namespace
}  // namespace mj::round
