#include "services/table/config.h"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <string>
#include <vector>

#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/rpc/server_flags.h"

namespace mj::table {
namespace {

absl::Status CheckRange(std::string_view flag, std::int64_t value, std::int64_t min,
                        std::int64_t max) {
  if (value >= min && value <= max) return absl::OkStatus();
  return absl::InvalidArgumentError(
      base::ToAbsl(base::Cat(flag, ": want ", std::to_string(min), " to ", std::to_string(max))));
}

void AddSetting(const std::string& text, SettingValues& settings) {
  const std::size_t equals = text.find('=');
  std::int64_t value = 0;
  if (equals == std::string::npos || !CLI::detail::lexical_cast(text.substr(equals + 1), value)) {
    throw CLI::ValidationError("--setting", "want NAME=NUMBER, got " + text);
  }
  settings[text.substr(0, equals)] = value;
}

}  // namespace

absl::StatusOr<Config> ConfigFromFlags(int argc, const char* const* argv) {
  CLI::App app("Holds live tables: seats, rounds, streams, over gRPC.", "mj-table");
  Config config;
  mj::rpc::ServerFlags flags;
  mj::rpc::AddServerFlags(app, "table", flags);
  const auto add = [&app](const std::string& flag, auto& value, const std::string& help) {
    return app.add_option(flag, value, help)
        ->envname(mj::rpc::FlagVariable("table", flag))
        ->capture_default_str();
  };
  std::int64_t peer_timeout_ms = config.peer_timeout.count();
  std::int64_t lease_ms = config.lease.count();
  add("--database", config.database, "URL of the database, as libpq reads it")->required();
  add("--prepared-statements", config.prepared_statements,
      "off behind PgBouncer in transaction mode");
  add("--scoring-address", config.scoring_address, "HOST:PORT of the scoring service")->required();
  add("--wallet-address", config.wallet_address, "HOST:PORT of the wallet")->required();
  add("--advertise", config.advertise,
      "HOST:PORT under which clients reach this process; empty: where it serves");
  add("--instance", config.instance,
      "name that this process keeps when it is started anew: its former run's tables are taken at "
      "once; empty: when that one's lease is over");
  add("--lease-ms", lease_ms,
      "a process that is silent for so long loses its tables to others, 500 to 60000");
  add("--peer-timeout-ms", peer_timeout_ms, "of one call to a peer, 10 to 60000");
  add("--tables-max", config.tables_max, "tables held at once, 1 to 1000000");
  add("--table-threads", config.table_threads, "threads of the tables' queues, 1 to 256");
  add("--keep-events-days", config.keep_events_days,
      "days for which a closed table's events are kept once its rounds have their records, 1 to "
      "3650");
  add("--keep-records-days", config.keep_records_days,
      "days for which the record of a round is kept, 1 to 36500");
  SettingValues settings;
  app.add_option_function<std::vector<std::string>>(
         "--setting",
         [&settings](const std::vector<std::string>& texts) {
           for (const std::string& text : texts) AddSetting(text, settings);
         },
         "NAME=NUMBER, how tables keep time that are made without it (CreateTable lists them); "
         "repeat")
      ->envname(mj::rpc::FlagVariable("table", "--setting"))
      ->delimiter(',');
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
  MJ_RETURN_IF_ERROR(CheckRange("--peer-timeout-ms", peer_timeout_ms, 10, 60'000));
  MJ_RETURN_IF_ERROR(CheckRange("--lease-ms", lease_ms, 500, 60'000));
  MJ_RETURN_IF_ERROR(CheckRange("--tables-max", config.tables_max, 1, 1'000'000));
  MJ_RETURN_IF_ERROR(CheckRange("--table-threads", config.table_threads, 1, 256));
  MJ_RETURN_IF_ERROR(CheckRange("--keep-events-days", config.keep_events_days, 1, 3'650));
  MJ_RETURN_IF_ERROR(CheckRange("--keep-records-days", config.keep_records_days, 1, 36'500));
  const auto checked = WithSettings(TableSettings{}, settings);
  if (!checked.ok()) {
    return absl::InvalidArgumentError(
        base::ToAbsl(base::Cat("--setting: ", base::ToStd(checked.status().message()))));
  }
  config.settings = *checked;
  config.peer_timeout = std::chrono::milliseconds(peer_timeout_ms);
  config.lease = std::chrono::milliseconds(lease_ms);
  MJ_ASSIGN_OR_RETURN(config.server, mj::rpc::TakeServerFlags(flags));
  return config;
}

}  // namespace mj::table
