// What a round is worth, as mahjong.scoring.v1 writes it: straight into bytes, since message objects
// would cost more than the scoring. The one writer of these messages, so that whoever recomputes a
// score comes to the same bytes.
#pragma once

#include <string_view>
#include <vector>

#include "libs/receipt/price.h"
#include "libs/rules/variant.h"
#include "libs/wire/flat_writer.h"
#include "mahjong/scoring/v1/score.pb.h"

namespace mj::wire {

[[nodiscard]] ::mahjong::scoring::v1::PatternUnit ToProto(rules::PatternRole role);

// Each writes the fields of one message, by their numbers, into the message that is open.

// PatternHit: a field `field` for each pattern that counted.
void WritePatterns(const rules::Variant& game, const rules::WinQuestion& question,
                   const rules::Worth& worth, const rules::Reading& reading, int field,
                   FlatWriter& out);

// WinScore.
void WriteWin(const rules::Variant& game, const rules::WinQuestion& question,
              const rules::Judgement& judgement, FlatWriter& out);

// Receipt.
void WriteReceipt(const std::vector<receipt::Line>& lines, FlatWriter& out);

// RoundScore. REQUIRES: `priced` is the price of `round` in `game`.
void WriteRound(const rules::Variant& game, std::string_view rulebook_version,
                const rules::FinishedRound& round, const receipt::PricedRound& priced,
                FlatWriter& out);

}  // namespace mj::wire
