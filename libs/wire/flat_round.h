// A finished round straight from its bytes: the short way for the many that are as they should be.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "libs/rules/hand.h"

namespace mj::wire {

// Views into the bytes.
struct FlatRound {
  std::string_view variant;
  std::vector<std::pair<std::string_view, std::string_view>> options;  // as they come
  std::int64_t base = 0;
  rules::FinishedRound round;
};

// What the message `bytes`, a mahjong.common.v1.FinishedRound, says, into an empty `out`. False for
// whatever is unusual (a fault, a field that is unknown or comes twice): parse the message then, and
// let FromProto say what is wrong. What this reads, FromProto reads alike; whether variant and
// options are UTF-8 is not asked.
bool ReadFlatRound(std::string_view bytes, FlatRound& out);

}  // namespace mj::wire
