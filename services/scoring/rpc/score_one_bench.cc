// P7 without gRPC: what one round costs between the bytes of its request and those of its answer.
#include <benchmark/benchmark.h>
#include <google/protobuf/arena.h>

#include <string>
#include <vector>

#include "libs/base/check.h"
#include "services/scoring/rpc/score_one.h"
#include "services/scoring/rpc/server_testing.h"

namespace mj::scoring::rpc {
namespace {

// The golden cases in turn, on an arena that is used again, as the server's are.
void RoundInProcess(benchmark::State& bench) {
  std::vector<std::string> requests;
  for (const casefile::Case& one : GoldenCases()) {
    requests.push_back(RequestOf(one).SerializeAsString());
  }
  MJ_CHECK(!requests.empty(), "tests/cases/cases.json: run from the top of the tree");
  std::vector<char> block(16 * 1024);
  google::protobuf::ArenaOptions options;
  options.initial_block = block.data();
  options.initial_block_size = block.size();
  google::protobuf::Arena arena(options);
  std::string bytes;
  std::size_t next = 0;
  for (auto _ : bench) {
    auto& request = *google::protobuf::Arena::CreateMessage<v1::ScoreRoundRequest>(&arena);
    auto& response = *google::protobuf::Arena::CreateMessage<v1::ScoreRoundResponse>(&arena);
    MJ_CHECK(request.ParseFromString(requests[next++ % requests.size()]));
    MJ_CHECK(ScoreOne(request, *response.mutable_score()).ok());
    response.SerializeToString(&bytes);
    benchmark::DoNotOptimize(bytes);
    arena.Reset();
  }
  bench.SetItemsProcessed(bench.iterations());
}
BENCHMARK(RoundInProcess)->Name("P7/round_in_process");

}  // namespace
}  // namespace mj::scoring::rpc
