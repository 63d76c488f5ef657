// Random finished rounds of any game.
#pragma once

#include "libs/rules/variant.h"
#include "tests/scorer/slow_scorer_testing.h"
#include "tests/support/random.h"

namespace mj::scorer {

struct RandomRound {
  OptionTexts texts;  // as `options`
  rules::Options options;
  rules::FinishedRound round;
};

// A round that rules::CheckRound accepts: mostly wins that are made to be some, rare hands more
// often than in life, now and then a hand that is no win or an exhausted wall.
RandomRound MakeRound(const rules::Variant& variant, testing::Random& random);

}  // namespace mj::scorer
