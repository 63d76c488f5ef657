// The flags that every service has, in one place. Knows the shape of CLI11's App, not CLI11 itself,
// which only services/*/config.cc include.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "libs/base/reasons.h"
#include "libs/base/strings.h"
#include "libs/rpc/service.h"

namespace mj::rpc {

// "MJ_WALLET_LOG_LEVEL" for "wallet" and "--log-level".
[[nodiscard]] inline std::string FlagVariable(std::string_view service, std::string_view flag) {
  std::string name = base::Cat("MJ_", service, "_", flag.substr(flag.find_first_not_of('-')));
  for (char& c : name) {
    if (c >= 'a' && c <= 'z') {
      c = static_cast<char>(c - 'a' + 'A');
    } else if (c == '-') {
      c = '_';
    }
  }
  return name;
}

// What the flags are parsed into. Must stay until TakeServerFlags.
struct ServerFlags {
  std::string listen = "127.0.0.1:0";
  std::string address_file = {};
  std::string metrics = {};
  std::string metrics_address_file = {};
  std::string log_level = "info";
  bool reflection = false;
  int drain_seconds = 10;
  int workers = 8;
};

// Adds --listen, --address-file, --metrics, --metrics-address-file, --log-level, --reflection,
// --drain-seconds and --workers to a CLI::App, each with its environment variable.
template <typename App>
void AddServerFlags(App& app, std::string_view service, ServerFlags& flags) {
  const auto add = [&](const std::string& flag, auto& value, const std::string& help) {
    return app.add_option(flag, value, help)
        ->envname(FlagVariable(service, flag))
        ->capture_default_str();
  };
  add("--listen", flags.listen, "HOST:PORT to serve on; port 0 takes a free one");
  add("--address-file", flags.address_file, "file that gets the address once it serves");
  add("--metrics", flags.metrics, "HOST:PORT of /metrics; port 0 takes a free one; empty: none");
  add("--metrics-address-file", flags.metrics_address_file, "file that gets the metrics' address");
  add("--log-level", flags.log_level, "debug, info, warn or error");
  add("--drain-seconds", flags.drain_seconds, "longest time from SIGTERM to the end, 0 to 600");
  add("--workers", flags.workers, "threads for work that may block, 1 to 256");
  app.add_flag("--reflection", flags.reflection, "let clients read the services' descriptors")
      ->envname(FlagVariable(service, "--reflection"));
}

// The flags as a ServerConfig; INVALID_ARGUMENT naming the flag that is out of range.
[[nodiscard]] inline absl::StatusOr<ServerConfig> TakeServerFlags(const ServerFlags& flags) {
  const auto level = obs::ParseLogLevel(flags.log_level);
  if (!level) {
    return absl::InvalidArgumentError("--log-level: want debug, info, warn or error");
  }
  if (flags.drain_seconds < 0 || flags.drain_seconds > 600) {
    return absl::InvalidArgumentError("--drain-seconds: want 0 to 600");
  }
  if (flags.workers < 1 || flags.workers > 256) {
    return absl::InvalidArgumentError("--workers: want 1 to 256");
  }
  ServerConfig config;
  config.listen = flags.listen;
  config.address_file = flags.address_file;
  config.metrics_listen = flags.metrics;
  config.metrics_address_file = flags.metrics_address_file;
  config.log_level = *level;
  config.reflection = flags.reflection;
  config.drain = std::chrono::seconds(flags.drain_seconds);
  config.workers = flags.workers;
  return config;
}

}  // namespace mj::rpc
