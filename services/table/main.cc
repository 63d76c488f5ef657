#include "libs/rpc/service.h"
#include "services/table/config.h"
#include "services/table/wiring.h"

int main(int argc, char** argv) {
  const auto config = mj::table::ConfigFromFlags(argc, argv);
  if (!config.ok()) return mj::rpc::FailStartup(config.status());
  return mj::rpc::RunService("table", config->server, [&](mj::rpc::Bindings& bindings) {
    return mj::table::Bind(*config, bindings);
  });
}
