// What makes a token (RFC 7519, signed with ES256) somebody's:
//
//   header  {"alg": "ES256", "kid": "2026-11"}
//   claims  {"iss": "mahjong", "aud": "mahjong", "sub": "ann", "role": "player", "exp": 1796000000}
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "libs/auth/caller.h"
#include "libs/auth/keys.h"
#include "libs/base/clock.h"

namespace mj::auth {

struct TokenRules {
  std::string issuer = "mahjong";
  std::string audience = "mahjong";
  // By how much clocks may differ: a token counts so much before its nbf and after its exp.
  std::chrono::seconds leeway{30};
  // Whether a token may be a service's. Where there are certificates, they alone are.
  bool services = false;
};

struct CheckedToken {
  Caller caller;
  base::WallTime expires;  // the leeway counted
};

inline constexpr std::size_t kTokenBytesMax = 4'096;

// Whose a token is at `now`. BAD_TOKEN, with what is wrong with it, TOKEN_EXPIRED. Neither holds any of
// the token but its key's id.
[[nodiscard]] absl::StatusOr<CheckedToken> CheckToken(std::string_view token, const KeySet& keys,
                                                      const TokenRules& rules, base::WallTime now);

// The token of "Bearer …", the scheme in any case; empty for another scheme.
[[nodiscard]] std::string_view TokenOf(std::string_view authorization);

}  // namespace mj::auth
