// P5: SettleRound over gRPC with 64 in flight on the full ledger, beside the same rows written by a
// plain pgbench script with 8 clients, one transaction a settlement, under the same triggers.
// P6: SettleRound one at a time, beside one fdatasync of the same disk.
//
// The database is durable, as in production. Rounds are begun before the clock runs, by SQL: what is
// measured is their settlement alone. Players are 8,000, so that rows are seldom waited for.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "libs/base/check.h"
#include "libs/pg/cluster_testing.h"
#include "libs/pg/process_testing.h"
#include "libs/rpc/connected_testing.h"
#include "libs/rpc/service.h"
#include "mahjong/wallet/v1/wallet_service.grpc.pb.h"
#include "services/wallet/config.h"
#include "services/wallet/wiring.h"

namespace mj::wallet {
namespace {

namespace v1 = ::mahjong::wallet::v1;
using Clock = std::chrono::steady_clock;

constexpr int kTables = 2000;  // of four players each

// One durable cluster with its wallet for the whole program.
class Bed {
 public:
  static Bed& Get() {
    static Bed bed;
    return bed;
  }

  // Begins `count` rounds, one at each table; the number of the first.
  int Begin(int count) {
    MJ_CHECK(count <= kTables);
    const int first = next_round_;
    next_round_ += count;
    database_.Execute(
        "SET session_replication_role = replica;"
        "INSERT INTO wallet.rounds (round_id, content_version, content_hash, table_id,"
        " variant, rulebook_version, currency, base, tier_id, rake, escape_penalty,"
        " escape_compensation, account_nos, close_due)"
        " SELECT 'r' || n, 1, sha256(''), 't' || n % " +
        std::to_string(kTables) +
        ", 'shaoguan', 'v1', 'COIN', 10, 'shaoguan-10', 4, 640, 640,"
        " (SELECT array_agg(account_no ORDER BY account_no) FROM bench_players"
        "  WHERE place = n % " +
        std::to_string(kTables) + "), now() + interval '1 hour' FROM generate_series(" +
        std::to_string(first) + ", " + std::to_string(first + count - 1) + ") n");
    return first;
  }

  v1::SettleRoundRequest Settlement(int round) const {
    const int table = round % kTables;
    v1::SettleRoundRequest request;
    request.set_round_id("r" + std::to_string(round));
    request.set_table_id("t" + std::to_string(table));
    request.set_variant("shaoguan");
    request.set_rulebook_version("v1");
    request.set_base(10);
    for (int seat = 0; seat < 4; ++seat) {
      request.add_player_ids("p" + std::to_string(4 * table + seat));
    }
    const auto winner = static_cast<std::uint32_t>(round % 4);
    for (std::uint32_t other = 1; other < 4; ++other) {
      auto& transfer = *request.add_transfers();
      transfer.set_from_seat((winner + other) % 4);
      transfer.set_to_seat(winner);
      transfer.set_coins(20);
      transfer.set_rule_id("SG-40");
    }
    return request;
  }

  v1::WalletService::Stub& stub() { return *stub_; }
  const pg::testing::Database& database() const { return database_; }

 private:
  Bed() {
    database_.Execute(R"sql(
        INSERT INTO wallet.accounts (account_id, currency, kind)
          SELECT 'p' || n, 'COIN', 'player' FROM generate_series(0, 7999) n;
        INSERT INTO wallet.balances (account_no, coins)
          SELECT account_no, 1000000000 FROM wallet.accounts WHERE kind = 'player';
        INSERT INTO wallet.rulebooks (variant, version, rule_ids)
          VALUES ('shaoguan', 'v1', '{SG-40}');
        CREATE TABLE bench_players AS
          SELECT account_no, substr(account_id, 2)::int / 4 AS place
          FROM wallet.accounts WHERE kind = 'player';
        CREATE INDEX ON bench_players (place);
        CREATE SEQUENCE bench_rounds;
        ANALYZE)sql");
    Config config;
    config.database = database_.url();
    config.server.workers = 64;
    auto started = mj::rpc::StartService(
        "wallet", config.server,
        [config](mj::rpc::Bindings& bindings) { return Bind(config, bindings); },
        {.log_line = [](std::string_view) {}});
    MJ_CHECK(started.ok());
    service_ = *std::move(started);
    stub_ = v1::WalletService::NewStub(mj::rpc::ConnectedChannel({.target = service_->address()}));
  }

  pg::testing::Cluster cluster_{pg::testing::Cluster::Durability::kDurable};
  pg::testing::Database database_{
      std::vector<std::string>{"0001_wallet.sql", "0004_wallet_rounds.sql",
                               "0005_wallet_audit.sql"},
      cluster_};
  std::unique_ptr<mj::rpc::RunningService> service_;
  std::unique_ptr<v1::WalletService::Stub> stub_;
  int next_round_ = 1;
};

// Settles rounds with so many in flight; how long each took, in milliseconds, sorted.
class Burst {
 public:
  Burst(int first, int count) : first_(first), count_(count) {}

  std::vector<double> Run(int in_flight) {
    calls_.resize(static_cast<std::size_t>(count_));
    for (int i = 0; i < count_; ++i) {
      calls_[static_cast<std::size_t>(i)].request = Bed::Get().Settlement(first_ + i);
    }
    for (int i = 0; i < in_flight; ++i) Next();
    std::unique_lock lock(mutex_);
    over_.wait(lock, [&] { return done_ == count_; });
    std::vector<double> took;
    for (const Call& call : calls_) took.push_back(call.milliseconds);
    std::sort(took.begin(), took.end());
    return took;
  }

 private:
  struct Call {
    v1::SettleRoundRequest request;
    v1::SettleRoundResponse response;
    std::unique_ptr<grpc::ClientContext> context;
    Clock::time_point begun;
    double milliseconds = 0;
  };

  void Next() {
    std::size_t at = 0;
    {
      std::scoped_lock lock(mutex_);
      if (next_ == count_) return;
      at = static_cast<std::size_t>(next_++);
    }
    Call& call = calls_[at];
    call.context = std::make_unique<grpc::ClientContext>();
    call.context->set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(60));
    call.begun = Clock::now();
    Bed::Get().stub().async()->SettleRound(
        call.context.get(), &call.request, &call.response,
        [this, &call](const grpc::Status& status) {
          MJ_CHECK(status.ok(), status.error_message());
          call.milliseconds =
              std::chrono::duration<double, std::milli>(Clock::now() - call.begun).count();
          Next();
          std::scoped_lock lock(mutex_);
          if (++done_ == count_) over_.notify_all();
        });
  }

  const int first_;
  const int count_;
  std::vector<Call> calls_;
  std::mutex mutex_;
  std::condition_variable over_;
  int next_ = 0;
  int done_ = 0;
};

double Quantile(const std::vector<double>& sorted, double part) {
  return sorted[static_cast<std::size_t>(part * static_cast<double>(sorted.size() - 1))];
}

void Settle(benchmark::State& bench, int in_flight, int count, double target) {
  std::vector<double> all;
  Burst(Bed::Get().Begin(count), count).Run(in_flight);  // warm: statements are prepared
  for (auto _ : bench) {
    Burst burst(Bed::Get().Begin(count), count);
    const Clock::time_point begun = Clock::now();
    std::vector<double> took = burst.Run(in_flight);
    bench.SetIterationTime(std::chrono::duration<double>(Clock::now() - begun).count());
    all.insert(all.end(), took.begin(), took.end());
  }
  std::sort(all.begin(), all.end());
  bench.SetItemsProcessed(bench.iterations() * count);
  bench.counters["target"] = target;
  bench.counters["p50_ms"] = Quantile(all, 0.5);
  bench.counters["p99_ms"] = Quantile(all, 0.99);
}

void SettleMany(benchmark::State& bench) { Settle(bench, 64, kTables, 4); }
void SettleOne(benchmark::State& bench) { Settle(bench, 1, 200, 0.125); }

// The rows of SettleMany's settlements, each in a transaction of its own.
constexpr const char* kScript = R"sql(
SELECT nextval('bench_rounds') AS n \gset
SELECT round_no, account_nos[1] AS a, account_nos[2] AS b, account_nos[3] AS c, account_nos[4] AS d FROM wallet.rounds WHERE round_id = 'r' || :n \gset
BEGIN;
SELECT coins, last_sequence FROM wallet.balances WHERE account_no IN (:a, :b, :c, :d) ORDER BY account_no FOR UPDATE;
SELECT chain_no, head_sequence, head_hash::text AS head, written_at::text AS written, journal_nos[1] AS j FROM wallet.take_chain(1) \gset
INSERT INTO wallet.journal (journal_no, kind, request_key, content_version, content_hash, actor, reason, table_id, round_id, rulebook_version, happened_at, written_at, chain_no, chain_sequence, previous_hash, hash) VALUES (:j, 'settlement', 'round/r' || :n, 1, sha256('c'), 'bench', '', 't', 'r' || :n, 'v1', now(), :written::timestamptz, :chain_no, :head_sequence + 1, :head::bytea, sha256(:head::bytea || int8send(:j)));
UPDATE wallet.balances SET coins = coins + 56, last_sequence = last_sequence + 2 WHERE account_no = :a;
UPDATE wallet.balances SET coins = coins - 24, last_sequence = last_sequence + 2 WHERE account_no = :b;
UPDATE wallet.balances SET coins = coins - 24, last_sequence = last_sequence + 2 WHERE account_no = :c;
UPDATE wallet.balances SET coins = coins - 24, last_sequence = last_sequence + 2 WHERE account_no = :d;
INSERT INTO wallet.entries (journal_no, line_no, written_at, account_no, currency, purpose, coins, balance_after, sequence) SELECT :j::bigint, l.line, :written::timestamptz, l.account, 'COIN', l.purpose, l.coins, b.coins - l.later, b.last_sequence - l.back FROM (VALUES (1, :a::bigint, 'payment', 60, -4, 1), (2, :b::bigint, 'payment', -20, -4, 1), (3, :c::bigint, 'payment', -20, -4, 1), (4, :d::bigint, 'payment', -20, -4, 1), (5, :a::bigint, 'rake', -4, 0, 0), (6, :b::bigint, 'rake', -4, 0, 0), (7, :c::bigint, 'rake', -4, 0, 0), (8, :d::bigint, 'rake', -4, 0, 0)) l (line, account, purpose, coins, later, back) JOIN wallet.balances b ON b.account_no = l.account UNION ALL SELECT :j::bigint, 9, :written::timestamptz, account_no, 'COIN', 'rake', 16, NULL, NULL FROM wallet.accounts WHERE account_id = 'house_rake' AND currency = 'COIN';
INSERT INTO wallet.settlements (journal_no, variant, base, currency, rake, account_nos, net, rake_paid, balance_after) VALUES (:j, 'shaoguan', 10, 'COIN', 4, ARRAY[:a, :b, :c, :d]::bigint[], '{56,-24,-24,-24}', '{4,4,4,4}', '{0,0,0,0}');
INSERT INTO wallet.settlement_transfers (journal_no, line_no, from_seat, to_seat, rule_id, coins) VALUES (:j, 1, 1, 0, 'SG-40', 20), (:j, 2, 2, 0, 'SG-40', 20), (:j, 3, 3, 0, 'SG-40', 20);
INSERT INTO wallet.round_closes (round_no, how, journal_no) VALUES (:round_no, 'settlement', :j);
COMMIT;
)sql";

void PlainScript(benchmark::State& bench) {
  constexpr int kClients = 8;
  const std::string script =
      (std::filesystem::temp_directory_path() / ("mj-settle-" + std::to_string(getpid()) + ".sql"))
          .string();
  std::ofstream(script) << kScript;
  const std::string command = pg::testing::ServerPrograms() + "/pgbench -n -M prepared -c " +
                              std::to_string(kClients) + " -j 1 -t " +
                              std::to_string(kTables / kClients) + " -f " + script + " '" +
                              Bed::Get().database().url() + "' 2>&1";
  for (auto _ : bench) {
    const int first = Bed::Get().Begin(kTables);
    Bed::Get().database().Execute("SELECT setval('bench_rounds', " + std::to_string(first) +
                                  ", false)");
    FILE* const run = popen(command.c_str(), "r");
    MJ_CHECK(run != nullptr);
    std::string told;
    std::array<char, 512> line{};
    while (fgets(line.data(), line.size(), run) != nullptr) told += line.data();
    MJ_CHECK(pclose(run) == 0, told);
    const std::size_t at = told.rfind("tps = ");
    MJ_CHECK(at != std::string::npos, told);
    bench.SetIterationTime(kTables / std::atof(told.c_str() + at + 6));
  }
  bench.SetItemsProcessed(bench.iterations() * kTables);
  std::filesystem::remove(script);
}

void Fdatasync(benchmark::State& bench) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("mj-sync-" + std::to_string(getpid()))).string();
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  MJ_CHECK(file >= 0);
  const std::string block(8192, 'x');
  for (int i = 0; i < 256; ++i) MJ_CHECK(write(file, block.data(), block.size()) == 8192);
  MJ_CHECK(fsync(file) == 0);
  off_t at = 0;
  for (auto _ : bench) {
    // As a log is written: over what was allocated before.
    MJ_CHECK(pwrite(file, block.data(), block.size(), at % (256 * 8192)) == 8192);
    at += 8192;
    const Clock::time_point begun = Clock::now();
    MJ_CHECK(fdatasync(file) == 0);
    bench.SetIterationTime(std::chrono::duration<double>(Clock::now() - begun).count());
  }
  bench.SetItemsProcessed(bench.iterations());
  close(file);
  std::filesystem::remove(path);
}

BENCHMARK(SettleMany)->Name("P5/settle_round/ours")->UseManualTime()->Iterations(2);
BENCHMARK(PlainScript)->Name("P5/settle_round/reference")->UseManualTime()->Iterations(1);
BENCHMARK(SettleOne)->Name("P6/settle_one/ours")->UseManualTime()->Iterations(2);
BENCHMARK(Fdatasync)->Name("P6/settle_one/reference")->UseManualTime()->Iterations(300);

}  // namespace
}  // namespace mj::wallet
