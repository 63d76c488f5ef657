// What the app itself costs: everything but the database and the network.
#include <benchmark/benchmark.h>

#include "services/table/app/world_testing.h"

namespace mj::table {
namespace {

// A round of four players from their readiness to its coins, the journal in memory. Items are events.
void BM_Round(benchmark::State& state) {
  World world;
  Company company(world, world.MakeTable());
  for (auto _ : state) company.PlayRound();
  const auto events = world.memory.All(company.table()).size();
  state.SetItemsProcessed(static_cast<std::int64_t>(events));
}
BENCHMARK(BM_Round)->Unit(benchmark::kMillisecond)->Iterations(20);

// A table that has played ten rounds, from its journal.
void BM_Replay(benchmark::State& state) {
  World world;
  const TableId table = world.MakeTable();
  Company company(world, table);
  for (int i = 0; i < 10; ++i) company.PlayRound();
  for (auto _ : state) benchmark::DoNotOptimize(Replay(world.memory, table));
  const auto events = world.memory.All(table).size();
  state.SetItemsProcessed(static_cast<std::int64_t>(events) * state.iterations());
}
BENCHMARK(BM_Replay)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace mj::table
