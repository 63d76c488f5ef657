// What proves who calls, made for development, and tokens.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "libs/base/clock.h"

namespace mj::mahjongctl {

struct KeysArguments {
  std::string what;  // "dev", "token", "rotate", "drop"
  std::string folder;
  std::vector<std::string> hosts;
  int days = 30;
  std::string signing_key;
  std::string role;
  std::string subject;
  int minutes = 60;
  std::string issuer = "mahjong";
  std::string audience = "mahjong";
  std::string key_id;
};

// In the folder: ca.pem and ca.key, SERVICE.pem and SERVICE.key of each service, signing.json (the key
// that signs tokens), jwks.json (its public half). Secrets are their owner's alone. Returns an exit code.
int MakeKeys(const KeysArguments& arguments, const base::Clock& clock, std::ostream& out,
             std::ostream& error);

}  // namespace mj::mahjongctl
