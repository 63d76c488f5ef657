#include "services/table/wiring.h"

#include <chrono>
#include <future>
#include <memory>

#include "libs/base/executor.h"
#include "libs/base/periodic.h"
#include "libs/base/status.h"
#include "libs/pg/pool.h"
#include "libs/pg/pool_metrics.h"
#include "libs/rpc/client.h"
#include "services/table/app/journal.h"
#include "services/table/app/keeper.h"
#include "services/table/app/outbox.h"
#include "services/table/app/records.h"
#include "services/table/app/tables.h"
#include "services/table/monitoring.h"
#include "services/table/peers/journal_rows_client.h"
#include "services/table/peers/scorer_client.h"
#include "services/table/peers/wallet_client.h"
#include "services/table/rpc/operator_service.h"
#include "services/table/rpc/service.h"
#include "services/table/store/pg_event_log.h"
#include "services/table/store/pg_leases.h"
#include "services/table/store/pg_lobby.h"
#include "services/table/store/pg_operations.h"
#include "services/table/store/pg_outbox.h"
#include "services/table/store/pg_round_store.h"
#include "services/table/upkeep.h"

namespace mj::table {
namespace {

using base::Executor;
using base::ExecutorOptions;

// Between a round's end and its record.
constexpr std::chrono::milliseconds kUpkeepPause{1'000};
// Between looks for what those who follow the feeds have not been told.
constexpr std::chrono::milliseconds kOutboxPause{100};
// Between looks for whether rounds may begin.
constexpr std::chrono::milliseconds kStopPause{1'000};

// Both peers answer the same question the same way, so a call that found nobody is sent again.
std::shared_ptr<grpc::Channel> Connect(const std::string& address) {
  return mj::rpc::MakeChannel({.target = address, .retry_safe = true});
}

}  // namespace

absl::Status Bind(const Config& config, mj::rpc::Bindings& bindings) {
  base::Clock& clock = bindings.clock();
  Monitor& monitor = bindings.Own(MakeMonitor(bindings.metrics(), bindings.log()));

  // One thread writes the journal, what waits meanwhile is its next group, while another tells the tables
  // of the group before. One keeps the lease, and one
  // makes records, one tells what ended to whoever follows, and one looks for what operators have stopped.
  // The others read.
  auto& pool_metrics = bindings.Own(std::make_unique<pg::PoolMetrics>(bindings.metrics()));
  pg::PoolOptions pool_options{.url = config.database,
                               .application_name = "mj-table",
                               .connections_max = config.server.workers + 5,
                               .prepared_statements = config.prepared_statements};
  pool_options.observer = [&pool_metrics](const pg::PoolStats& stats) { pool_metrics.Set(stats); };
  auto& pool = bindings.Own(std::make_unique<pg::Pool>(pool_options, clock));
  auto& log = bindings.Own(std::make_unique<store::PgEventLog>(pool, clock));
  log.OnRefused([logger = bindings.log()](const TableId& table, const absl::Status& status) {
    logger.Error("journal refused",
                 {{"table_id", table.value()}, {"error", std::string(status.message())}});
  });
  MJ_RETURN_IF_ERROR(log.Check());
  auto& leases = bindings.Own(std::make_unique<store::PgLeases>(pool, clock));
  auto& lobby = bindings.Own(std::make_unique<store::PgLobby>(pool, clock));
  auto& operations = bindings.Own(std::make_unique<store::PgOperations>(pool, clock));
  auto& rounds = bindings.Own(std::make_unique<store::PgRoundStore>(pool, clock));
  MJ_RETURN_IF_ERROR(rounds.MakePartitions(1).status());
  auto& outbox = bindings.Own(std::make_unique<store::PgOutbox>(pool, clock));
  auto& tail = bindings.Own(std::make_unique<OutboxTail>(outbox));
  auto& turns = bindings.Own(std::make_unique<base::Periodic>("outbox", [&tail] { tail.Turn(); }));

  auto& writer = bindings.Own(
      std::make_unique<Executor>(ExecutorOptions{.name = "journal", .threads = 2, .queue_max = 1}));
  auto& queues = bindings.Own(std::make_unique<Executor>(
      ExecutorOptions{.name = "tables", .threads = config.table_threads, .queue_max = 100'000}));
  auto& journal = bindings.Own(std::make_unique<Journal>(log, writer, clock, monitor));
  const auto wallet_channel = Connect(config.wallet_address);
  auto& rows =
      bindings.Own(std::make_unique<peers::JournalRowsClient>(wallet_channel, config.peer_timeout));
  auto& records = bindings.Own(std::make_unique<Records>(rounds, rows));
  auto& upkeep = bindings.Own(
      std::make_unique<Upkeep>(rounds, outbox, records, clock, bindings.metrics(), bindings.log(),
                               UpkeepOptions{.keep_events_days = config.keep_events_days,
                                             .keep_records_days = config.keep_records_days}));
  auto& scorer = bindings.Own(
      std::make_unique<peers::ScorerClient>(Connect(config.scoring_address), config.peer_timeout));
  auto& wallet =
      bindings.Own(std::make_unique<peers::WalletClient>(wallet_channel, config.peer_timeout));
  const OwnerId self(bindings.ids().Next());
  auto& tables = bindings.Own(std::make_unique<Tables>(
      Surroundings{log, journal, scorer, wallet, queues, bindings.executor(), clock,
                   bindings.entropy(), bindings.ids(), monitor, leases, self, TableLimits{}},
      TablesOptions{.tables_max = static_cast<std::size_t>(config.tables_max),
                    .settings = config.settings}));
  const auto address = [&bindings, advertise = config.advertise] {
    return advertise.empty() ? bindings.ServedAt() : advertise;
  };
  auto& beats = bindings.Own(
      std::make_unique<Executor>(ExecutorOptions{.name = "lease", .threads = 1, .queue_max = 1}));
  auto& keeper = bindings.Own(std::make_unique<Keeper>(
      KeeperParts{leases, tables, beats, clock, monitor}, self, config.instance, address,
      KeeperOptions{.lease = config.lease, .beat = config.lease / 3}));
  bindings.AddService<::mahjong::table::v1::TableService>(std::make_unique<rpc::TableService>(
      bindings.front(), tables, lobby, records, tail, clock, queues, address));
  bindings.AddService<::mahjong::table::v1::TableOperatorService>(
      std::make_unique<rpc::OperatorService>(bindings.front(), tables, operations, clock,
                                             bindings.executor(), address));
  // Before any table is held: none begins a round that it should not.
  MJ_ASSIGN_OR_RETURN(const RoundsStopped stop, operations.PresentStop());
  tables.SetStop(stop);
  auto& stops = bindings.Own(std::make_unique<base::Periodic>("stops", [&tables, &operations] {
    // One that fails is asked again at the next look; what is known stands until then.
    const absl::StatusOr<RoundsStopped> present = operations.PresentStop();
    if (present.ok()) tables.SetStop(*present);
  }));

  bindings.OnDrain("tables", [&tables, &keeper, &journal] {
    std::promise<void> given;
    keeper.GiveAll([&given] { given.set_value(); });
    given.get_future().wait();
    tables.Stop();
    journal.Stop();
  });
  bindings.OnStop("tables", [&scorer, &wallet, &queues, &writer, &keeper, &beats] {
    // Whoever posts to the queues ends before them.
    keeper.Stop();
    beats.Stop();
    scorer.Stop();
    wallet.Stop();
    writer.Stop();
    queues.Stop();
  });
  bindings.OnStop("upkeep", [&upkeep] { upkeep.Stop(); });
  bindings.OnStop("outbox", [&turns] { turns.Stop(); });
  bindings.OnStop("stops", [&stops] { stops.Stop(); });
  upkeep.Start(kUpkeepPause);
  turns.Start(kOutboxPause);
  stops.Start(kStopPause);
  keeper.Start();
  return absl::OkStatus();
}

}  // namespace mj::table
