// Scoring by the service.
#pragma once

#include <string>

#include "tools/mahjongctl/score_cases.h"

namespace mj::mahjongctl {

// By the scoring service at `target` (host:port), one ScoreRound for each case, by the rulebook
// that this program has too. A refusal is the case's error; no answer is Unavailable.
Scorer RemoteScorer(const std::string& target);

}  // namespace mj::mahjongctl
