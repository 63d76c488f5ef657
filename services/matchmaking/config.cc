#include "services/matchmaking/config.h"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <utility>

#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/rpc/server_flags.h"

namespace mj::matchmaking {

absl::StatusOr<Config> ConfigFromFlags(int argc, const char* const* argv) {
  CLI::App app("Finds four players for a table of mahjong, over gRPC.", "mj-matchmaking");
  mj::rpc::ServerFlags flags;
  mj::rpc::AddServerFlags(app, "matchmaking", flags);

  Config config;
  int ticket_seconds = static_cast<int>(config.ticket.count());
  int room_seconds = static_cast<int>(config.room.count());
  int seat_check_seconds = static_cast<int>(config.seat_check.count());
  int bots_after_seconds = static_cast<int>(config.bots_after.count());
  int keep_places_days = static_cast<int>(config.keep_places.count() / 24);
  int table_timeout_ms = static_cast<int>(config.table_timeout.count());
  const auto add = [&](const std::string& flag, auto& value, const std::string& help) {
    return app.add_option(flag, value, help)->envname(mj::rpc::FlagVariable("matchmaking", flag));
  };
  add("--database", config.database, "URL of the database, as libpq reads it")->required();
  add("--wallet-address", config.wallet_address, "HOST:PORT of the wallet")->required();
  add("--table-address", config.table_address, "HOST:PORT of the table service")->required();
  add("--prepared-statements", config.prepared_statements,
      "off behind PgBouncer in transaction mode")
      ->capture_default_str();
  add("--ticket-seconds", ticket_seconds, "until a ticket expires, 1 to 86400")
      ->check(CLI::Range(1, 86'400))
      ->capture_default_str();
  add("--room-seconds", room_seconds, "until a private room closes, 60 to 86400")
      ->check(CLI::Range(60, 86'400))
      ->capture_default_str();
  add("--seat-check-seconds", seat_check_seconds, "between two looks at a table, 1 to 3600")
      ->check(CLI::Range(1, 3'600))
      ->capture_default_str();
  add("--table-timeout-ms", table_timeout_ms, "of a call to the table service, 10 to 4000")
      ->check(CLI::Range(10, 4'000))
      ->capture_default_str();
  add("--seaters", config.seaters, "tables made at the same time, 1 to 128")
      ->check(CLI::Range(1, 128))
      ->capture_default_str();
  add("--bots-after-seconds", bots_after_seconds,
      "for which who wants bots then waits for players, 0 to 3600")
      ->check(CLI::Range(0, 3'600))
      ->capture_default_str();
  add("--keep-places-days", keep_places_days,
      "days for which device and network of a ticket that led to a seat are kept, for the report "
      "on "
      "collusion, 1 to 365")
      ->check(CLI::Range(1, 365))
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
  for (const auto& [flag, address] : {std::pair("--wallet-address", config.wallet_address),
                                      std::pair("--table-address", config.table_address)}) {
    if (address.find(':') == std::string::npos) {
      return absl::InvalidArgumentError(base::ToAbsl(base::Cat(flag, ": want HOST:PORT")));
    }
  }
  MJ_ASSIGN_OR_RETURN(config.server, mj::rpc::TakeServerFlags(flags));
  config.ticket = std::chrono::seconds(ticket_seconds);
  config.bots_after = std::chrono::seconds(bots_after_seconds);
  config.keep_places = std::chrono::hours(24) * keep_places_days;
  config.room = std::chrono::seconds(room_seconds);
  config.seat_check = std::chrono::seconds(seat_check_seconds);
  config.table_timeout = std::chrono::milliseconds(table_timeout_ms);
  return config;
}

}  // namespace mj::matchmaking
