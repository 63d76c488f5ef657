#include "tools/demo/command_line.h"

#include <CLI/CLI.hpp>

namespace mj::demo {

std::variant<DemoOptions, int> ParseCommandLine(int argc, const char* const* argv) {
  CLI::App app(
      "Four bots queue, sit down and play; every round is printed as a person reads it, then the "
      "ledger's trial balance.",
      "mj-demo");
  app.footer(
      "Exit codes: 0 every round was settled and the books balance; 1 otherwise; 2 wrong command "
      "line");
  DemoOptions options{.addresses = {},
                      .scoring = {},
                      .database = {},
                      .variant = "chaozhou",
                      .rounds = 8,
                      .seed = 1};
  const auto need = [&app](const char* name, std::string& value, const char* help) {
    app.add_option(name, value, help)->required();
  };
  need("--wallet-address", options.addresses.wallet, "HOST:PORT of the wallet service");
  need("--table-address", options.addresses.table, "HOST:PORT of the table service");
  need("--matchmaking-address", options.addresses.matchmaking,
       "HOST:PORT of the matchmaking service");
  need("--scoring-address", options.scoring, "HOST:PORT of the scoring service");
  need("--database", options.database, "libpq URL of the database with the wallet's books");
  app.add_option("--variant", options.variant, "The game")->capture_default_str();
  app.add_option("--rounds", options.rounds, "How many rounds to play")
      ->check(CLI::Range(1, 10'000))
      ->capture_default_str();
  app.add_option("--seed", options.seed,
                 "Decides between choices that are equally good to a bot. The deal is the table's: "
                 "its seed is published after each round")
      ->capture_default_str();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return options;
}

}  // namespace mj::demo
