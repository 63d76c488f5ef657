#include "libs/rpc/service.h"
#include "services/matchmaking/config.h"
#include "services/matchmaking/wiring.h"

int main(int argc, char** argv) {
  const auto config = mj::matchmaking::ConfigFromFlags(argc, argv);
  if (!config.ok()) return mj::rpc::FailStartup(config.status());
  return mj::rpc::RunService("matchmaking", config->server, [&](mj::rpc::Bindings& bindings) {
    return mj::matchmaking::Bind(*config, bindings);
  });
}
