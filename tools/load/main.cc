#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "libs/base/clock.h"
#include "libs/credentials/client_flags.h"
#include "tools/load/run.h"

int main(int argc, char** argv) {
  CLI::App app("Bot tables at human pace, and what they cost.", "mj-load");
  mj::load::RunOptions options;
  std::int64_t pace_ms = options.hall.pace.count();
  std::int64_t warm_up = options.warm_up.count();
  std::int64_t seconds = options.measured.count();
  app.add_option("--wallet-address", options.hall.wallet_address, "HOST:PORT of the wallet")
      ->required();
  app.add_option("--table-address", options.hall.table_address,
                 "HOST:PORT of the table service; several as A,B")
      ->required();
  app.add_option("--tables", options.hall.tables, "Tables, four bots each")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  app.add_option("--variant", options.hall.variant, "The game")->capture_default_str();
  app.add_option("--pace-ms", pace_ms, "What a bot takes for an answer, on average")
      ->check(CLI::Range(std::int64_t{2}, std::int64_t{15'000}))
      ->capture_default_str();
  app.add_option("--warm-up-seconds", warm_up, "Before anything is measured")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{3'600}))
      ->capture_default_str();
  app.add_option("--seconds", seconds, "What is measured")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{86'400}))
      ->capture_default_str();
  app.add_option("--prefix", options.hall.prefix,
                 "Of the players' names; an unused one for each run")
      ->capture_default_str();
  app.add_option("--process", options.processes, "NAME=PID whose use is told; repeat");
  app.add_flag("--json", options.json, "Print JSON");
  mj::credentials::ClientFlags client;
  mj::credentials::AddClientFlags(app, "MJ_LOAD_", client);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  options.hall.pace = std::chrono::milliseconds(pace_ms);
  options.warm_up = std::chrono::seconds(warm_up);
  options.measured = std::chrono::seconds(seconds);
  static mj::base::SystemClock clock;
  if (const absl::Status known = mj::credentials::BecomeClient(client, "mj-load", clock);
      !known.ok()) {
    std::cerr << "mj-load: " << known.message() << '\n';
    return 2;
  }
  const absl::Status run = mj::load::Run(options, clock, std::cout);
  if (run.ok()) return 0;
  std::cerr << "mj-load: " << run << '\n';
  return 1;
}
