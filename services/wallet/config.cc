#include "services/wallet/config.h"

#include <CLI/CLI.hpp>
#include <cstdlib>

#include "libs/base/status.h"
#include "libs/rpc/server_flags.h"

namespace mj::wallet {

absl::StatusOr<Config> ConfigFromFlags(int argc, const char* const* argv) {
  CLI::App app("Keeps players' coins and posts rounds, over gRPC.", "mj-wallet");
  Config config;
  mj::rpc::ServerFlags flags;
  // Those who wait for a group commit are its next group.
  flags.workers = 64;
  mj::rpc::AddServerFlags(app, "wallet", flags);
  app.add_option("--database", config.database, "URL of the database, as libpq reads it")
      ->envname(mj::rpc::FlagVariable("wallet", "--database"))
      ->required();
  app.add_option("--prepared-statements", config.prepared_statements,
                 "off behind PgBouncer in transaction mode")
      ->envname(mj::rpc::FlagVariable("wallet", "--prepared-statements"))
      ->capture_default_str();
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    std::exit(app.exit(help));
  } catch (const CLI::ParseError& error) {
    return absl::InvalidArgumentError(error.what());
  }
  if (config.database.rfind("postgresql://", 0) != 0 &&
      config.database.rfind("postgres://", 0) != 0) {
    return absl::InvalidArgumentError("--database: want a postgresql:// URL");
  }
  MJ_ASSIGN_OR_RETURN(config.server, mj::rpc::TakeServerFlags(flags));
  return config;
}

}  // namespace mj::wallet
