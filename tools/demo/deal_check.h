// Whether a round was dealt as it was promised.
#pragma once

#include <string>

#include "libs/rules/variant.h"
#include "tools/demo/story.h"

namespace mj::demo {

// What a check found, in words for a person.
struct CheckResult {
  bool good = false;
  std::string text;
};

// Holds the seed that was published after the round against the hash shown before it, and the players'
// nonces against theirs, deals the round again from these, and compares: dice, dealer and winds where
// they were drawn, the four hands as each player saw them, every tile drawn from either end of the
// wall.
CheckResult CheckDeal(const RoundStory& story, const rules::Variant& game,
                      const rules::Options& options);

}  // namespace mj::demo
