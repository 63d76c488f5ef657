#include "libs/bots/bot.h"

#include <gtest/gtest.h>

#include <array>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include "libs/round/play_testing.h"
#include "libs/round/random_testing.h"
#include "libs/rules/toy_testing.h"
#include "libs/tiles/mpsz.h"
#include "libs/variants/registry.h"
#include "tests/support/counts.h"

namespace mj::bots {
namespace {

using round::Choice;
using rules::Seat;

// What a bot with the given seed does for `seat` now.
std::string Does(const round::TestRound& round, const rules::Variant& game, Seat seat,
                 std::uint64_t seed = 1, Strength strength = Strength::kMedium) {
  Distances distances;
  Bot bot(game, rules::DefaultOptions(game.options()), seed, distances, strength);
  return ToText(bot.Choose(Project(round.setup(), round.state(), seat)));
}

class BotTest : public ::testing::Test {
 protected:
  rules::ToyGame toy_;
};

TEST_F(BotTest, TakesAWin) {
  round::TestRound round({.game = &toy_, .hands = {"123456789m1122z"}, .draws = "1z"});
  EXPECT_EQ(Does(round, toy_, Seat::k0), "win");
}

TEST_F(BotTest, ThrowsWhatLeavesTheFewestTilesMissing) {
  round::TestRound round({.game = &toy_, .hands = {"123456789m1126z"}, .draws = "2z"});
  EXPECT_EQ(Does(round, toy_, Seat::k0), "discard 6z");
}

TEST_F(BotTest, KeepsTheWaitWithTheMostTilesLeft) {
  // 34m waits for eight tiles, 13m for four.
  round::TestRound open({.game = &toy_, .hands = {"134m456p789s1112z"}, .draws = "2z"});
  EXPECT_EQ(Does(open, toy_, Seat::k0), "discard 1m");
}

TEST_F(BotTest, CountsOnlyTilesThatAreNotSeen) {
  // 35m waits for 4m, 13m for 2m.
  round::TestRound round({.game = &toy_, .hands = {"135m456p789s1112z"}, .draws = "2z"});
  Distances distances;
  Bot bot(toy_, rules::DefaultOptions(toy_.options()), 1, distances);
  for (const auto& [gone, thrown] :
       {std::pair("2m", "discard 1m"), std::pair("4m", "discard 5m")}) {
    round::SeatView view = Project(round.setup(), round.state(), Seat::k0);
    view.river.push_back(round::Thrown{Seat::k1, *tiles::ParseTile(gone), std::nullopt});
    EXPECT_EQ(ToText(bot.Choose(view)), thrown);
  }
}

TEST_F(BotTest, CallsOnlyWhatBringsTheWinNearer) {
  round::TestRound nearer({.game = &toy_, .hands = {"", "55m123p456p78s112z"}, .draws = "5m"});
  nearer.Play("0 discard 5m -> 1: pung, pass");
  EXPECT_EQ(Does(nearer, toy_, Seat::k1), "pung");

  // The pair is needed as a pair: the hand waits already.
  round::TestRound not_nearer({.game = &toy_, .hands = {"", "55m123456p78s111z"}, .draws = "5m"});
  not_nearer.Play("0 discard 5m -> 1: pung, pass");
  EXPECT_EQ(Does(not_nearer, toy_, Seat::k1), "pass");
}

TEST_F(BotTest, MakesAKongThatCostsNothing) {
  round::TestRound round({.game = &toy_, .hands = {"1111z123m456p78s9m"}, .draws = "2z"});
  EXPECT_EQ(Does(round, toy_, Seat::k0), "kong concealed 1z");
  // …and not one that breaks a hand that waits with the fourth tile in a sequence.
  round::TestRound breaks({.game = &toy_, .hands = {"111123m456p78s99s"}, .draws = "2z"});
  EXPECT_EQ(Does(breaks, toy_, Seat::k0), "discard 2z");
}

TEST_F(BotTest, TheSeedDecidesBetweenEqualsAlone) {
  round::TestRound round({.game = &toy_, .hands = {"123456m789p124z6z"}, .draws = "5z"});
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const std::string choice = Does(round, toy_, Seat::k0, seed);
    EXPECT_EQ(choice, Does(round, toy_, Seat::k0, seed));
    EXPECT_TRUE(choice.ends_with("z")) << choice;
    seen.insert(choice);
  }
  EXPECT_GT(seen.size(), 1u);
}

// ------------------------------------------------------------------------------ the strengths

TEST_F(BotTest, EveryStrengthTakesAWin) {
  round::TestRound round({.game = &toy_, .hands = {"123456789m1122z"}, .draws = "1z"});
  for (const Strength strength : kStrengths) {
    EXPECT_EQ(Does(round, toy_, Seat::k0, 1, strength), "win") << NameOf(strength);
  }
}

TEST_F(BotTest, AWeakOneKeepsWhatTouchesAndCallsWhatItCan) {
  round::TestRound round({.game = &toy_, .hands = {"123456789m1126z"}, .draws = "2z"});
  EXPECT_EQ(Does(round, toy_, Seat::k0, 1, Strength::kWeak), "discard 6z");

  // It needs the pair as a pair.
  round::TestRound pung({.game = &toy_, .hands = {"", "55m123456p78s111z"}, .draws = "5m"});
  pung.Play("0 discard 5m -> 1: pung, pass");
  int called = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    called += Does(pung, toy_, Seat::k1, seed, Strength::kWeak) == "pung" ? 1 : 0;
  }
  EXPECT_GT(called, 20);
  EXPECT_LT(called, 40);
}

TEST_F(BotTest, AStrongOneThrowsWhatOthersLetGoByWhenNothingElseCounts) {
  // Whether 3z or 4z goes, the hand waits for the other.
  round::TestRound round({.game = &toy_, .hands = {"123456789m1113z"}, .draws = "4z"});
  round::SeatView view = Project(round.setup(), round.state(), Seat::k0);
  for (int rank = 1; rank <= 9; ++rank) {
    for (const Seat seat : {Seat::k1, Seat::k2, Seat::k3}) {
      view.river.push_back(
          round::Thrown{seat, tiles::Tile::Of(tiles::Suit::kDots, rank), std::nullopt});
    }
  }
  for (const auto& safe : {"3z", "4z"}) {
    round::SeatView passed = view;
    passed.river.push_back(round::Thrown{Seat::k3, *tiles::ParseTile(safe), std::nullopt});
    Distances distances;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      Bot bot(toy_, rules::DefaultOptions(toy_.options()), seed, distances, Strength::kStrong);
      EXPECT_EQ(ToText(bot.Choose(passed)), std::string("discard ") + safe);
    }
  }
}

TEST(StrengthTest, EachHasAName) {
  for (const Strength strength : kStrengths) EXPECT_EQ(StrengthNamed(NameOf(strength)), strength);
  EXPECT_EQ(StrengthNamed("grand master"), std::nullopt);
}

// ---------------------------------------------------------------- every game of the registry

class BotGamesTest : public ::testing::TestWithParam<const rules::Variant*> {};

INSTANTIATE_TEST_SUITE_P(Games, BotGamesTest,
                         ::testing::ValuesIn(variants::All().begin(), variants::All().end()),
                         [](const auto& game) { return std::string(game.param->info().id); });

// Two bots against two players that choose at random: bots win far more.
TEST_P(BotGamesTest, BotsWinFarMoreThanChance) {
  const rules::Variant& game = *GetParam();
  Distances distances;
  testing::Random random(7);
  std::array<int, 2> wins{};
  const std::int64_t rounds = testing::Count(20'000);
  for (std::int64_t i = 0; i < rounds; ++i) {
    const rules::Options options = round::RandomOptions(game, random);
    const round::Setup setup = round::RandomSetup(game, options, random);
    Bot bot(game, options, random.Next(), distances);
    round::State state;
    const bool bots_sit_even = i % 2 == 0;
    const auto is_bot = [&](Seat seat) { return (rules::IndexOf(seat) % 2 == 0) == bots_sit_even; };
    const auto choose = [&](const round::State& now, Seat seat, const round::Offer& offer) {
      if (!is_bot(seat)) return round::RandomChoice(offer, random);
      const Choice choice = bot.Choose(Project(setup, now, seat));
      EXPECT_TRUE(offer.Allows(choice)) << ToText(choice);
      return choice;
    };
    ASSERT_TRUE(round::PlayOut(setup, state, random, choose, nullptr, 1000));
    for (const rules::Win& win : state.wins) ++wins[is_bot(win.seat) ? 1 : 0];
  }
  std::cout << "[  figures ] " << game.info().id << ": bots " << wins[1] << ", chance " << wins[0]
            << " of " << rounds << "\n";
  EXPECT_GT(wins[1], 10 * wins[0]);
  EXPECT_GT(wins[1], rounds / 4);
}

// Of whatever strength: what it chooses is offered, and the same view and seed give the same choice.
TEST_P(BotGamesTest, EveryStrengthChoosesWhatIsOffered) {
  const rules::Variant& game = *GetParam();
  Distances distances;
  const std::int64_t rounds = testing::Count(3'000);
  for (std::int64_t i = 0; i < rounds; ++i) {
    testing::Random random(static_cast<std::uint64_t>(i));
    const rules::Options options = round::RandomOptions(game, random);
    const round::Setup setup = round::RandomSetup(game, options, random);
    std::vector<Bot> bots;
    for (const Strength strength : kStrengths)
      bots.emplace_back(game, options, 5, distances, strength);
    Bot again(game, options, 5, distances, Strength::kStrong);
    round::State state;
    const auto choose = [&](const round::State& now, Seat seat, const round::Offer& offer) {
      const round::SeatView view = Project(setup, now, seat);
      Bot& bot = bots[static_cast<std::size_t>(rules::IndexOf(seat)) % bots.size()];
      const Choice choice = bot.Choose(view);
      EXPECT_TRUE(offer.Allows(choice)) << "round " << i << " " << ToText(choice);
      if (&bot == &bots[2]) {
        EXPECT_EQ(choice, again.Choose(view)) << "round " << i;
      }
      return choice;
    };
    ASSERT_TRUE(round::PlayOut(setup, state, random, choose, nullptr, 1000)) << "round " << i;
  }
}

// Four bots end most rounds with a win.
TEST_P(BotGamesTest, BotsAmongThemselvesMostlyWin) {
  const rules::Variant& game = *GetParam();
  Distances distances;
  testing::Random random(11);
  const rules::Options options = rules::DefaultOptions(game.options());
  int won = 0;
  const std::int64_t rounds = testing::Count(20'000);
  for (std::int64_t i = 0; i < rounds; ++i) {
    const round::Setup setup = round::RandomSetup(game, options, random);
    Bot bot(game, options, random.Next(), distances);
    round::State state;
    ASSERT_TRUE(round::PlayOut(
        setup, state, random,
        [&](const round::State& now, Seat seat, const round::Offer&) {
          return bot.Choose(Project(setup, now, seat));
        },
        nullptr, 1000));
    won += state.wins.empty() ? 0 : 1;
  }
  std::cout << "[  figures ] " << game.info().id << ": " << won << " of " << rounds << " won\n";
  EXPECT_GT(won, rounds / 2);
}

}  // namespace
}  // namespace mj::bots
