#include "services/scoring/config.h"

#include <CLI/CLI.hpp>
#include <cstdlib>

#include "libs/base/status.h"
#include "libs/rpc/server_flags.h"

namespace mj::scoring {

absl::StatusOr<Config> ConfigFromFlags(int argc, const char* const* argv) {
  CLI::App app("Says what rounds and hands of mahjong are worth, over gRPC.", "mj-scoring");
  mj::rpc::ServerFlags flags;
  mj::rpc::AddServerFlags(app, "scoring", flags);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    std::exit(app.exit(help));
  } catch (const CLI::ParseError& error) {
    return absl::InvalidArgumentError(error.what());
  }
  Config config;
  MJ_ASSIGN_OR_RETURN(config.server, mj::rpc::TakeServerFlags(flags));
  return config;
}

}  // namespace mj::scoring
