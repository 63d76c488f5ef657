#include "libs/bots/danger.h"

#include <gtest/gtest.h>

#include "libs/round/play_testing.h"
#include "libs/rules/toy_testing.h"
#include "libs/tiles/mpsz.h"

namespace mj::bots {
namespace {

using rules::Seat;
using tiles::Tile;

Tile Of(std::string_view text) { return *tiles::ParseTile(text); }

class DangersTest : public ::testing::Test {
 protected:
  DangersTest() {
    for (const char* tile : {"1p", "2p", "3p", "4p", "5p", "6p", "7p", "8p"}) {
      for (const Seat seat : {Seat::k1, Seat::k2, Seat::k3}) Throw(seat, tile);
    }
  }

  void Throw(Seat seat, std::string_view tile) {
    view_.river.push_back(round::Thrown{seat, Of(tile), std::nullopt});
  }
  void Meld(Seat seat, std::string_view tile) {
    view_.seats[seat].melds.push_back({{tiles::MeldKind::kPung, Of(tile)}, Seat::k0});
  }
  Expected Cost(std::string_view tile) {
    const rules::Options options = rules::DefaultOptions(toy_.options());
    const GoalFinder goals(toy_, options);
    const Sight sight = Look(view_, toy_.play_rules.wall);
    return Dangers(sight, goals).Of(Of(tile));
  }

  rules::ToyGame toy_;
  round::TestRound round_{{.game = &toy_, .hands = {"147m258p369s1234z"}, .draws = "5z"}};
  round::SeatView view_ = Project(round_.setup(), round_.state(), Seat::k0);
};

TEST_F(DangersTest, WhatAllLetGoBySinceTheyLastThrewIsSafe) {
  EXPECT_GT(Cost("5m"), 0);
  Throw(Seat::k0, "5m");
  EXPECT_EQ(Cost("5m"), 0);
  Throw(Seat::k1, "1z");  // who may wait for something else now
  EXPECT_GT(Cost("5m"), 0);
}

TEST_F(DangersTest, TheMiddleIsMoreDangerousThanTheEndAndThanWhatOnesSelfThrew) {
  EXPECT_GT(Cost("5s"), Cost("2s"));
  EXPECT_GT(Cost("2s"), Cost("1s"));
  const Expected before = Cost("5s");
  Throw(Seat::k1, "5s");
  Throw(Seat::k1, "9p");
  EXPECT_LT(Cost("5s"), before);
}

TEST_F(DangersTest, MeldsSayThatAWinIsNear) {
  const Expected before = Cost("5s");
  Meld(Seat::k2, "6s");
  EXPECT_GT(Cost("5s"), before);
}

TEST_F(DangersTest, MeldsOfOneSuitSayWhichTilesAreWanted) {
  Meld(Seat::k2, "6s");
  Meld(Seat::k2, "8s");
  EXPECT_GT(2 * Cost("5s"), 3 * Cost("5m"));
}

TEST_F(DangersTest, WhereNobodyWinsOnADiscardNoneIsDangerous) {
  toy_.discard_refusal = rules::NoWin::kDiscardWinNotAllowed;
  EXPECT_EQ(Cost("5m"), 0);
}

}  // namespace
}  // namespace mj::bots
