// Keys that sign tokens, and tokens.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "libs/base/clock.h"

namespace mj::issuer {

struct SigningKey {
  std::string id;          // the JWKS' kid
  std::string secret_pem;  // PKCS #8
};

// A new key. REQUIRES base::IsId(id).
[[nodiscard]] SigningKey NewSigningKey(std::string id);

// A key's file: {"kid": ..., "pem": ...}. INVALID_ARGUMENT when it is none.
[[nodiscard]] std::string ToText(const SigningKey& key);
[[nodiscard]] absl::StatusOr<SigningKey> SigningKeyFromText(std::string_view text);

// The JWKS of their public halves, which is not secret.
[[nodiscard]] std::string JwksOf(const std::vector<SigningKey>& keys);
// `jwks` with this key's public half as well: what a rotation begins with. INVALID_ARGUMENT when it is
// no JWKS, or has a key of this id.
[[nodiscard]] absl::StatusOr<std::string> AddToJwks(std::string_view jwks, const SigningKey& key);

// `jwks` without this key: what a rotation ends with. INVALID_ARGUMENT when it is no JWKS, or has no key of
// this id, or no other.
[[nodiscard]] absl::StatusOr<std::string> DropFromJwks(std::string_view jwks, std::string_view id);

struct TokenClaims {
  std::string role;     // "player", "backend", …
  std::string subject;  // a player's id, a backend's or a person's name
  base::WallTime now;
  std::chrono::seconds life{3'600};
  std::string issuer = "mahjong";
  std::string audience = "mahjong";
};

// A token with these claims, signed.
[[nodiscard]] std::string SignToken(const SigningKey& key, const TokenClaims& claims);

// Any claims at all (JSON), under any header; for tests of what must be refused.
[[nodiscard]] std::string SignRaw(const SigningKey& key, std::string_view header,
                                  std::string_view claims);

}  // namespace mj::issuer
