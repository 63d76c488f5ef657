// The matchmaking service, put together.
#pragma once

#include "absl/status/status.h"
#include "libs/rpc/service.h"
#include "services/matchmaking/config.h"

namespace mj::matchmaking {

// Serves mahjong.matchmaking.v1.MatchmakingService and runs a replica's loops. Needs the
// database with its schema at the start; peers that are away are a matter of each call.
// FAILED_PRECONDITION without the schema, UNAVAILABLE without the database.
absl::Status Bind(const Config& config, mj::rpc::Bindings& bindings);

}  // namespace mj::matchmaking
