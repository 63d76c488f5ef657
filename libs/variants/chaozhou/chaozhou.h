// Chaozhou mahjong 潮州麻将.
#pragma once

#include "libs/rules/variant.h"

namespace mj::variants::chaozhou {

// Positions in the options' table.
enum Option : std::size_t { kMaxMultiplier };

const rules::Variant& Game();

}  // namespace mj::variants::chaozhou
