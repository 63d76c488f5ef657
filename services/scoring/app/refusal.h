// Why a round, a claim or a hand cannot be, as a failed status.
#pragma once

#include "absl/status/status.h"
#include "libs/rules/check.h"

namespace mj::scoring {

// The reason of the fault, the field at fault as a path from the finished round
// ("wins[0].concealed", "kongs[1].from", "horses") and the offending tile (metadata: tile).
// INVALID_ARGUMENT. Every fault has its reason and field; several may share one.
absl::Status RefusedRound(const rules::RoundRefusal& refusal);

// The same for a hand or claim whose fields stand by themselves ("concealed", "melds").
absl::Status RefusedHand(const rules::RoundRefusal& refusal);

}  // namespace mj::scoring
