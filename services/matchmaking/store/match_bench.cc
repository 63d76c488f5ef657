// P9: from tickets to assignments, by whole replicas (their loops, the real store and matcher; tables that are made
// at once), beside a plain script with 8 clients that claims four rows and writes the match in one transaction. The
// script asks for nothing but who waits longest; it knows neither parties nor windows nor a table that may fail.
//
// The database is durable, as in production. Tickets are queued before the clock runs, by SQL, in one pool.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "libs/base/check.h"
#include "libs/base/clock.h"
#include "libs/base/entropy.h"
#include "libs/base/executor.h"
#include "libs/base/mutex.h"
#include "libs/base/uuid.h"
#include "libs/pg/cluster_testing.h"
#include "libs/pg/pool.h"
#include "libs/pg/process_testing.h"
#include "services/matchmaking/app/fake_peers_testing.h"
#include "services/matchmaking/app/loops.h"
#include "services/matchmaking/app/monitor.h"
#include "services/matchmaking/app/seat_keeper.h"
#include "services/matchmaking/app/seating.h"
#include "services/matchmaking/app/ticket_watch.h"
#include "services/matchmaking/store/pg_store.h"
#include "tests/support/counts.h"

namespace mj::matchmaking::store {
namespace {

using Clock = std::chrono::steady_clock;

// Tickets that wait: with the long count ten times what a replica is offered at once. A multiple of 32.
std::int64_t Tickets() { return mj::testing::Count(4'000) / 32 * 32 + 32; }

// One durable cluster for the whole program.
const pg::testing::Database& TheDatabase() {
  static pg::testing::Cluster cluster(pg::testing::Cluster::Durability::kDurable);
  static const pg::testing::Database database(cluster);
  return database;
}

// An empty schema but for so many tickets of one pool, whose ratings lie close together.
void Fill(std::int64_t tickets) {
  TheDatabase().Execute(
      "TRUNCATE matchmaking.live_seats, matchmaking.match_members, matchmaking.tickets,"
      " matchmaking.matches CASCADE;"
      "INSERT INTO matchmaking.tickets (id, request_id, player_id, variant, options, base,"
      " currency, asked_base, device_id, network, rating, expires_at)"
      " SELECT 't' || n, 'r' || n, 'p' || n, 'chaozhou', '{}', 100, 'COIN', 0, 'd' || n,"
      "  '10.' || n / 65536 || '.' || n / 256 % 256 || '.' || n % 256, 25000000 + n % 1000,"
      "  now() + interval '1 hour' FROM generate_series(1, " +
      std::to_string(tickets) + ") n");
  TheDatabase().Execute("VACUUM ANALYZE matchmaking.tickets");
}

// When who was seated, by all replicas.
class Counter final : public Monitor {
 public:
  void OnSeated(const Match& /*match*/, Seated how) override {
    MJ_CHECK(how == Seated::kAssigned);
    base::MutexLock lock(mutex_);
    seated_.push_back(Clock::now());
    changed_.NotifyAll();
  }
  void OnFailure(std::string_view /*what*/, const absl::Status& status) override {
    // More matches than wait for the seater come back when they are due.
    MJ_CHECK(absl::IsResourceExhausted(status), std::string(status.message()));
  }
  // Of each match, in order, once there are so many.
  std::vector<Clock::time_point> Await(std::int64_t matches) {
    base::MutexLock lock(mutex_);
    while (seated_.size() < static_cast<std::size_t>(matches)) changed_.Wait(mutex_);
    return seated_;
  }

 private:
  base::Mutex mutex_;
  base::CondVar changed_;
  std::vector<Clock::time_point> seated_ ABSL_GUARDED_BY(mutex_);
};

// As wiring puts one together, but for gRPC, and for the table service.
class Replica {
 public:
  explicit Replica(Tables& tables)
      : pool_({.url = TheDatabase().url(), .connections_max = 10}, clock_),
        store_(pool_, clock_),
        seats_(store_, tables, {.check_interval = Millis(15'000)}),
        seating_(store_, tables, {}),
        watch_(store_, clock_) {}

  // Until Stop. Again: with the connections that it has.
  void Start(Counter& counter) {
    beats_.emplace(base::ExecutorOptions{.name = "beats", .threads = 4});
    seater_.emplace(base::ExecutorOptions{.name = "seater", .threads = 8});
    loops_.emplace(
        LoopParts{clock_, ids_, store_, seating_, seats_, watch_, counter, *beats_, *seater_},
        LoopOptions{});
    loops_->Start();
  }
  void Stop() {
    loops_->Stop();
    seater_.reset();  // what was begun is finished
    loops_.reset();
    beats_.reset();
  }

 private:
  base::SystemClock clock_;
  base::SystemEntropy entropy_;
  base::UuidGenerator ids_{clock_, entropy_};
  pg::Pool pool_;
  PgStore store_;
  SeatKeeper seats_;
  Seating seating_;
  TicketWatch watch_;
  std::optional<base::Executor> beats_;
  std::optional<base::Executor> seater_;
  std::optional<Loops> loops_;
};

std::int64_t Matches() { return Tickets() / static_cast<std::int64_t>(kSeats); }

// Has so many tickets of a full pool seated; how long each match took from the beginning, in seconds, in order.
std::vector<double> Seat(const std::vector<std::unique_ptr<Replica>>& replicas,
                         std::int64_t tickets) {
  Fill(tickets);
  Counter counter;
  const Clock::time_point begun = Clock::now();
  for (const auto& replica : replicas) replica->Start(counter);
  std::vector<double> took;
  for (const Clock::time_point seated :
       counter.Await(tickets / static_cast<std::int64_t>(kSeats))) {
    took.push_back(std::chrono::duration<double>(seated - begun).count());
  }
  for (const auto& replica : replicas) replica->Stop();
  return took;
}

// The same by replicas that have been running for a while: they are connected and know their statements, as
// pgbench's clients are.
std::vector<double> SeatAll(int replicas) {
  FakeTables tables;
  std::vector<std::unique_ptr<Replica>> running;
  for (int i = 0; i < replicas; ++i) running.push_back(std::make_unique<Replica>(tables));
  Seat(running, 64 * replicas);
  for (const auto& [player, table] : tables.Seated()) tables.Leave(table, player);
  return Seat(running, Tickets());
}

void Replicas(benchmark::State& bench, int replicas, double target) {
  for (auto _ : bench) bench.SetIterationTime(SeatAll(replicas).back());
  bench.SetItemsProcessed(bench.iterations() * Tickets());
  if (target > 0) bench.counters["target"] = target;
}
void OneReplica(benchmark::State& bench) { Replicas(bench, 1, 2); }
void EightReplicas(benchmark::State& bench) { Replicas(bench, 8, 1); }
void OneReplicaAgain(benchmark::State& bench) { Replicas(bench, 1, 0); }

// What 99 of 100 did not wait longer than, the first pause of the replica's loop included.
void WaitInAFullPool(benchmark::State& bench) {
  for (auto _ : bench) {
    const std::vector<double> took = SeatAll(1);
    bench.SetIterationTime(took[(took.size() * 99 + 99) / 100 - 1]);
  }
  bench.counters["at_most"] = 1'000;
}

constexpr const char* kScript = R"sql(
BEGIN;
SELECT 'm' || nextval('bench_matches') AS m \gset
SELECT t[1] AS t1, t[2] AS t2, t[3] AS t3, t[4] AS t4, p[1] AS p1, p[2] AS p2, p[3] AS p3, p[4] AS p4 FROM (SELECT array_agg(id) AS t, array_agg(player_id) AS p FROM (SELECT id, player_id FROM matchmaking.tickets WHERE state = 'queued' AND variant = 'chaozhou' AND base = 100 AND currency = 'COIN' AND media = 'none' AND room_id = '' AND options = '{}' AND expires_at > now() ORDER BY queued_at, id LIMIT 4 FOR UPDATE SKIP LOCKED) q) a \gset
INSERT INTO matchmaking.matches (id, variant, options, base, currency, state, table_id, table_address, next_attempt_at) VALUES (:m, 'chaozhou', '{}', 100, 'COIN', 'assigned', :m, '127.0.0.1:7000', now());
INSERT INTO matchmaking.match_members (match_id, seat, ticket_id, player_id, seated_at) VALUES (:m, 0, :t1, :p1, now()), (:m, 1, :t2, :p2, now()), (:m, 2, :t3, :p3, now()), (:m, 3, :t4, :p4, now());
INSERT INTO matchmaking.live_seats (player_id, match_id, seat, check_after) VALUES (:p1, :m, 0, now()), (:p2, :m, 1, now()), (:p3, :m, 2, now()), (:p4, :m, 3, now());
UPDATE matchmaking.tickets SET state = 'assigned', match_id = :m, changed_at = now() WHERE id IN (:t1, :t2, :t3, :t4);
COMMIT;
)sql";

void PlainScript(benchmark::State& bench) {
  constexpr int kClients = 8;
  TheDatabase().Execute("CREATE SEQUENCE IF NOT EXISTS bench_matches");
  const std::string script =
      (std::filesystem::temp_directory_path() / ("mj-match-" + std::to_string(getpid()) + ".sql"))
          .string();
  std::ofstream(script) << kScript;
  const std::string command = pg::testing::ServerPrograms() + "/pgbench -n -M prepared -c " +
                              std::to_string(kClients) + " -j 1 -t " +
                              std::to_string(Matches() / kClients) + " -f " + script + " '" +
                              TheDatabase().url() + "' 2>&1";
  for (auto _ : bench) {
    // Some are left over: what others hold at the end is nobody else's to claim.
    Fill(Tickets() + 4 * kClients);
    FILE* const run = popen(command.c_str(), "r");
    MJ_CHECK(run != nullptr);
    std::string told;
    std::array<char, 512> line{};
    while (fgets(line.data(), line.size(), run) != nullptr) told += line.data();
    MJ_CHECK(pclose(run) == 0, told);
    const std::size_t at = told.rfind("tps = ");
    MJ_CHECK(at != std::string::npos, told);
    bench.SetIterationTime(static_cast<double>(Matches()) / std::atof(told.c_str() + at + 6));
  }
  bench.SetItemsProcessed(bench.iterations() * Tickets());
  std::filesystem::remove(script);
}

BENCHMARK(OneReplica)->Name("P9/tickets to assignments/ours")->UseManualTime()->Iterations(1);
BENCHMARK(PlainScript)->Name("P9/tickets to assignments/reference")->UseManualTime()->Iterations(1);
BENCHMARK(EightReplicas)->Name("P9/8 replicas to 1/ours")->UseManualTime()->Iterations(1);
BENCHMARK(OneReplicaAgain)->Name("P9/8 replicas to 1/reference")->UseManualTime()->Iterations(1);
BENCHMARK(WaitInAFullPool)
    ->Name("P9/from a full pool to a table, p99")
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

}  // namespace
}  // namespace mj::matchmaking::store
