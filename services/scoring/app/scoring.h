// What rounds and hands are worth. Pure functions of the question: any thread.
//
// A win that the rules do not allow is an answer, no failure. Everything here may fail with
//   BAD_BASE, and every reason of refusal.h for a round or hand that cannot be.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "libs/receipt/price.h"
#include "libs/receipt/readings.h"
#include "services/scoring/app/game.h"

namespace mj::scoring {

// What a finished round comes to.
absl::StatusOr<receipt::PricedRound> ScoreRound(const Game& game, std::int64_t base,
                                                const rules::FinishedRound& round);

// A claim as if the round had ended with it alone.
struct HandVerdict {
  rules::Judgement judgement;
  std::vector<receipt::ReadHand> readings;  // the one that counted first
  std::vector<receipt::Line> lines;         // what the winner receives for the win; kongs apart
};
// `horses` are the tiles turned after it; the winner's own kongs need not be named besides its
// melds. Fields of failures are paths from the claim: "win.concealed", "horses".
absl::StatusOr<HandVerdict> EvaluateHand(
    const Game& game, std::int64_t base, const rules::Deal& deal, const rules::Win& win,
    const rules::InlineVector<rules::Tile, rules::kMaxHorses>& horses);

// One way to win on a tile.
struct WaitWay {
  rules::Win win;  // without any circumstance; on the previous seat's tile unless self-drawn
  rules::Judgement judgement;
  ledger::Coins coins;  // from everybody together, horses apart; none when it is not legal
};
struct TileWait {
  rules::Tile tile;
  int unseen = 0;             // copies that are neither in the hand nor in `seen`, 0 to 4
  std::vector<WaitWay> ways;  // by self-draw, on a discard, by robbing a kong, if it can be
};
// Every tile that completes the hand, in tile order. `seen` are visible tiles outside of it;
// TOO_MANY_COPIES (field "seen") where they and the hand are more than the wall holds.
absl::StatusOr<std::vector<TileWait>> ListWaits(const Game& game, std::int64_t base,
                                                const rules::Deal& deal, rules::Seat seat,
                                                const rules::Hand& hand,
                                                const rules::TileCounts& seen);

}  // namespace mj::scoring
