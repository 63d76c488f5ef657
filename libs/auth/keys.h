// The public keys that sign tokens, by id: a JWKS (RFC 7517) of P-256 keys.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace mj::auth {

// PEM ("BEGIN PUBLIC KEY") by key id.
using KeySet = std::map<std::string, std::string, std::less<>>;

// What a JWKS holds for ES256; keys of other kinds are passed over. INVALID_ARGUMENT, saying what is
// wrong with which key, when it is no JWKS, holds no such key, one id twice, a point that is not on
// the curve, or a private key, which belongs into no file of public ones.
[[nodiscard]] absl::StatusOr<KeySet> ParseJwks(std::string_view json);

}  // namespace mj::auth
