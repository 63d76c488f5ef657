#include "services/matchmaking/app/saga_sim_testing.h"

#include <gtest/gtest.h>

#include <string>

#include "libs/base/simulated_clock_testing.h"
#include "services/matchmaking/app/memory_store_testing.h"
#include "tests/support/counts.h"

namespace mj::matchmaking {
namespace {

TEST(SagaSimTest, WhateverFailsEverybodyEndsWhereTheyWereTold) {
  int refilled = 0;
  for (std::int64_t seed = 0; seed < mj::testing::Count(100'000); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    base::SimulatedClock clock;
    MemoryStore store(clock);
    refilled += RunSagaSim(static_cast<std::uint64_t>(seed), store, store,
                           [&clock](Millis by) { clock.Advance(by); });
    if (HasFailure()) return;
  }
  EXPECT_GT(refilled, 0) << "seats that were left have to be refilled for this to tell anything";
}

}  // namespace
}  // namespace mj::matchmaking
