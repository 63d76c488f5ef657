// Tiles that a seat cannot see make no difference to what it is shown.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "libs/variants/registry.h"
#include "services/table/app/bench_testing.h"
#include "services/table/app/history.h"
#include "tests/support/counts.h"
#include "tests/support/random.h"

namespace mj::table {
namespace {

struct Step {
  std::optional<Seat> seat;  // none: what is due, at `time`
  DecisionRef decision = 0;
  round::Choice choice;
  WallTime time{};
};

// One table to the deal, and then by steps. What `viewer` is shown, step by step.
class Replayed {
 public:
  Replayed(const std::string& game, const fairness::Seed& seed) {
    TableSpec spec = Spec();
    spec.variant = game;
    spec.settings.claim_pause_ms = 500;
    bench = Bench(spec);
    bench.ReadyAll();
    begun = std::get<RoundBegun>(BeginRound(bench.state, RoundId("r"), seed).front());
  }
  void Deal(const std::vector<Tile>& wall) {
    begun.wall = wall;
    bench.Apply({begun});
    bench.Apply(OpenPlay(bench.state));
  }
  // Whether the table takes it.
  bool Take(const Step& step) {
    bench.now = step.time;
    absl::StatusOr<Events> events = step.seat ? DecideAct(bench.state, Bench::At(*step.seat),
                                                          step.decision, step.choice, bench.now)
                                              : DecideDue(bench.state, bench.now);
    if (!events.ok() || events->empty()) return false;
    bench.Apply(*events);
    return true;
  }
  std::vector<Shown> StreamOf(Seat viewer) const {
    Fold fold;
    std::vector<Shown> stream;
    for (const LogEntry& entry : bench.journal) {
      const auto showings = fold.Apply(entry);
      EXPECT_TRUE(showings.ok());
      for (const Showing& showing : *showings) {
        if (showing.seat == viewer) stream.push_back(showing.shown);
      }
    }
    return stream;
  }
  Bench bench;
  RoundBegun begun;
};

// The places in the wall whose tiles `viewer` is shown by where they lie: its own, the indicator.
std::set<std::size_t> SeenPlaces(const Replayed& game, Seat viewer) {
  std::set<std::size_t> seen;
  const Seat dealer = game.begun.dealer;
  std::size_t front = 0;
  std::size_t back = game.begun.wall.size() - 1;
  for (const int tiles : {4, 4, 4, 1}) {
    for (int turn = 0; turn < 4; ++turn) {
      for (int i = 0; i < tiles; ++i, ++front) {
        if (rules::After(dealer, turn) == viewer) seen.insert(front);
      }
    }
  }
  for (const RoundPlayed& played : game.bench.All<RoundPlayed>()) {
    if (std::holds_alternative<round::IndicatorTurned>(played.event)) seen.insert(back--);
    const auto* drew = std::get_if<round::Drew>(&played.event);
    if (drew == nullptr) continue;
    const std::size_t place = drew->kind == round::DrawKind::kReplacement ? back-- : front++;
    if (drew->seat == viewer) seen.insert(place);
  }
  return seen;
}

class HiddenTest : public ::testing::TestWithParam<const rules::Variant*> {};

INSTANTIATE_TEST_SUITE_P(Games, HiddenTest,
                         ::testing::ValuesIn(variants::All().begin(), variants::All().end()),
                         [](const auto& game) { return std::string(game.param->info().id); });

TEST_P(HiddenTest, OtherTilesUnderTheSameCommandsShowTheSame) {
  const std::string id(GetParam()->info().id);
  const std::int64_t samples = testing::Count(20'000);
  std::int64_t steps_compared = 0;
  for (std::int64_t sample = 0; sample < samples; ++sample) {
    testing::Random random(static_cast<std::uint64_t>(sample) + 1);
    fairness::Seed seed{};
    for (auto& byte : seed) byte = static_cast<std::uint8_t>(random.Below(256));
    const auto viewer = static_cast<Seat>(random.Below(4));
    // Up to some step of a round that is played on.
    Replayed first(id, seed);
    const std::vector<Tile> wall = first.begun.wall;
    first.Deal(wall);
    std::vector<Step> steps;
    const auto wanted = static_cast<std::size_t>(random.Below(60));
    while (steps.size() < wanted) {
      const Bench& bench = first.bench;
      const auto asked = bench.Asked();
      Step step;
      step.time = bench.now;
      if (asked.empty()) {
        step.time = *NextDue(bench.state);
      } else {
        step.seat = asked.front();
        step.decision = bench.Pending(asked.front());
        step.choice = bench.Some(asked.front());
      }
      const Bench before = bench;
      ASSERT_TRUE(first.Take(step));
      if (first.bench.state.round->play.over()) {  // everything is shown then
        first.bench = before;
        break;
      }
      steps.push_back(step);
    }
    // The same with tiles changed about that lie where the viewer does not see.
    const std::set<std::size_t> seen = SeenPlaces(first, viewer);
    std::vector<std::size_t> places;
    for (std::size_t place = 0; place < wall.size(); ++place) {
      if (seen.count(place) == 0) places.push_back(place);
    }
    std::vector<Tile> other = wall;
    const auto any = [&] {
      return places[static_cast<std::size_t>(random.Below(static_cast<int>(places.size())))];
    };
    for (int swaps = 1 + random.Below(8); swaps > 0; --swaps) std::swap(other[any()], other[any()]);
    Replayed second(id, seed);
    second.Deal(other);
    Replayed again(id, seed);
    again.Deal(wall);
    for (const Step& step : steps) {
      const Bench before = second.bench;
      if (!second.Take(step) || second.bench.state.round->play.over()) {
        second.bench = before;
        break;
      }
      ASSERT_TRUE(again.Take(step));
      ++steps_compared;
    }
    const auto a = again.StreamOf(viewer);
    const auto b = second.StreamOf(viewer);
    ASSERT_EQ(a.size(), b.size()) << id << " sample " << sample;
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_EQ(a[i].sequence, b[i].sequence);
      ASSERT_TRUE(*a[i].event == *b[i].event) << id << " sample " << sample << " event " << i;
    }
  }
  std::cout << "[  figures ] " << id << ": " << steps_compared << " steps of " << samples
            << " samples\n";
  EXPECT_GT(steps_compared, samples);
}

}  // namespace
}  // namespace mj::table
