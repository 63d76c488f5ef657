// A pool's numbers as Prometheus metrics.
#pragma once

#include "libs/obs/metrics.h"
#include "libs/pg/pool.h"

namespace mj::pg {

// mahjong_pg_connections{state="in_use"|"idle"}, mahjong_pg_waiting and, counting from the pool's
// beginning, mahjong_pg_connections_opened, mahjong_pg_connections_lost, mahjong_pg_reruns and
// mahjong_pg_wait_timeouts. Thread-safe.
class PoolMetrics {
 public:
  explicit PoolMetrics(obs::Metrics& metrics);

  // For PoolOptions::observer.
  void Set(const PoolStats& stats);

 private:
  prometheus::Gauge& in_use_;
  prometheus::Gauge& idle_;
  prometheus::Gauge& waiting_;
  prometheus::Gauge& opened_;
  prometheus::Gauge& lost_;
  prometheus::Gauge& reruns_;
  prometheus::Gauge& timeouts_;
};

}  // namespace mj::pg
