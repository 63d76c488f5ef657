// What operators hear of, as metrics and log lines.
#pragma once

#include <memory>

#include "libs/obs/log.h"
#include "libs/obs/metrics.h"
#include "services/matchmaking/app/monitor.h"

namespace mj::matchmaking {

// Metrics: mahjong_matches_total, mahjong_matches_ended_total{how}, mahjong_tickets_expired_total,
// mahjong_seats_freed_total, mahjong_matchmaking_told_total{feed},
// mahjong_matchmaking_failures_total{what}, mahjong_tickets_queued,
// mahjong_tickets_oldest_age_seconds, mahjong_matches_unfinished,
// mahjong_matches_unfinished_oldest_age_seconds, mahjong_seats_live. `metrics` must outlive it.
[[nodiscard]] std::unique_ptr<Monitor> MakeMonitor(obs::Metrics& metrics, const obs::Logger& log);

}  // namespace mj::matchmaking
