#include "libs/bots/goals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

#include "libs/rules/score.h"
#include "libs/rules/toy_testing.h"
#include "libs/tiles/mpsz.h"
#include "libs/variants/registry.h"

namespace mj::bots {
namespace {

using rules::Melds;
using rules::Seat;
using tiles::MeldKind;
using tiles::Tile;

rules::Deal DealOf(const rules::Variant& game) {
  rules::Deal deal;
  if (game.play(rules::DefaultOptions(game.options())).winds) {
    deal.round_wind = tiles::kEast;
    deal.seat_winds.emplace(std::array{tiles::kEast, tiles::kSouth, tiles::kWest, tiles::kNorth});
  }
  return deal;
}

Goals GoalsOf(const rules::Variant& game, const Melds& melds = {}) {
  return GoalFinder(game, rules::DefaultOptions(game.options())).For(DealOf(game), Seat::k1, melds);
}

// The toy pays 1 for whatever wins, 2 for sequences alone, 3 for one suit, 4 for triplets alone, from
// each of three.
TEST(GoalsTest, EachSortBringsWhatTheGamePaysForIt) {
  const rules::ToyGame toy;
  const Goals goals = GoalsOf(toy);
  EXPECT_EQ(goals[0].self_drawn, 3);
  EXPECT_EQ(goals[0].on_discard, 1);
  EXPECT_EQ(goals[1].sets, Sets::kSequences);
  EXPECT_EQ(goals[1].self_drawn, 6);
  EXPECT_EQ(goals[2].sets, Sets::kTriplets);
  EXPECT_EQ(goals[2].self_drawn, 12);
}

// Free, sequences, triplets, pairs, orphans; of each suit a free hand and pairs. Not what keeps to one suit
// and honours, which pays nothing by itself, nor triplets of one suit, which pay as triplets.
TEST(GoalsTest, WhatPaysNoMoreIsNoGoalOfItsOwn) {
  const rules::ToyGame toy;
  const Goals goals = GoalsOf(toy);
  EXPECT_EQ(goals.size(), 5u + 3u * 2u);
  EXPECT_EQ(std::count_if(goals.begin(), goals.end(),
                          [](const Goal& goal) { return goal.sets == Sets::kTriplets; }),
            1);
}

TEST(GoalsTest, MeldsLeaveOutWhatTheyDoNotFitInto) {
  const rules::ToyGame toy;
  Melds melds;
  melds.push_back({{MeldKind::kChow, Tile::Of(tiles::Suit::kDots, 2)}, Seat::k0});
  // Free, sequences, dots alone.
  EXPECT_EQ(GoalsOf(toy, melds).size(), 3u);
}

TEST(GoalsTest, AWinOnADiscardThatIsNoneBringsNothing) {
  rules::ToyGame toy;
  toy.discard_refusal = rules::NoWin::kDiscardWinNotAllowed;
  const Goals goals = GoalsOf(toy);
  ASSERT_FALSE(goals.empty());
  EXPECT_GT(goals[0].self_drawn, 0);
  EXPECT_EQ(goals[0].on_discard, 0);
  const GoalFinder finder(toy, rules::DefaultOptions(toy.options()));
  EXPECT_EQ(finder.UsualOnDiscard(DealOf(toy), Seat::k0, {}), 0);
}

class GameGoalsTest : public ::testing::TestWithParam<const rules::Variant*> {};

INSTANTIATE_TEST_SUITE_P(Games, GameGoalsTest,
                         ::testing::ValuesIn(variants::All().begin(), variants::All().end()),
                         [](const auto& game) { return std::string(game.param->info().id); });

// A flush is worth more than a free hand in every game, all of one suit more than with honours.
TEST_P(GameGoalsTest, RicherHandsAreGoals) {
  const Goals goals = GoalsOf(*GetParam());
  rules::Units dearest = 0;
  rules::Units cheapest = goals[0].self_drawn;
  for (const Goal& goal : goals) {
    EXPECT_TRUE(goal.self_drawn > 0 || goal.on_discard > 0);
    dearest = std::max(dearest, goal.self_drawn);
    cheapest = std::min(cheapest, goal.self_drawn);
  }
  EXPECT_GE(dearest, 2 * cheapest);
  EXPECT_GE(goals.size(), 6u);
}

// GD-64, SG-43: who gives the fourth meld pays all three shares.
TEST(GoalsTest, GivingTheLastMeldCostsWhereTheGiverPaysForAll) {
  const rules::ToyGame toy;
  EXPECT_EQ(GoalFinder(toy, rules::DefaultOptions(toy.options())).last_meld_costs(), 0);
  int games = 0;
  for (const rules::Variant* game : variants::All()) {
    const GoalFinder finder(*game, rules::DefaultOptions(game->options()));
    games += finder.last_meld_costs() > 0 ? 1 : 0;
  }
  EXPECT_EQ(games, 2);
}

TEST_P(GameGoalsTest, EveryMeldLeavesAGoal) {
  for (const Tile tile : tiles::kAllKinds) {
    const rules::Variant& game = *GetParam();
    if (!game.play(rules::DefaultOptions(game.options())).wall.Has(tile)) continue;
    Melds melds;
    melds.push_back({{MeldKind::kPung, tile}, Seat::k0});
    EXPECT_FALSE(GoalsOf(game, melds).empty()) << tiles::ToText(tile);
  }
}

}  // namespace
}  // namespace mj::bots
