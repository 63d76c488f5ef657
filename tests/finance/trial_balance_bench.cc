// A trial balance over 10 million entries (MJ_TEST_LONG=1, which ./dev bench sets; a hundredth of
// them without). No day is sealed, so that every entry is added up: the worst case. Under 5 s.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

#include "libs/pg/cluster_testing.h"
#include "tests/finance/generated_testing.h"
#include "tests/support/counts.h"

namespace mj::finance {
namespace {

constexpr std::int64_t kEntries = 10'000'000;
constexpr std::int64_t kEntriesEach = 8;
constexpr std::int64_t kMillisecondsAtMost = 5'000;

const pg::testing::Database& Ledger(std::int64_t settlements) {
  static const pg::testing::Database database;
  static const bool filled = [settlements] {
    Generate(database, {.settlements = settlements, .players = 100'000});
    return true;
  }();
  static_cast<void>(filled);
  return database;
}

void TrialBalance(benchmark::State& state) {
  const std::int64_t settlements = testing::Count(kEntries) / kEntriesEach;
  const pg::testing::Database& database = Ledger(settlements);
  for (auto _ : state) {
    const std::string total = database.Execute(
        "SELECT balance || ' ' || entries FROM finance.trial_balance"
        " WHERE account_kind = 'total' AND currency = 'COIN'");
    if (total != "0 " + std::to_string(settlements * kEntriesEach)) {
      state.SkipWithError(("the books say " + total).c_str());
      break;
    }
  }
  state.counters["at_most"] = static_cast<double>(kMillisecondsAtMost);
}
BENCHMARK(TrialBalance)
    ->Name("finance/trial balance over 10 million entries")
    ->Iterations(1)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace mj::finance
