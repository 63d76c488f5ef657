// What the use cases found, as the wire says it.
#pragma once

#include <span>

#include "libs/receipt/readings.h"
#include "mahjong/scoring/v1/score.pb.h"
#include "mahjong/scoring/v1/scoring_service.pb.h"
#include "services/scoring/app/scoring.h"

namespace mj::scoring::rpc {

namespace proto = ::mahjong::scoring::v1;

// REQUIRES: `verdict` is about the claim `win` in `game`.
void Fill(const Game& game, const rules::Deal& deal, const rules::Win& win, HandVerdict verdict,
          proto::EvaluateHandResponse& out);

void Fill(const Game& game, const rules::Deal& deal, std::span<const TileWait> waits,
          proto::ListWaitsResponse& out);

}  // namespace mj::scoring::rpc
