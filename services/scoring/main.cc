#include "libs/rpc/service.h"
#include "services/scoring/config.h"
#include "services/scoring/wiring.h"

int main(int argc, char** argv) {
  const auto config = mj::scoring::ConfigFromFlags(argc, argv);
  if (!config.ok()) return mj::rpc::FailStartup(config.status());
  return mj::rpc::RunService("scoring", config->server, [&](mj::rpc::Bindings& bindings) {
    return mj::scoring::Bind(*config, bindings);
  });
}
