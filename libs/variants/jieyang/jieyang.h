// Jieyang mahjong 揭阳麻将.
#pragma once

#include "libs/rules/variant.h"

namespace mj::variants::jieyang {

// Positions in the options' table.
enum Option : std::size_t { kMaxMultiplier, kWild };

// The choices of kWild.
enum Wild : std::int64_t { kNone, kWhite, kFlipped };

const rules::Variant& Game();

}  // namespace mj::variants::jieyang
