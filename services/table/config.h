// How the table service is configured: by flags, each with its environment variable.
#pragma once

#include <chrono>
#include <string>

#include "absl/status/statusor.h"
#include "libs/rpc/service.h"
#include "services/table/app/settings.h"

namespace mj::table {

struct Config {
  mj::rpc::ServerConfig server;
  std::string database;  // libpq's URL
  bool prepared_statements = true;
  std::string scoring_address;  // host:port
  std::string wallet_address;   // host:port
  std::string advertise =
      {};  // host:port under which clients reach this process; empty: where it serves
  std::string instance = {};  // stays when the process is started anew; empty: nothing does
  std::chrono::milliseconds lease{3'000};         // without which its tables are others'
  std::chrono::milliseconds peer_timeout{5'000};  // of one call to scoring or the wallet
  int tables_max = 20'000;
  TableSettings settings = {};  // of tables that are made without
  int table_threads = 2;        // for tables' queues, which never block
  int keep_events_days = 7;     // of closed tables
  int keep_records_days = 180;  // of rounds
};

// The flags of libs/rpc/server_flags.h and the ones above, with their variables (MJ_TABLE_DATABASE,
// …).
// --help prints them and ends the process with 0. INVALID_ARGUMENT, naming the flag, for everything
// else.
absl::StatusOr<Config> ConfigFromFlags(int argc, const char* const* argv);

}  // namespace mj::table
