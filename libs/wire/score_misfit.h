// A scorer's answer as it was recorded, held to one that is recomputed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "libs/proof/verify.h"

namespace mj::wire {

// For proof::Verify. `answer` is a serialised mahjong.scoring.v1.RoundScore. Nothing where it is,
// byte for byte, what the scoring service would answer; else the first field that differs, as
// "wins[0].fan: 3 -> 2", recorded before recomputed.
[[nodiscard]] std::optional<std::string> ScoreMisfit(std::string_view answer,
                                                     const proof::Recomputed& now);

}  // namespace mj::wire
