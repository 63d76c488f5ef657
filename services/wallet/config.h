// How the wallet service is configured: by flags, each with its environment variable.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "libs/rpc/service.h"
#include "services/wallet/app/wallet.h"

namespace mj::wallet {

// Where the key that signs ledger days is read, and where the signed days are written.
struct SealFiles {
  std::string key;
  std::string folder;
};

struct Config {
  mj::rpc::ServerConfig server;
  std::string database;             // libpq's URL
  bool prepared_statements = true;  // off behind PgBouncer in transaction mode
  WalletOptions wallet;
  std::optional<SealFiles> seal;  // none: days are not sealed
  std::chrono::seconds upkeep_pause{60};
  std::int64_t audit_rows = 20'000;  // that each round of upkeep checks
};

// The flags of libs/rpc/server_flags.h, --database (required), --prepared-statements,
// --reservation-minutes and --round-minutes (1 to 1440), --seal-key and --seal-folder (both or
// neither), --upkeep-seconds (1 to 3600) and --audit-rows (100 to 1,000,000), with their variables
// (MJ_WALLET_LISTEN, MJ_WALLET_DATABASE, …). --help prints them and ends the process with 0.
// INVALID_ARGUMENT, naming the flag, for everything else.
absl::StatusOr<Config> ConfigFromFlags(int argc, const char* const* argv);

}  // namespace mj::wallet
