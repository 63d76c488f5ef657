// How the matchmaking service is configured: by flags, each with its environment variable.
#pragma once

#include <chrono>
#include <string>

#include "absl/status/statusor.h"
#include "libs/rpc/service.h"

namespace mj::matchmaking {

struct Config {
  mj::rpc::ServerConfig server;
  std::string database;                          // libpq's URL
  bool prepared_statements = true;               // off behind PgBouncer in transaction mode
  std::string wallet_address;                    // host:port
  std::string table_address;                     // host:port
  std::chrono::seconds ticket{600};              // how long a ticket waits before it expires
  std::chrono::seconds room{3'600};              // how long a private room stays open
  std::chrono::seconds seat_check{15};           // how often a table is asked who still sits there
  std::chrono::milliseconds table_timeout{900};  // of a call to the table service
  int seaters = 8;                               // tables made at the same time
  std::chrono::seconds bots_after{30};           // how long who wants bots then waits for players
  std::chrono::hours keep_places{30 * 24};  // device and network of a ticket that led to a seat
};

// The common flags of libs/rpc/server_flags.h and, for the ones above, --database, --wallet-address
// and --table-address (required), --prepared-statements, --ticket-seconds, --room-seconds,
// --seat-check-seconds, --table-timeout-ms, --seaters, --bots-after-seconds and --keep-places-days, with their variables
// (MJ_MATCHMAKING_LISTEN, …). --help prints them and ends the process with 0. INVALID_ARGUMENT,
// naming the flag, for everything else.
absl::StatusOr<Config> ConfigFromFlags(int argc, const char* const* argv);

}  // namespace mj::matchmaking
