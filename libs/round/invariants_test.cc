// The checks themselves: each breach is found.
#include "libs/round/invariants.h"

#include <gtest/gtest.h>

#include "libs/round/play_testing.h"
#include "libs/rules/toy_testing.h"
#include "libs/tiles/mpsz.h"

namespace mj::round {
namespace {

class InvariantsTest : public testing::Test {
 protected:
  InvariantsTest()
      : round_({.game = &toy_, .hands = {"1111m", "55m"}, .draws = "5m", .back = "6z"}) {
    round_.Play("0 kong concealed 1m");
    broken_ = round_.state();
  }
  std::optional<Breach> Found() const { return CheckInvariants(round_.setup(), broken_); }

  rules::ToyGame toy_;
  TestRound round_;
  State broken_;
};

TEST_F(InvariantsTest, HoldInARoundThatIsPlayed) { EXPECT_EQ(Found(), std::nullopt); }
TEST_F(InvariantsTest, HoldBeforeItBegins) {
  EXPECT_EQ(CheckInvariants(round_.setup(), State{}), std::nullopt);
}

TEST_F(InvariantsTest, FindALostAndADoubledTile) {
  broken_.seats[Seat::k0].hand.concealed.Remove(*tiles::ParseTile("5m"));
  EXPECT_EQ(Found(), Breach::kTileLost);
  broken_.seats[Seat::k0].hand.concealed.Add(*tiles::ParseTile("5m"), 2);
  EXPECT_EQ(Found(), Breach::kTileLost);
}

TEST_F(InvariantsTest, FindAWallThatDoesNotAddUp) {
  ++broken_.left;
  EXPECT_EQ(Found(), Breach::kWallCount);
}

TEST_F(InvariantsTest, FindAHandOfTheWrongSize) {
  broken_.seats[Seat::k0].hand.concealed.Remove(*tiles::ParseTile("5m"));
  broken_.seats[Seat::k1].hand.concealed.Add(*tiles::ParseTile("5m"));
  EXPECT_EQ(Found(), Breach::kHandSize);
}

TEST_F(InvariantsTest, FindWhoIsAskedOutOfTurn) {
  broken_.seats[Seat::k2].open = Offer{};
  EXPECT_EQ(Found(), Breach::kAsk);
}

TEST_F(InvariantsTest, FindAKongThatIsNoMeld) {
  broken_.kongs[0].tile = *tiles::ParseTile("2m");
  EXPECT_EQ(Found(), Breach::kKongs);
  broken_.kongs.clear();
  EXPECT_EQ(Found(), Breach::kKongs);
}

}  // namespace
}  // namespace mj::round
