// What a bot's decision and a whole round of bots cost.
#include <benchmark/benchmark.h>

#include "libs/bots/bot.h"
#include "libs/round/random_testing.h"
#include "libs/variants/registry.h"

namespace mj::bots {
namespace {

void BotRounds(benchmark::State& bench, const rules::Variant* game) {
  Distances distances;
  testing::Random random(1);
  const rules::Options options = rules::DefaultOptions(game->options());
  std::int64_t decisions = 0;
  for (auto _ : bench) {
    const round::Setup setup = round::RandomSetup(*game, options, random);
    Bot bot(*game, options, random.Next(), distances);
    round::State state;
    round::PlayOut(
        setup, state, random,
        [&](const round::State& now, rules::Seat seat, const round::Offer&) {
          ++decisions;
          return bot.Choose(Project(setup, now, seat));
        },
        nullptr, 1000);
    benchmark::DoNotOptimize(state);
  }
  bench.SetItemsProcessed(bench.iterations());
  bench.counters["decisions/s"] =
      benchmark::Counter(static_cast<double>(decisions), benchmark::Counter::kIsRate);
}

const bool kRegistered = [] {
  for (const rules::Variant* game : variants::All()) {
    benchmark::RegisterBenchmark(("bot_rounds/" + std::string(game->info().id)).c_str(), BotRounds,
                                 game);
  }
  return true;
}();

}  // namespace
}  // namespace mj::bots
