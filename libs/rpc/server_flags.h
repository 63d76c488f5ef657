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
  int connection_seconds = 600;
  Security security = {};
  int reload_seconds = 10;
  bool insecure_network = false;
};

// Whether only this machine reaches what listens there.
[[nodiscard]] inline bool IsLoopback(std::string_view listen) {
  const std::string_view host = listen.substr(0, listen.rfind(':'));
  return host == "localhost" || host == "[::1]" || host.starts_with("127.");
}

// Adds --listen, --address-file, --metrics, --metrics-address-file, --log-level, --reflection,
// --drain-seconds, --connection-seconds and --workers, and those that say who may call (docs/security.md), to a CLI::App,
// each with its environment variable.
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
  add("--connection-seconds", flags.connection_seconds,
      "after so long a client is asked to connect anew, so that new replicas get calls; open "
      "streams "
      "stay; 0: never");
  add("--workers", flags.workers, "threads for work that may block, 1 to 256");
  app.add_flag("--reflection", flags.reflection, "let clients read the services' descriptors")
      ->envname(FlagVariable(service, "--reflection"));
  Security& security = flags.security;
  add("--tls-ca", security.tls.authority, "PEM file: whose certificates count");
  add("--tls-cert", security.tls.certificate, "PEM file: our certificate; empty: plaintext");
  add("--tls-key", security.tls.key, "PEM file: its key");
  add("--jwks", security.jwks, "file of the public keys that sign tokens; empty: none counts");
  add("--token-issuer", security.issuer, "iss of a token");
  add("--token-audience", security.audience, "aud of a token");
  add("--token-file", security.token_file, "in plaintext: our token for other services");
  add("--reload-seconds", flags.reload_seconds, "between two looks at these files, 1 to 3600");
  add("--health", security.health_listen,
      "HOST:PORT where health alone is served, in plaintext; empty: nowhere");
  auth::CallerLimit& person = security.limits.person;
  auth::CallerLimit& other = security.limits.other;
  add("--player-rate", person.calls_per_second, "calls a second of one player or observer; 0: any");
  add("--player-burst", person.burst, "calls of one player or observer at once");
  add("--player-streams", person.streams, "open streams of one player or observer; 0: any");
  add("--caller-rate", other.calls_per_second, "calls a second of any other caller; 0: any");
  add("--caller-burst", other.burst, "calls of any other caller at once");
  add("--caller-streams", other.streams, "open streams of any other caller; 0: any");
  app.add_flag(
         "--insecure-network", flags.insecure_network,
         "serve in plaintext, whoever calls, beyond this machine: where the network itself is "
         "closed to others")
      ->envname(FlagVariable(service, "--insecure-network"));
}

// What is wrong with flags that say who may call; OK: nothing.
[[nodiscard]] inline absl::Status CheckSecurity(const ServerFlags& flags) {
  const TlsFiles& tls = flags.security.tls;
  if (tls.authority.empty() != tls.certificate.empty() ||
      tls.key.empty() != tls.certificate.empty()) {
    return absl::InvalidArgumentError("--tls-ca, --tls-cert and --tls-key: want all or none");
  }
  if (flags.reload_seconds < 1 || flags.reload_seconds > 3600) {
    return absl::InvalidArgumentError("--reload-seconds: want 1 to 3600");
  }
  if (flags.security.issuer.empty() || flags.security.audience.empty()) {
    return absl::InvalidArgumentError("--token-issuer and --token-audience: want a text");
  }
  for (const auth::CallerLimit& limit :
       {flags.security.limits.person, flags.security.limits.other}) {
    if (limit.calls_per_second < 0 || limit.calls_per_second > 1'000'000 || limit.burst < 1 ||
        limit.burst > 1'000'000 || limit.streams < 0 || limit.streams > 1'000'000) {
      return absl::InvalidArgumentError(
          "--player-rate, --caller-rate, --player-streams, --caller-streams: want 0 to 1000000; "
          "--player-burst, --caller-burst: want 1 to 1000000");
    }
  }
  if (!tls.certificate.empty()) return absl::OkStatus();
  if (!flags.security.jwks.empty() && flags.insecure_network) {
    return absl::InvalidArgumentError(
        "--insecure-network: a token in plaintext is everybody's; want --tls-cert");
  }
  if (!IsLoopback(flags.listen) && !flags.insecure_network) {
    return absl::InvalidArgumentError(
        "--listen: beyond this machine, want --tls-cert (or --insecure-network)");
  }
  return absl::OkStatus();
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
  if (flags.connection_seconds < 0 || flags.connection_seconds > 86'400) {
    return absl::InvalidArgumentError("--connection-seconds: want 0 to 86400");
  }
  if (flags.workers < 1 || flags.workers > 256) {
    return absl::InvalidArgumentError("--workers: want 1 to 256");
  }
  if (absl::Status secure = CheckSecurity(flags); !secure.ok()) return secure;
  ServerConfig config;
  config.security = flags.security;
  config.security.reload = std::chrono::seconds(flags.reload_seconds);
  config.listen = flags.listen;
  config.address_file = flags.address_file;
  config.metrics_listen = flags.metrics;
  config.metrics_address_file = flags.metrics_address_file;
  config.log_level = *level;
  config.reflection = flags.reflection;
  config.drain = std::chrono::seconds(flags.drain_seconds);
  config.workers = flags.workers;
  config.connection = std::chrono::seconds(flags.connection_seconds);
  return config;
}

}  // namespace mj::rpc
