#include "libs/round/follow.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "libs/round/decide.h"
#include "libs/round/setup.h"
#include "libs/variants/registry.h"
#include "tests/support/counts.h"
#include "tests/support/random.h"

namespace mj::round {
namespace {

using rules::Seat;

std::vector<Viewer> EveryViewer() {
  std::vector<Viewer> viewers = {Viewer::Public()};
  for (const Seat seat : rules::kSeats) {
    viewers.push_back(Viewer::Player(seat));
    viewers.push_back(Viewer::Watching(seat));
  }
  return viewers;
}

std::size_t Pick(testing::Random& random, std::size_t count) {
  return static_cast<std::size_t>(random.Below(static_cast<int>(count)));
}

// One round of random choices; every viewer follows it by its own events.
void FollowOneRound(const rules::Variant& game, testing::Random& random) {
  const rules::Options options = rules::DefaultOptions(game.options());
  const rules::PlayRules play = game.play(options);
  std::vector<rules::Tile> wall;
  for (const rules::Tile tile : tiles::kAllKinds) {
    wall.insert(wall.end(), static_cast<std::size_t>(play.wall[tile]), tile);
  }
  for (std::size_t i = wall.size(); i > 1; --i) std::swap(wall[i - 1], wall[Pick(random, i)]);
  SetupInput input{.variant = &game,
                   .options = options,
                   .dealer = Seat::k1,
                   .round_wind = {},
                   .seat_winds = {},
                   .dice = {2, 5},
                   .wall = wall};
  if (play.winds) {
    input.round_wind = tiles::kEast;
    input.seat_winds =
        rules::PerSeat<rules::Tile>({tiles::kNorth, tiles::kEast, tiles::kSouth, tiles::kWest});
  }
  const auto made = MakeSetup(std::move(input));
  ASSERT_TRUE(std::holds_alternative<Setup>(made));
  const auto& setup = std::get<Setup>(made);

  std::vector<Follower> followers;
  for (const Viewer& viewer : EveryViewer()) followers.emplace_back(play, viewer);
  State state;
  const auto apply = [&](const Decision& decision) {
    ASSERT_TRUE(std::holds_alternative<std::vector<Event>>(decision));
    for (const Event& event : std::get<std::vector<Event>>(decision)) {
      Apply(setup, state, event);
      for (Follower& follower : followers) {
        const Viewer viewer = follower.view().viewer;
        if (const auto seen = Filter(event, viewer)) follower.Take(*seen);
        ASSERT_EQ(follower.view(), Project(setup, state, viewer));
      }
    }
  };
  apply(Decide(setup, state, Begin{}));
  while (!state.over() && !::testing::Test::HasFatalFailure()) {
    std::vector<Seat> asked;
    for (const Seat seat : rules::kSeats) {
      if (state.seats[seat].open && !state.seats[seat].answer) asked.push_back(seat);
    }
    ASSERT_FALSE(asked.empty());
    const Seat seat = asked[Pick(random, asked.size())];
    const std::vector<Choice> choices = ChoicesOf(*state.seats[seat].open);
    apply(Decide(setup, state,
                 Act{.seat = seat,
                     .decision = state.seats[seat].decisions,
                     .choice = choices[Pick(random, choices.size())]}));
  }
}

TEST(FollowerTest, KnowsTheWildThatTheRulesFix) {
  rules::PlayRules play;
  play.wild = rules::WildMode::kFixed;
  play.fixed_wild = tiles::kWhite;
  Follower follower(play, Viewer::Public());
  follower.Take(RoundBegan{});
  EXPECT_EQ(follower.view().deal.wild, tiles::kWhite);
}

TEST(FollowerTest, SeesWhatTheEngineShowsAfterEveryEvent) {
  const auto rounds = testing::Count(4'000);
  for (const rules::Variant* game : variants::All()) {
    for (std::int64_t i = 0; i < rounds; ++i) {
      SCOPED_TRACE(std::string(game->info().id) + ", round " + std::to_string(i));
      testing::Random random(static_cast<std::uint64_t>(i));
      FollowOneRound(*game, random);
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace mj::round
