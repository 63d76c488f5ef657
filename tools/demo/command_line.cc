#include "tools/demo/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "libs/credentials/client_flags.h"

namespace mj::demo {

std::variant<DemoOptions, int> ParseCommandLine(int argc, const char* const* argv) {
  CLI::App app(
      "Bots queue, sit down and play, four at each table, a table for each game; every round is "
      "printed as a person reads it, then the ledger's trial balance.",
      "mj-demo");
  app.footer(
      "Exit codes: 0 every round was settled and the books balance; 1 otherwise; 2 wrong command "
      "line");
  DemoOptions options{
      .addresses = {}, .scoring = {}, .database = {}, .variants = {}, .rounds = 0, .seed = 1};
  const auto need = [&app](const char* name, std::string& value, const char* help) {
    app.add_option(name, value, help)->required();
  };
  need("--wallet-address", options.addresses.wallet, "HOST:PORT of the wallet service");
  need("--table-address", options.addresses.table, "HOST:PORT of the table service");
  need("--matchmaking-address", options.addresses.matchmaking,
       "HOST:PORT of the matchmaking service");
  need("--scoring-address", options.scoring, "HOST:PORT of the scoring service");
  need("--database", options.database, "libpq URL of the database with the wallet's books");
  app.add_option("--variant", options.variants,
                 "The game; given more than once, one table for each. Without it: every game");
  app.add_option("--rounds", options.rounds,
                 "How many rounds to play at each table. Without it: 8, shared among the tables")
      ->check(CLI::Range(1, 10'000));
  app.add_option("--seed", options.seed,
                 "Decides between choices that are equally good to a bot. The deal is the table's: "
                 "its seed is published after each round")
      ->capture_default_str();
  app.add_option("--records", options.records,
                 "Folder into which the record of every round goes, a file each: ROUND.mjr");
  credentials::ClientFlags client;
  credentials::AddClientFlags(app, "MJ_DEMO_", client);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  // Two tables of one game would share a queue, and their players be mixed.
  std::vector<std::string> games = options.variants;
  std::sort(games.begin(), games.end());
  if (std::adjacent_find(games.begin(), games.end()) != games.end()) {
    std::cerr << "--variant: the same game twice\n";
    return 2;
  }
  static base::SystemClock clock;
  if (const absl::Status known = credentials::BecomeClient(client, "mj-demo", clock); !known.ok()) {
    std::cerr << "mj-demo: " << known.message() << '\n';
    return 2;
  }
  return options;
}

}  // namespace mj::demo
