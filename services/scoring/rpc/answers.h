// What the use cases found, as the wire says it.
#pragma once

#include <span>

#include "libs/receipt/price.h"
#include "libs/receipt/readings.h"
#include "mahjong/scoring/v1/rulebook.pb.h"
#include "mahjong/scoring/v1/score.pb.h"
#include "mahjong/scoring/v1/scoring_service.pb.h"
#include "services/scoring/app/scoring.h"

namespace mj::scoring::rpc {

namespace proto = ::mahjong::scoring::v1;

// REQUIRES: `priced` is the price of `round` in `game`.
void Fill(const Game& game, const rules::FinishedRound& round, const receipt::PricedRound& priced,
          proto::RoundScore& out);

// REQUIRES: `verdict` is about a claim of `seat` in `game`.
void Fill(const Game& game, rules::Seat seat, const HandVerdict& verdict,
          proto::EvaluateHandResponse& out);

// REQUIRES: `waits` are of a hand of `seat` in `game`.
void Fill(const Game& game, rules::Seat seat, std::span<const TileWait> waits,
          proto::ListWaitsResponse& out);

// A game's tables.
void Fill(const rules::Variant& variant, proto::Variant& out);

}  // namespace mj::scoring::rpc
