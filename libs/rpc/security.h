// How a server knows who calls. Without it, it serves whoever reaches it: for development on loopback.
#pragma once

#include <chrono>
#include <string>

#include "absl/status/status.h"
#include "libs/auth/limits.h"

namespace mj::rpc {

// Files in PEM. They are read again when they change; certificate and key may be one file, so that both
// change in one step.
struct TlsFiles {
  std::string authority = {};    // whose certificates count
  std::string certificate = {};  // our own, with what is between it and the authority
  std::string key = {};
};

struct Security {
  // Ours as a server and as a client of other services; empty: plaintext, which then is for this
  // machine alone.
  TlsFiles tls = {};
  std::string jwks = {};  // file of the keys that sign tokens; empty: no token counts
  std::string issuer = "mahjong";
  std::string audience = "mahjong";
  std::string token_file = {};      // in plaintext: the token with which we call other services
  std::chrono::seconds reload{10};  // how often files are looked at; at least 1 s
  auth::LimitOptions limits = {};
  // Where grpc.health.v1 alone is served in plaintext, for probes that cannot do better; empty: nowhere.
  std::string health_listen = {};

  // Whether callers are asked who they are.
  [[nodiscard]] bool on() const { return !tls.certificate.empty() || !jwks.empty(); }
};

}  // namespace mj::rpc
