// How the scoring service is configured: by flags, each with its environment variable.
#pragma once

#include "absl/status/statusor.h"
#include "libs/rpc/service.h"

namespace mj::scoring {

struct Config {
  mj::rpc::ServerConfig server;
};

// The flags of libs/rpc/server_flags.h with their variables (MJ_SCORING_LISTEN, …). --help prints
// them and ends the process with 0. INVALID_ARGUMENT, naming the flag, for everything else.
absl::StatusOr<Config> ConfigFromFlags(int argc, const char* const* argv);

}  // namespace mj::scoring
