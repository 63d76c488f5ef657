// Row P1: is-win of fourteen tiles, all shapes.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "libs/rules/hands_testing.h"
#include "libs/rules/plain_testing.h"
#include "libs/rules/reading.h"

namespace mj::rules {
namespace {

constexpr Shapes kAllShapes = {.standard = true, .seven_pairs = true, .thirteen_orphans = true};

// Always the whole file: a small set repeated would be learnt by heart by the branch predictor.
const std::vector<TileCounts>& Hands() {
  static const auto hands = MixedHands(1, 1'000'000, FullWall(), kAllShapes);
  return hands;
}

// A part of the file at a time is brought into the cache, unmeasured: the file is larger than the
// caches, and it is not the memory's speed that is asked for.
template <typename IsWin>
void Run(benchmark::State& state, IsWin&& is_win) {
  const auto& hands = Hands();
  static std::array<TileCounts, 5'000> part;
  for (auto _ : state) {
    std::int64_t wins = 0;
    for (std::size_t first = 0; first < hands.size(); first += part.size()) {
      state.PauseTiming();
      std::copy_n(hands.begin() + static_cast<std::ptrdiff_t>(first), part.size(), part.begin());
      state.ResumeTiming();
      for (const TileCounts& hand : part) wins += is_win(hand);
    }
    benchmark::DoNotOptimize(wins);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(hands.size()));
}

void Ours(benchmark::State& state) {
  const Melds none;
  Run(state, [&](const TileCounts& hand) { return IsWin(hand, none, {}, kAllShapes); });
  state.counters["target"] = 15;
}
BENCHMARK(Ours)->Name("P1/is-win of 14 tiles, all shapes/ours")->Unit(benchmark::kMillisecond);

void Reference(benchmark::State& state) {
  Run(state, [](const TileCounts& hand) { return plain::IsWin(hand, 0, kAllShapes); });
}
BENCHMARK(Reference)
    ->Name("P1/is-win of 14 tiles, all shapes/reference")
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace mj::rules
