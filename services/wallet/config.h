// How the wallet service is configured: by flags, each with its environment variable.
#pragma once

#include <chrono>
#include <string>

#include "absl/status/statusor.h"
#include "libs/rpc/service.h"

namespace mj::wallet {

struct Config {
  mj::rpc::ServerConfig server;
  std::string database;             // libpq's URL
  bool prepared_statements = true;  // off behind PgBouncer in transaction mode
  std::chrono::minutes reservation_time{60};
  std::chrono::minutes round_time{120};
  std::string seal_key;     // file of the key that signs ledger days; empty: they are not sealed
  std::string seal_folder;  // for the signed days; given exactly if seal_key is
  std::chrono::seconds upkeep_pause{60};
};

// The flags of libs/rpc/server_flags.h, --database (required), --prepared-statements,
// --reservation-minutes and --round-minutes (1 to 1440), --seal-key, --seal-folder and
// --upkeep-seconds (1 to 3600), with their variables (MJ_WALLET_LISTEN, MJ_WALLET_DATABASE, …). --help prints them and ends the process with
// 0. INVALID_ARGUMENT, naming the flag, for everything else.
absl::StatusOr<Config> ConfigFromFlags(int argc, const char* const* argv);

}  // namespace mj::wallet
