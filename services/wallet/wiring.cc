#include "services/wallet/wiring.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "libs/base/status.h"
#include "libs/pg/pool.h"
#include "libs/pg/pool_metrics.h"
#include "services/wallet/app/wallet.h"
#include "services/wallet/rpc/operator_service.h"
#include "services/wallet/rpc/service.h"
#include "services/wallet/store/pg_ledger_store.h"
#include "services/wallet/store/pg_trail.h"
#include "services/wallet/store/upkeep_rows.h"
#include "services/wallet/upkeep.h"

namespace mj::wallet {
namespace {

constexpr int kConnectionsMax = 16;

}  // namespace

absl::Status Bind(const Config& config, mj::rpc::Bindings& bindings) {
  auto& metrics = bindings.Own(std::make_unique<pg::PoolMetrics>(bindings.metrics()));
  // Most workers wait in a group commit, which takes two connections.
  pg::PoolOptions options{.url = config.database,
                          .application_name = "mj-wallet",
                          .connections_max = std::min(config.server.workers, kConnectionsMax),
                          .prepared_statements = config.prepared_statements,
                          .plans_by_index = true};
  options.observer = [&metrics](const pg::PoolStats& stats) { metrics.Set(stats); };
  auto& pool = bindings.Own(std::make_unique<pg::Pool>(options, bindings.clock()));
  MJ_RETURN_IF_ERROR(
      store::CheckSchema(pool, bindings.clock().Monotonic() + std::chrono::seconds(10)));
  MJ_RETURN_IF_ERROR(
      store::MakePartitions(pool, bindings.clock().Monotonic() + std::chrono::seconds(30)));
  UpkeepOptions upkeep_options{.audit_rows = config.audit_rows, .seal = {}};
  if (config.seal) {
    MJ_ASSIGN_OR_RETURN(upkeep_options.seal, ReadSeal(config.seal->key, config.seal->folder));
  }
  auto& upkeep = bindings.Own(std::make_unique<Upkeep>(pool, bindings.clock(), bindings.metrics(),
                                                       bindings.log(), std::move(upkeep_options)));
  bindings.OnStop("upkeep", [&upkeep] { upkeep.Stop(); });
  upkeep.Start(config.upkeep_pause);
  auto& store = bindings.Own(std::make_unique<store::PgLedgerStore>(pool));
  auto& wallet = bindings.Own(
      std::make_unique<Wallet>(store, bindings.clock(), BuiltInRuleIds(), config.wallet));
  bindings.AddService<::mahjong::wallet::v1::WalletService>(
      std::make_unique<rpc::WalletService>(bindings.front(), wallet, bindings.clock()));
  auto& trail = bindings.Own(std::make_unique<store::PgTrail>(pool));
  bindings.AddService<::mahjong::wallet::v1::WalletOperatorService>(
      std::make_unique<rpc::OperatorService>(bindings.front(), trail, bindings.clock()));
  return absl::OkStatus();
}

}  // namespace mj::wallet
