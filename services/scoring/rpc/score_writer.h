// What a round is worth, as mahjong.scoring.v1 writes it: straight into bytes, since message objects
// would cost more than the scoring.
#pragma once

#include <vector>

#include "libs/receipt/price.h"
#include "libs/wire/flat_writer.h"
#include "services/scoring/app/scoring.h"

namespace mj::scoring::rpc {

// Each writes the fields of one message, by their numbers, into the message that is open.

// PatternHit: a field `field` for each pattern that counted.
void WritePatterns(const Game& game, const rules::WinQuestion& question, const rules::Worth& worth,
                   const rules::Reading& reading, int field, wire::FlatWriter& out);

// WinScore.
void WriteWin(const Game& game, const rules::WinQuestion& question,
              const rules::Judgement& judgement, wire::FlatWriter& out);

// Receipt.
void WriteReceipt(const std::vector<receipt::Line>& lines, wire::FlatWriter& out);

// RoundScore. REQUIRES: `priced` is the price of `round` in `game`.
void WriteRound(const Game& game, const rules::FinishedRound& round,
                const receipt::PricedRound& priced, wire::FlatWriter& out);

}  // namespace mj::scoring::rpc
