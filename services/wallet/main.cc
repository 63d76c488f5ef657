#include "libs/rpc/service.h"
#include "services/wallet/config.h"
#include "services/wallet/wiring.h"

int main(int argc, char** argv) {
  const auto config = mj::wallet::ConfigFromFlags(argc, argv);
  if (!config.ok()) return mj::rpc::FailStartup(config.status());
  return mj::rpc::RunService("wallet", config->server, [&](mj::rpc::Bindings& bindings) {
    return mj::wallet::Bind(*config, bindings);
  });
}
