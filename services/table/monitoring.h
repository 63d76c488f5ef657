// What operators hear of, as metrics and log lines.
#pragma once

#include <memory>

#include "libs/obs/log.h"
#include "libs/obs/metrics.h"
#include "services/table/app/monitor.h"

namespace mj::table {

// Metrics: mahjong_journal_commits_total, mahjong_journal_events_total,
// mahjong_journal_failures_total, mahjong_journal_waiting_tables, mahjong_tables_held,
// mahjong_tables_lost_total, mahjong_table_replay_failures_total,
// mahjong_rounds_begun_total{variant}, mahjong_rounds_settled_total{variant},
// mahjong_round_end_failures_total{peer, needs_person}, mahjong_streams_too_slow_total. `metrics`
// must outlive it.
[[nodiscard]] std::unique_ptr<Monitor> MakeMonitor(obs::Metrics& metrics, const obs::Logger& log);

}  // namespace mj::table
