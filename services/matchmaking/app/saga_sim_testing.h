// Matchmaking as a whole in one thread: several replicas at once, calls and answers lost, replicas
// that die or fall asleep at any await, players who come, cancel, leave, free seats that are refilled as
// the table service's feed tells of them, late and by whichever replica. Whatever happens, nobody
// is seated twice, nothing cancelled comes back, and once the faults stop everybody is where they
// were told to be. A failure names its seed.
#pragma once

#include <cstdint>
#include <functional>

#include "services/matchmaking/app/feeds.h"
#include "services/matchmaking/app/ports.h"

namespace mj::matchmaking {

// One run, failing the test that it runs in. `store` is fresh and `feeds` on the same truth; its time
// stands still, or as good as, until `advance_store` moves it. Returns how many were seated on seats that
// others had left.
int RunSagaSim(std::uint64_t seed, Store& store, FeedStore& feeds,
               std::function<void(Millis)> advance_store);

}  // namespace mj::matchmaking
