// P4: rounds played in memory by random legal play, with their event log, beside a bare loop that
// only shuffles, deals, draws, and looks at each draw whether it wins.
#include <benchmark/benchmark.h>

#include <array>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "libs/round/allocations_testing.h"
#include "libs/round/decide.h"
#include "libs/round/random_testing.h"
#include "libs/rules/reading.h"
#include "libs/variants/registry.h"

namespace mj::round {
namespace {

// How often on the average of all rounds.
benchmark::Counter EachRound(std::uint64_t count) {
  return benchmark::Counter(static_cast<int>(count), benchmark::Counter::kAvgIterations);
}

void Shuffle(std::vector<Tile>& wall, testing::Random& random) {
  for (std::size_t i = wall.size(); i > 1; --i) {
    std::swap(wall[i - 1], wall[static_cast<std::size_t>(random.Below(static_cast<int>(i)))]);
  }
}

void RandomRounds(benchmark::State& bench, const rules::Variant* game) {
  testing::Random random(1);
  // Dealer, dice and winds stay; the wall is shuffled anew for each round.
  const Setup first = RandomSetup(*game, rules::DefaultOptions(game->options()), random);
  SetupInput input{.variant = game,
                   .options = first.options(),
                   .dealer = first.deal().dealer,
                   .round_wind = first.deal().round_wind,
                   .seat_winds = first.deal().seat_winds,
                   .dice = first.dice(),
                   .wall = first.wall()};
  std::vector<Event> log;
  std::uint64_t decisions = 0;
  const std::uint64_t allocated = Allocations();
  for (auto _ : bench) {
    Shuffle(input.wall, random);
    const Setup setup = std::get<Setup>(MakeSetup(input));
    State state;
    log.clear();
    auto refused = Play(setup, state, Begin{}, log);
    Command command;
    while (!state.over()) {
      for (Seat seat : rules::kSeats) {
        const SeatState& asked = state.seats[seat];
        if (!asked.open || asked.answer) continue;
        Act& act = command.emplace<Act>();
        act.seat = seat;
        act.decision = asked.decisions;
        act.choice = RandomChoice(*asked.open, random);
        refused = Play(setup, state, command, log);
        ++decisions;
      }
    }
    benchmark::DoNotOptimize(refused);
    benchmark::DoNotOptimize(log.data());
  }
  bench.SetItemsProcessed(bench.iterations());
  bench.counters["target"] = 0.15;  // of the bare loop's rounds per second
  bench.counters["decisions"] = EachRound(decisions);
  bench.counters["allocations"] = EachRound(Allocations() - allocated);
}

void BareRounds(benchmark::State& bench, const rules::Variant* game) {
  testing::Random random(1);
  const rules::Options options = rules::DefaultOptions(game->options());
  const rules::Shapes shapes = game->shapes(options);
  std::vector<Tile> wall;
  const TileCounts tiles = game->play(options).wall;
  for (Tile tile : tiles::kAllKinds) {
    wall.insert(wall.end(), static_cast<std::size_t>(tiles[tile]), tile);
  }
  for (auto _ : bench) {
    Shuffle(wall, random);
    std::array<std::array<Tile, rules::kHandTiles>, rules::kSeatCount> held{};
    std::array<TileCounts, rules::kSeatCount> counts{};
    std::size_t next = 0;
    for (std::size_t seat = 0; seat < held.size(); ++seat) {
      for (Tile& tile : held[seat]) {
        tile = wall[next++];
        counts[seat].Add(tile);
      }
    }
    bool won = false;
    for (std::size_t seat = 0; !won && next < wall.size(); seat = (seat + 1) % held.size()) {
      const Tile drawn = wall[next++];
      counts[seat].Add(drawn);
      won = rules::IsWin(counts[seat], {}, std::nullopt, shapes);
      Tile& thrown = held[seat][static_cast<std::size_t>(random.Below(rules::kHandTiles))];
      counts[seat].Remove(thrown);
      thrown = drawn;
    }
    benchmark::DoNotOptimize(won);
  }
  bench.SetItemsProcessed(bench.iterations());
}

const bool kRegistered = [] {
  for (const rules::Variant* game : variants::All()) {
    const std::string row = "P4/" + std::string(game->info().id);
    benchmark::RegisterBenchmark((row + "/ours").c_str(), RandomRounds, game);
    benchmark::RegisterBenchmark((row + "/reference").c_str(), BareRounds, game);
  }
  return true;
}();

}  // namespace
}  // namespace mj::round
