#include "libs/wire/played_testing.h"

#include <gtest/gtest.h>

#include "libs/round/random_testing.h"
#include "libs/variants/registry.h"
#include "tests/support/random.h"

namespace mj::wire {

void ForEachPlayedStep(int rounds, const std::function<void(const PlayedStep&)>& visit) {
  constexpr int kCommandsMax = 2000;
  testing::Random random(20260101);
  for (const rules::Variant* game : variants::All()) {
    for (int i = 0; i < rounds; ++i) {
      const rules::Options options = round::RandomOptions(*game, random);
      const round::Setup setup = round::RandomSetup(*game, options, random);
      round::State state;
      const bool over = round::PlayOut(
          setup, state, random,
          [&](const round::State&, rules::Seat, const round::Offer& offer) {
            return round::RandomChoice(offer, random);
          },
          [&](const round::State& now, const round::Event& event) { visit({setup, now, event}); },
          kCommandsMax);
      ASSERT_TRUE(over) << game->info().id << " round " << i;
    }
  }
}

}  // namespace mj::wire
