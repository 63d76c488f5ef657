// What the machine itself costs: rounds of players that choose at random.
#include <benchmark/benchmark.h>

#include "libs/round/random_testing.h"
#include "libs/variants/registry.h"

namespace mj::round {
namespace {

void RandomRounds(benchmark::State& bench, const rules::Variant* game) {
  testing::Random random(1);
  const rules::Options options = rules::DefaultOptions(game->options());
  for (auto _ : bench) {
    const Setup setup = RandomSetup(*game, options, random);
    State state;
    PlayOut(
        setup, state, random,
        [&](const State&, Seat, const Offer& offer) { return RandomChoice(offer, random); },
        nullptr, 1000);
    benchmark::DoNotOptimize(state);
  }
  bench.SetItemsProcessed(bench.iterations());
}

const bool kRegistered = [] {
  for (const rules::Variant* game : variants::All()) {
    benchmark::RegisterBenchmark(("random_rounds/" + std::string(game->info().id)).c_str(),
                                 RandomRounds, game);
  }
  return true;
}();

}  // namespace
}  // namespace mj::round
