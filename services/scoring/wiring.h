// The scoring service, put together.
#pragma once

#include "absl/status/status.h"
#include "libs/rpc/service.h"
#include "services/scoring/config.h"

namespace mj::scoring {

// Serves mahjong.scoring.v1.ScoringService. Needs nothing: there is no state and no peer.
absl::Status Bind(const Config& config, mj::rpc::Bindings& bindings);

}  // namespace mj::scoring
