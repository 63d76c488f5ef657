// A whole round from wall to result as a JSON object, played on the round engine.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "libs/casefile/case.h"
#include "libs/round/choice.h"
#include "libs/round/setup.h"
#include "libs/round/transcript.h"

namespace mj::casefile {

struct WholeRound {
  std::string id;  // empty when it has none
  Table table;
  round::Setup setup;
  std::vector<rules::PerSeat<std::optional<round::Choice>>> chosen;  // by decision point
};

// Reads a round as strictly as ReadCase does a case. `id`, `covers` and `expect` may be absent, and
// `expect` is not looked into. That the choices were offered is seen when it is played. Never
// throws.
std::variant<WholeRound, FormatError> ReadWholeRound(const nlohmann::json& document);

// What came of playing it.
struct PlayedRound {
  OrderedJson steps;   // a list: what was offered to whom at every decision point
  OrderedJson result;  // end, case with its expect, next dealer and round wind
};

// Plays the round; a FormatError names the step at which a choice was not offered, was missing, or
// was one too many ("chosen[3].2: step 3: …"; steps count from 0). Never throws.
std::variant<PlayedRound, FormatError> Play(const WholeRound& whole);

}  // namespace mj::casefile
