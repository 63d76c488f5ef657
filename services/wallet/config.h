// How the wallet service is configured: by flags, each with its environment variable.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "libs/rpc/service.h"

namespace mj::wallet {

struct Config {
  mj::rpc::ServerConfig server;
  std::string database;             // libpq's URL
  bool prepared_statements = true;  // off behind PgBouncer in transaction mode
};

// The flags of libs/rpc/server_flags.h, --database (required) and --prepared-statements, with their
// variables (MJ_WALLET_LISTEN, MJ_WALLET_DATABASE, …). --help prints them and ends the process with
// 0. INVALID_ARGUMENT, naming the flag, for everything else.
absl::StatusOr<Config> ConfigFromFlags(int argc, const char* const* argv);

}  // namespace mj::wallet
