#include "tools/mahjongctl/tournament.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "libs/variants/registry.h"
#include "tests/support/counts.h"
#include "tools/mahjongctl/exit_code.h"

namespace mj::mahjongctl {
namespace {

using bots::Strength;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class TournamentTest : public ::testing::TestWithParam<const rules::Variant*> {};

INSTANTIATE_TEST_SUITE_P(Games, TournamentTest,
                         ::testing::ValuesIn(variants::All().begin(), variants::All().end()),
                         [](const auto& game) { return std::string(game.param->info().id); });

// The seed is fixed, so that it is the same rounds each time; that the interval leaves 0 out says that it
// is no luck. Neighbouring strengths take more rounds to tell apart in some games (README of libs/bots).
TEST_P(TournamentTest, TheStrongerOneWins) {
  const Tournament played = PlayTournament(*GetParam(), testing::Count(48'000), 1);
  for (const Lead& lead : played.leads) {
    std::cout << "[  figures ] " << bots::NameOf(lead.better) << " over "
              << bots::NameOf(lead.worse) << ": " << lead.coins.mean << " within "
              << lead.coins.within << "\n";
    const bool far_apart = lead.better == Strength::kStrong && lead.worse == Strength::kWeak;
    EXPECT_GT(lead.coins.mean + (far_apart ? -1 : 1) * lead.coins.within, 0)
        << bots::NameOf(lead.better) << " over " << bots::NameOf(lead.worse);
  }
  EXPECT_EQ(played.standings[0].strength, Strength::kStrong);
  std::int64_t seats = 0;
  for (const Standing& standing : played.standings) {
    EXPECT_GT(standing.won.mean, 0);
    seats += standing.seats;
  }
  EXPECT_EQ(seats, played.rounds * rules::kSeatCount);
}

TEST_P(TournamentTest, TheSameSeedGivesTheSameFigures) {
  TournamentArguments arguments;
  arguments.variant = GetParam()->info().id;
  arguments.rounds = kRoundsMin;
  arguments.json = true;
  const auto hold = [&] {
    std::ostringstream out;
    std::ostringstream err;
    EXPECT_EQ(HoldTournament(arguments, out, err), kDone);
    EXPECT_THAT(err.str(), IsEmpty());
    return out.str();
  };
  const std::string first = hold();
  EXPECT_EQ(first, hold());
  const auto json = nlohmann::json::parse(first);
  EXPECT_EQ(json["rounds"], kRoundsMin);
  EXPECT_EQ(json["standings"].size(), 3u);
  EXPECT_EQ(json["leads"].size(), 3u);
  arguments.seed = 2;
  EXPECT_NE(first, hold());
}

TEST(HoldTournamentTest, EveryGameAsATable) {
  TournamentArguments arguments;
  arguments.rounds = kRoundsMin;
  std::ostringstream out;
  std::ostringstream err;
  EXPECT_EQ(HoldTournament(arguments, out, err), kDone);
  for (const rules::Variant* game : variants::All()) {
    EXPECT_THAT(out.str(), HasSubstr(std::string(game->info().name_zh)));
  }
  EXPECT_THAT(out.str(), HasSubstr("strong over medium"));
}

TEST(HoldTournamentTest, AGameThatThereIsNot) {
  TournamentArguments arguments;
  arguments.variant = "riichi";
  std::ostringstream out;
  std::ostringstream err;
  EXPECT_EQ(HoldTournament(arguments, out, err), kFailed);
  EXPECT_THAT(err.str(), HasSubstr("no game is called riichi"));
  EXPECT_THAT(out.str(), IsEmpty());
}

}  // namespace
}  // namespace mj::mahjongctl
