// One pass over the queues: every pool that has four gets its matches.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "libs/base/uuid.h"
#include "libs/matching/window.h"
#include "services/matchmaking/app/ports.h"

namespace mj::matchmaking {

struct MatchRoundOptions {
  QueueOptions queue = {};         // of each pool
  matching::Windows windows = {};  // how far apart players may be
};

// Matches what can be matched now and returns it: whoever calls goes on with seating it. A pool
// that fails or that another replica is at is left for the next pass; a failure is returned only if
// nothing was matched. Any number of replicas may do this at once.
absl::StatusOr<std::vector<Match>> MatchPools(Store& store, base::UuidGenerator& ids,
                                              const MatchRoundOptions& options);

}  // namespace mj::matchmaking
