#include "tests/e2e/suite_testing.h"

#include <cstdlib>
#include <iostream>
#include <utility>

#include "services/matchmaking/wiring.h"
#include "services/scoring/wiring.h"
#include "services/table/wiring.h"
#include "services/wallet/wiring.h"

namespace mj::e2e {
namespace {

// What the services say of themselves is shown when a test needs it: MJ_E2E_LOG=1.
void LogLine(std::string_view line) {
  static const bool shown = std::getenv("MJ_E2E_LOG") != nullptr;
  if (shown) std::cerr << line << '\n';
}

std::unique_ptr<rpc::RunningService> Start(std::string_view name, const rpc::BindFunction& bind) {
  rpc::ServerConfig server;
  server.drain = std::chrono::seconds(5);
  auto started = rpc::StartService(name, server, bind, {.log_line = LogLine});
  if (!started.ok()) {
    std::cerr << name << " does not start: " << started.status() << '\n';
    std::exit(1);
  }
  return *std::move(started);
}

}  // namespace

Suite::Suite() {
  scoring_ = Start("scoring", [](rpc::Bindings& bindings) {
    return scoring::Bind({.server = bindings.config()}, bindings);
  });
  wallet_ = Start("wallet", [this](rpc::Bindings& bindings) {
    wallet::Config config;
    config.server = bindings.config();
    config.database = database_.url();
    return wallet::Bind(config, bindings);
  });
  table_ = Start("table", [this](rpc::Bindings& bindings) {
    table::Config config;
    config.server = bindings.config();
    config.database = database_.url();
    config.scoring_address = scoring_->address();
    config.settings.claim_pause_ms = 0;
    config.settings.reveal_ms = 10'000;  // a slow machine is nobody's lateness
    config.wallet_address = wallet_->address();
    return table::Bind(config, bindings);
  });
  matchmaking_ = Start("matchmaking", [this](rpc::Bindings& bindings) {
    matchmaking::Config config;
    config.server = bindings.config();
    config.database = database_.url();
    config.wallet_address = wallet_->address();
    config.table_address = table_->address();
    return matchmaking::Bind(config, bindings);
  });
  stubs_ = demo::Connect(addresses());
}

Suite::~Suite() {
  stubs_ = {};
  matchmaking_.reset();
  table_.reset();
  wallet_.reset();
  scoring_.reset();
}

}  // namespace mj::e2e
