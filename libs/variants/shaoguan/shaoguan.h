// Shaoguan mahjong 韶关麻将.
#pragma once

#include "libs/rules/variant.h"

namespace mj::variants::shaoguan {

// Positions in the options' table.
enum Option : std::size_t {
  kWithCharacters,
  kSevenPairs,
  kSelfDrawDoubles,
  kHorses,
  kHorsesOnRobbedKong
};

// The choices of kSevenPairs.
enum SevenPairs : std::int64_t { kOff, kPure, kAll };

const rules::Variant& Game();

}  // namespace mj::variants::shaoguan
