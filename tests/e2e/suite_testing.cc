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

std::string Suite::TargetOf(const Running& replicas) {
  std::string target;
  for (const auto& replica : replicas) {
    target += (target.empty() ? "" : ",") + replica->address();
  }
  return replicas.size() == 1 ? target : "ipv4:" + target;
}

std::vector<std::string> Suite::matchmakers() const {
  std::vector<std::string> addresses;
  for (const auto& replica : matchmakers_) addresses.push_back(replica->address());
  return addresses;
}

Suite::Suite(const Replicas& replicas) {
  scoring_ = Start("scoring", [](rpc::Bindings& bindings) {
    return scoring::Bind({.server = bindings.config()}, bindings);
  });
  wallet_ = Start("wallet", [this](rpc::Bindings& bindings) {
    wallet::Config config;
    config.server = bindings.config();
    config.database = database_.url();
    return wallet::Bind(config, bindings);
  });
  for (int i = 0; i < replicas.table; ++i) {
    tables_.push_back(Start("table", [&](rpc::Bindings& bindings) {
      table::Config config;
      config.server = bindings.config();
      config.database = database_.url();
      config.scoring_address = scoring_->address();
      config.settings.claim_pause_ms = 0;
      config.settings.bot_think_ms = 0;
      config.settings.reveal_ms = 10'000;  // a slow machine is nobody's lateness
      config.wallet_address = wallet_->address();
      return table::Bind(config, bindings);
    }));
  }
  for (int i = 0; i < replicas.matchmaking; ++i) {
    matchmakers_.push_back(Start("matchmaking", [&](rpc::Bindings& bindings) {
      matchmaking::Config config;
      config.server = bindings.config();
      config.database = database_.url();
      config.wallet_address = wallet_->address();
      config.table_address = TargetOf(tables_);
      return matchmaking::Bind(config, bindings);
    }));
  }
  stubs_ = demo::Connect(addresses());
}

Suite::~Suite() {
  stubs_ = {};
  matchmakers_.clear();
  tables_.clear();
  wallet_.reset();
  scoring_.reset();
}

}  // namespace mj::e2e
