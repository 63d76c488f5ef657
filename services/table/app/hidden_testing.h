// Two plays of one round by the same commands, which differ in tiles that a viewer has not seen.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "services/table/app/bench_testing.h"
#include "services/table/app/history.h"
#include "tests/support/random.h"

namespace mj::table {

struct Step {
  std::optional<Seat> seat;  // none: what is due, at `time`
  DecisionRef decision = 0;
  round::Choice choice;
  WallTime time{};
};

// One table to the deal, and then by steps.
class Replayed {
 public:
  Replayed(const std::string& game, const fairness::Seed& seed, std::optional<Seat> lender) {
    TableSpec spec = Spec();
    spec.variant = game;
    spec.settings.claim_pause_ms = 500;
    bench = Bench(spec);
    if (lender) bench.Do(DecideShowHand(bench.state, Bench::At(*lender), true));
    bench.ReadyAll();
    bench.Apply(BeginRound(bench.state, RoundId("r"), seed));
    drawn = std::get<DealDrawn>(DrawDeal(bench.state).front());
  }
  void Deal(const std::vector<Tile>& wall) {
    drawn.wall = wall;
    bench.Apply({drawn});
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
  std::vector<Scene> Scenes() const {
    Fold fold;
    std::vector<Scene> scenes;
    for (const LogEntry& entry : bench.journal) {
      EXPECT_TRUE(fold.Apply(entry).ok());
      if (!IsWatched(entry.event)) continue;
      scenes.push_back(SceneOf(fold.state, entry, fold.numbers.last_watched()));
    }
    return scenes;
  }
  Bench bench;
  DealDrawn drawn;
};

// The places in the wall whose tiles one is shown by where they lie: those of the seat whose hand one
// sees, if one does, and the indicator.
inline std::set<std::size_t> SeenPlaces(const Replayed& game, std::optional<Seat> hand) {
  std::set<std::size_t> seen;
  const Seat dealer = game.drawn.dealer;
  std::size_t front = 0;
  std::size_t back = game.drawn.wall.size() - 1;
  for (const int tiles : {4, 4, 4, 1}) {
    for (int turn = 0; turn < 4; ++turn) {
      for (int i = 0; i < tiles; ++i, ++front) {
        if (rules::After(dealer, turn) == hand) seen.insert(front);
      }
    }
  }
  for (const RoundPlayed& played : game.bench.All<RoundPlayed>()) {
    if (std::holds_alternative<round::IndicatorTurned>(played.event)) seen.insert(back--);
    const auto* drew = std::get_if<round::Drew>(&played.event);
    if (drew == nullptr) continue;
    const std::size_t place = drew->kind == round::DrawKind::kReplacement ? back-- : front++;
    if (drew->seat == hand) seen.insert(place);
  }
  return seen;
}

struct TwoPlays {
  Replayed one;
  Replayed other;
  std::int64_t steps = 0;  // that both took
};

//   hand     whose hand the viewer sees; none: nobody's.
//   lender   who lends its hand to whoever watches from its seat.
inline TwoPlays PlayTwice(const std::string& game, testing::Random& random,
                          std::optional<Seat> hand, std::optional<Seat> lender = std::nullopt) {
  fairness::Seed seed{};
  for (auto& byte : seed) byte = static_cast<std::uint8_t>(random.Below(256));
  // Up to some step of a round that is played on.
  Replayed first(game, seed, lender);
  const std::vector<Tile> wall = first.drawn.wall;
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
    EXPECT_TRUE(first.Take(step));
    if (first.bench.state.round->play.over()) {  // everything is shown then
      first.bench = before;
      break;
    }
    steps.push_back(step);
  }
  // The same with tiles changed about that lie where the viewer does not see.
  const std::set<std::size_t> seen = SeenPlaces(first, hand);
  std::vector<std::size_t> places;
  for (std::size_t place = 0; place < wall.size(); ++place) {
    if (seen.count(place) == 0) places.push_back(place);
  }
  std::vector<Tile> changed = wall;
  const auto any = [&] {
    return places[static_cast<std::size_t>(random.Below(static_cast<int>(places.size())))];
  };
  for (int swaps = 1 + random.Below(8); swaps > 0; --swaps) {
    std::swap(changed[any()], changed[any()]);
  }
  TwoPlays plays{Replayed(game, seed, lender), Replayed(game, seed, lender), 0};
  plays.one.Deal(wall);
  plays.other.Deal(changed);
  for (const Step& step : steps) {
    const Bench before = plays.other.bench;
    if (!plays.other.Take(step) || plays.other.bench.state.round->play.over()) {
      plays.other.bench = before;
      break;
    }
    EXPECT_TRUE(plays.one.Take(step));
    ++plays.steps;
  }
  return plays;
}

}  // namespace mj::table
