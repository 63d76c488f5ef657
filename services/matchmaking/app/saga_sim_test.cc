#include "services/matchmaking/app/saga_sim_testing.h"

#include <gtest/gtest.h>

#include <string>

#include "libs/base/simulated_clock_testing.h"
#include "services/matchmaking/app/memory_store_testing.h"
#include "tests/support/counts.h"

namespace mj::matchmaking {
namespace {

TEST(SagaSimTest, WhateverFailsEverybodyEndsWhereTheyWereTold) {
  for (std::int64_t seed = 0; seed < mj::testing::Count(100'000); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    base::SimulatedClock clock;
    MemoryStore store(clock);
    RunSagaSim(static_cast<std::uint64_t>(seed), store, [&clock](Millis by) { clock.Advance(by); });
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace mj::matchmaking
