// The flags with which a client program says who it is. Knows the shape of CLI11's App, not CLI11.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "libs/base/clock.h"
#include "libs/rpc/identity.h"

namespace mj::credentials {

struct ClientFlags {
  rpc::TlsFiles tls = {};
  std::string token_file = {};
  std::string signing_key = {};
  std::string issuer = "mahjong";
  std::string audience = "mahjong";
};

// Adds --ca, --cert, --key, --token-file, --signing-key, --token-issuer and --token-audience; `variables`
// begins their environment variables' names ("MJ_CTL_").
template <typename App>
void AddClientFlags(App& app, const std::string& variables, ClientFlags& flags) {
  const auto add = [&](const std::string& flag, const std::string& name, std::string& value,
                       const std::string& help) {
    app.add_option(flag, value, help)->envname(variables + name)->group("Who is calling");
  };
  add("--ca", "CA", flags.tls.authority, "PEM file: whose servers are trusted; without: plaintext");
  add("--cert", "CERT", flags.tls.certificate, "PEM file: our certificate, of a service");
  add("--key", "KEY", flags.tls.key, "PEM file: its key");
  add("--token-file", "TOKEN_FILE", flags.token_file, "file of the token that goes with each call");
  add("--signing-key", "SIGNING_KEY", flags.signing_key,
      "file of a key (mahjongctl keys) that signs tokens: we are a backend, and sign its players' "
      "tokens, too");
  add("--token-issuer", "TOKEN_ISSUER", flags.issuer, "iss of the tokens that we sign");
  add("--token-audience", "TOKEN_AUDIENCE", flags.audience, "aud of the tokens that we sign");
}

// Makes the flags this process's identity; without any of them it has none, as before. INVALID_ARGUMENT
// when they contradict each other or a file is none. Once, from main. `clock` lives as long as the process;
// `name` and `role` are what its own tokens say, where it signs them.
[[nodiscard]] absl::Status BecomeClient(const ClientFlags& flags, const std::string& name,
                                        const base::Clock& clock,
                                        const std::string& role = "backend");

}  // namespace mj::credentials
