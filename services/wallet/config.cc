#include "services/wallet/config.h"

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "libs/base/status.h"
#include "libs/rpc/server_flags.h"

namespace mj::wallet {

absl::StatusOr<Config> ConfigFromFlags(int argc, const char* const* argv) {
  CLI::App app("Keeps players' coins and posts rounds, over gRPC.", "mj-wallet");
  Config config;
  mj::rpc::ServerFlags flags;
  // Whoever waits for a group commit is in its next group, and but for settlements holds a worker.
  flags.workers = 64;
  mj::rpc::AddServerFlags(app, "wallet", flags);
  app.add_option("--database", config.database, "URL of the database, as libpq reads it")
      ->envname(mj::rpc::FlagVariable("wallet", "--database"))
      ->required();
  app.add_option("--prepared-statements", config.prepared_statements,
                 "off behind PgBouncer in transaction mode")
      ->envname(mj::rpc::FlagVariable("wallet", "--prepared-statements"))
      ->capture_default_str();
  std::int64_t reservation_minutes = config.wallet.reservation_time.count();
  std::int64_t round_minutes = config.wallet.round_time.count();
  std::int64_t upkeep_seconds = config.upkeep_pause.count();
  app.add_option("--reservation-minutes", reservation_minutes,
                 "how long a seat is held from when it was reserved, or its latest round began")
      ->envname(mj::rpc::FlagVariable("wallet", "--reservation-minutes"))
      ->check(CLI::Range(1, 1440))
      ->capture_default_str();
  app.add_option("--round-minutes", round_minutes,
                 "how long a begun round may stay open before it is an alarm")
      ->envname(mj::rpc::FlagVariable("wallet", "--round-minutes"))
      ->check(CLI::Range(1, 1440))
      ->capture_default_str();
  SealFiles seal;
  app.add_option("--seal-key", seal.key,
                 "file of the key that signs ledger days (mahjongctl audit --new-key); without it "
                 "this process seals none")
      ->envname(mj::rpc::FlagVariable("wallet", "--seal-key"));
  app.add_option("--seal-folder", seal.folder, "folder for the signed ledger days")
      ->envname(mj::rpc::FlagVariable("wallet", "--seal-folder"));
  app.add_option("--upkeep-seconds", upkeep_seconds,
                 "time between two looks at partitions, days and a part of the ledger")
      ->envname(mj::rpc::FlagVariable("wallet", "--upkeep-seconds"))
      ->check(CLI::Range(1, 3600))
      ->capture_default_str();
  app.add_option("--audit-rows", config.audit_rows,
                 "journal rows that each of these looks checks: how fast the audit gets round")
      ->envname(mj::rpc::FlagVariable("wallet", "--audit-rows"))
      ->check(CLI::Range(100, 1'000'000))
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
  if (seal.key.empty() != seal.folder.empty()) {
    return absl::InvalidArgumentError("--seal-key and --seal-folder: want both, or neither");
  }
  if (!seal.key.empty()) config.seal = std::move(seal);
  config.wallet.reservation_time = std::chrono::minutes(reservation_minutes);
  config.wallet.round_time = std::chrono::minutes(round_minutes);
  config.upkeep_pause = std::chrono::seconds(upkeep_seconds);
  MJ_ASSIGN_OR_RETURN(config.server, mj::rpc::TakeServerFlags(flags));
  return config;
}

}  // namespace mj::wallet
