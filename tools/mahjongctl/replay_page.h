// A recorded round as a web page.
#pragma once

#include <string>

#include "libs/record/round_record.h"
#include "tools/mahjongctl/replay_moments.h"

namespace mj::mahjongctl {

// One self-contained page (page/replay.{html,css,js} with the round as JSON in it): the table, the
// hands, each decision, the receipt, and what libs/proof says of the record, in Chinese and English.
// It loads nothing, and whatever a record says is text in it, never markup.
[[nodiscard]] std::string PageOf(const record::RoundRecord& record, const Replay& replay);

}  // namespace mj::mahjongctl
