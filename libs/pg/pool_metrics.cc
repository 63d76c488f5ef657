#include "libs/pg/pool_metrics.h"

namespace mj::pg {
namespace {

constexpr char kConnections[] = "mahjong_pg_connections";
constexpr char kConnectionsHelp[] = "Connections to PostgreSQL at this moment.";

}  // namespace

PoolMetrics::PoolMetrics(obs::Metrics& metrics)
    : in_use_(metrics.Gauge(kConnections, kConnectionsHelp, {{"state", "in_use"}})),
      idle_(metrics.Gauge(kConnections, kConnectionsHelp, {{"state", "idle"}})),
      waiting_(metrics.Gauge("mahjong_pg_waiting", "Calls that wait for a connection.")),
      opened_(metrics.Gauge("mahjong_pg_connections_opened", "Connections made since the start.")),
      lost_(metrics.Gauge("mahjong_pg_connections_lost", "Connections that broke.")),
      reruns_(metrics.Gauge("mahjong_pg_reruns", "Transactions that were run again.")),
      timeouts_(metrics.Gauge("mahjong_pg_wait_timeouts",
                              "Calls that found no free connection before their deadline.")) {}

void PoolMetrics::Set(const PoolStats& stats) {
  in_use_.Set(stats.in_use);
  idle_.Set(stats.idle);
  waiting_.Set(stats.waiting);
  opened_.Set(static_cast<double>(stats.opened));
  lost_.Set(static_cast<double>(stats.lost));
  reruns_.Set(static_cast<double>(stats.reruns));
  timeouts_.Set(static_cast<double>(stats.timeouts));
}

}  // namespace mj::pg
