// P7 without gRPC: what one round costs between the bytes of its request and those of its answer.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "libs/base/check.h"
#include "libs/wire/flat_writer.h"
#include "services/scoring/rpc/score_one.h"
#include "services/scoring/rpc/server_testing.h"

namespace mj::scoring::rpc {
namespace {

// The golden cases in turn.
void RoundInProcess(benchmark::State& bench) {
  std::vector<std::string> requests;
  for (const casefile::Case& one : GoldenCases()) {
    requests.push_back(RequestOf(one).SerializeAsString());
  }
  MJ_CHECK(!requests.empty(), "tests/cases/cases.json: run from the top of the tree");
  wire::FlatWriter out;
  std::size_t next = 0;
  for (auto _ : bench) {
    out.Clear();
    const std::string& request = requests[next++ % requests.size()];
    MJ_CHECK(ScoreOne(request, v1::ScoreRoundResponse::kScoreFieldNumber, out).ok());
    benchmark::DoNotOptimize(out.bytes().data());
  }
  bench.SetItemsProcessed(bench.iterations());
}
BENCHMARK(RoundInProcess)->Name("P7/round_in_process");

}  // namespace
}  // namespace mj::scoring::rpc
