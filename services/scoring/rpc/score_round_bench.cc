// P7: ScoreRound over gRPC with its whole receipt, beside an echo of messages of the same sizes by
// the same server.
//
// The server is a process of its own on one core, the client on another. The client sends bytes that
// were made before and does not read what it gets, so that what differs is the server's work alone.
#include <benchmark/benchmark.h>
#include <google/protobuf/wrappers.pb.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/impl/codegen/rpc_service_method.h>
#include <grpcpp/support/byte_buffer.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "libs/base/check.h"
#include "libs/rpc/connected_testing.h"
#include "libs/rpc/service.h"
#include "services/scoring/rpc/server_testing.h"
#include "services/scoring/rpc/service.h"

namespace mj::scoring::rpc {
namespace {

using Clock = std::chrono::steady_clock;
using google::protobuf::BytesValue;

constexpr int kInFlight = 32;
constexpr int kCalls = 2000;     // of one iteration
constexpr int kBatchCalls = 20;  // of one iteration, of kBatch rounds each
constexpr int kBatch = 100;
constexpr int kIterations = 10;
constexpr char kScoreRound[] = "/mahjong.scoring.v1.ScoringService/ScoreRound";
constexpr char kBatchScoreRounds[] = "/mahjong.scoring.v1.ScoringService/BatchScoreRounds";
constexpr char kEcho[] = "/bench.Echo/Echo";          // through the front, as every rpc
constexpr char kBareEcho[] = "/bench.BareEcho/Echo";  // straight on gRPC

// Answers with as many bytes as the first four of the request say.
void EchoInto(const BytesValue& request, BytesValue& response) {
  std::uint32_t size = 0;
  if (request.value().size() >= sizeof size) {
    std::memcpy(&size, request.value().data(), sizeof size);
  }
  response.mutable_value()->assign(size, 'x');
}

class EchoService final : public grpc::Service {
 public:
  using Handler = std::function<grpc::ServerUnaryReactor*(grpc::CallbackServerContext*,
                                                          const BytesValue*, BytesValue*)>;
  EchoService(const char* method, Handler handler) {
    AddMethod(new grpc::internal::RpcServiceMethod(method, grpc::internal::RpcMethod::NORMAL_RPC,
                                                   nullptr));
    MarkMethodCallback(
        0, new grpc::internal::CallbackUnaryHandler<BytesValue, BytesValue>(std::move(handler)));
  }
};
struct EchoName {
  static const char* service_full_name() { return "bench.Echo"; }
};
struct BareEchoName {
  static const char* service_full_name() { return "bench.BareEcho"; }
};

absl::Status BindAll(mj::rpc::Bindings& bindings) {
  mj::rpc::Front& front = bindings.front();
  bindings.AddService<v1::ScoringService>(std::make_unique<ScoringService>(front));
  bindings.AddService<EchoName>(std::make_unique<EchoService>(
      kEcho, [&front](grpc::CallbackServerContext* context, const BytesValue* request,
                      BytesValue* response) {
        return front.UnaryNow(context, "Echo", request, response,
                              [](mj::rpc::Call&, const BytesValue& in, BytesValue& out) {
                                EchoInto(in, out);
                                return absl::OkStatus();
                              });
      }));
  bindings.AddService<BareEchoName>(std::make_unique<EchoService>(
      kBareEcho,
      [](grpc::CallbackServerContext* context, const BytesValue* request, BytesValue* response) {
        EchoInto(*request, *response);
        grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
        reactor->Finish(grpc::Status::OK);
        return reactor;
      }));
  return absl::OkStatus();
}

// Ties the process to the `index`-th core that it may use; not at all where there is no such core.
void PinTo(int index) {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed) || index-- > 0) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
    return;
  }
}

// The server's process: serves until `until` reaches its end.
int Serve(int address_out, int until) {
  PinTo(1);
  const auto service = mj::rpc::StartService("bench", {.log_level = obs::LogLevel::kWarn}, BindAll);
  MJ_CHECK(service.ok());
  const std::string line = (*service)->address() + "\n";
  MJ_CHECK(write(address_out, line.data(), line.size()) == static_cast<ssize_t>(line.size()));
  char byte = 0;
  while (read(until, &byte, 1) > 0) {
  }
  return 0;
}

// One prepared call.
struct Prepared {
  grpc::ByteBuffer request;
  std::size_t request_bytes = 0;
  std::size_t response_bytes = 0;
};

grpc::ByteBuffer BytesOf(const std::string& text) {
  const grpc::Slice slice(text);
  return grpc::ByteBuffer(&slice, 1);
}

// What an iteration's calls took.
struct Sample {
  double seconds = 0;
  double p99_seconds = 0;
};

class Client {
 public:
  explicit Client(const std::string& address)
      : channel_(mj::rpc::ConnectedChannel({.target = address})), stub_(channel_) {}

  // `request` once, for its answer's size.
  Prepared Prepare(const std::string& method, const std::string& request) {
    Prepared prepared{BytesOf(request), request.size(), 0};
    grpc::ClientContext context;
    grpc::ByteBuffer response;
    grpc::Status status;
    Waiter waiter;
    stub_.UnaryCall(&context, method, {}, &prepared.request, &response, [&](grpc::Status ended) {
      status = std::move(ended);
      waiter.Done();
    });
    waiter.Wait();
    MJ_CHECK(status.ok());
    prepared.response_bytes = response.Length();
    return prepared;
  }

  // `calls` calls, kInFlight at a time, `prepared` in turn.
  Sample Run(const std::string& method, const std::vector<Prepared>& prepared, int calls) {
    Load load{*this, method, prepared, calls};
    const Clock::time_point begin = Clock::now();
    const int lanes = std::min(kInFlight, calls);
    load.open = lanes;
    for (int lane = 0; lane < lanes; ++lane) load.Next(std::make_shared<Flight>());
    load.waiter.Wait();
    Sample sample;
    sample.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    const auto at = load.latencies.begin() + calls * 99 / 100;
    std::nth_element(load.latencies.begin(), at, load.latencies.end());
    sample.p99_seconds = *at;
    MJ_CHECK(load.failed == 0);
    return sample;
  }

 private:
  class Waiter {
   public:
    void Done() {
      const std::lock_guard lock(mutex_);
      done_ = true;
      changed_.notify_one();
    }
    void Wait() {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return done_; });
    }

   private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool done_ = false;
  };

  struct Flight {
    std::unique_ptr<grpc::ClientContext> context;
    grpc::ByteBuffer response;
    Clock::time_point begun;
  };

  struct Load {
    Client& client;
    const std::string& method;
    const std::vector<Prepared>& prepared;
    const int calls;
    std::atomic<int> next = 0;
    std::atomic<int> open = 0;
    std::atomic<int> failed = 0;
    std::vector<double> latencies = std::vector<double>(static_cast<std::size_t>(calls));
    Waiter waiter = {};

    void Next(std::shared_ptr<Flight> flight) {
      const int index = next.fetch_add(1);
      if (index >= calls) {
        flight = nullptr;
        if (open.fetch_sub(1) == 1) waiter.Done();
        return;
      }
      flight->context = std::make_unique<grpc::ClientContext>();
      mj::rpc::Prepare(*flight->context, {.timeout = std::chrono::seconds(20)});
      flight->response.Clear();
      flight->begun = Clock::now();
      Flight& at = *flight;
      const Prepared& one = prepared[static_cast<std::size_t>(index) % prepared.size()];
      client.stub_.UnaryCall(
          at.context.get(), method, {}, &one.request, &at.response,
          [this, index, flight = std::move(flight)](const grpc::Status& status) mutable {
            latencies[static_cast<std::size_t>(index)] =
                std::chrono::duration<double>(Clock::now() - flight->begun).count();
            if (!status.ok()) failed.fetch_add(1);
            Next(std::move(flight));
          });
    }
  };

  std::shared_ptr<grpc::Channel> channel_;
  grpc::GenericStub stub_;
};

// Every golden case as a request, an echo of the same sizes for each, and the cases in batches.
struct Workload {
  std::vector<Prepared> rounds, echoes, batches;
};

Prepared EchoOf(Client& client, const Prepared& like) {
  // A BytesValue has a tag and a length of one or two bytes before its payload.
  const auto payload = [](std::size_t bytes) { return bytes - (bytes < 130 ? 2 : 3); };
  BytesValue message;
  message.mutable_value()->assign(payload(like.request_bytes), 'x');
  const auto size = static_cast<std::uint32_t>(payload(like.response_bytes));
  std::memcpy(message.mutable_value()->data(), &size, sizeof size);
  Prepared echo = client.Prepare(kBareEcho, message.SerializeAsString());
  MJ_CHECK(echo.request_bytes == like.request_bytes);
  MJ_CHECK(echo.response_bytes == like.response_bytes);
  return echo;
}

Workload MakeWorkload(Client& client) {
  Workload workload;
  v1::BatchScoreRoundsRequest batch;
  const std::vector<casefile::Case> cases = GoldenCases();
  MJ_CHECK(!cases.empty(), "tests/cases/cases.json: run from the top of the tree");
  for (std::size_t i = 0; i < std::max<std::size_t>(cases.size(), kBatch); ++i) {
    const v1::ScoreRoundRequest request = RequestOf(cases[i % cases.size()]);
    if (i < cases.size()) {
      workload.rounds.push_back(client.Prepare(kScoreRound, request.SerializeAsString()));
      workload.echoes.push_back(EchoOf(client, workload.rounds.back()));
    }
    *batch.add_requests() = request;
    if (batch.requests_size() < kBatch) continue;
    workload.batches.push_back(client.Prepare(kBatchScoreRounds, batch.SerializeAsString()));
    batch.clear_requests();
  }
  return workload;
}

Client* client = nullptr;
Workload* workload = nullptr;

void CallsPerSecond(benchmark::State& bench, const char* method, const std::vector<Prepared>* calls,
                    int count, int items_each, double target) {
  for (auto _ : bench) bench.SetIterationTime(client->Run(method, *calls, count).seconds);
  bench.SetItemsProcessed(bench.iterations() * count * items_each);
  if (target > 0) bench.counters["target"] = target;
}

void Slowest(benchmark::State& bench, const char* method, const std::vector<Prepared>* calls,
             double target) {
  for (auto _ : bench) bench.SetIterationTime(client->Run(method, *calls, kCalls).p99_seconds);
  if (target > 0) bench.counters["target"] = target;
}

void RegisterAll() {
  const auto* rounds = &workload->rounds;
  const auto* echoes = &workload->echoes;
  const auto* batches = &workload->batches;
  const auto rate = [](const std::string& name, auto... arguments) {
    benchmark::RegisterBenchmark(name.c_str(), CallsPerSecond, arguments...)
        ->UseManualTime()
        ->Iterations(kIterations);
  };
  const auto slowest = [](const std::string& name, auto... arguments) {
    benchmark::RegisterBenchmark(name.c_str(), Slowest, arguments...)
        ->UseManualTime()
        ->Iterations(kIterations)
        ->Unit(benchmark::kMicrosecond);
  };
  rate("P7/score_round/ours", kScoreRound, rounds, kCalls, 1, 0.9);
  rate("P7/score_round/reference", kEcho, echoes, kCalls, 1, 0.0);
  rate("P7/score_round_beside_bare_grpc/ours", kScoreRound, rounds, kCalls, 1, 0.0);
  rate("P7/score_round_beside_bare_grpc/reference", kBareEcho, echoes, kCalls, 1, 0.0);
  rate("P7/rounds_of_a_batch/ours", kBatchScoreRounds, batches, kBatchCalls, kBatch, 10.0);
  rate("P7/rounds_of_a_batch/reference", kEcho, echoes, kCalls, 1, 0.0);
  // Reference over ours: 1 / 1.3.
  slowest("P7/score_round_p99/ours", kScoreRound, rounds, 1 / 1.3);
  slowest("P7/score_round_p99/reference", kEcho, echoes, 0.0);
}

int Main(int argc, char** argv) {
  std::array<int, 2> address{}, until{};
  MJ_CHECK(pipe(address.data()) == 0 && pipe(until.data()) == 0);
  // Before gRPC has any thread.
  const pid_t server = fork();
  MJ_CHECK(server >= 0);
  if (server == 0) {
    close(until[1]);
    return Serve(address[1], until[0]);
  }
  close(until[0]);
  close(address[1]);
  PinTo(0);
  std::string line;
  for (char byte = 0; read(address[0], &byte, 1) == 1 && byte != '\n';) line += byte;
  {
    Client own(line);
    Workload made = MakeWorkload(own);
    client = &own;
    workload = &made;
    RegisterAll();
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
  }
  close(until[1]);
  int status = 0;
  waitpid(server, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

}  // namespace
}  // namespace mj::scoring::rpc

int main(int argc, char** argv) { return mj::scoring::rpc::Main(argc, argv); }
