#include "libs/auth/token.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <jwt/jwt.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "libs/auth/base64url.h"
#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"

namespace mj::auth {
namespace {

using base::Error;
using base::Reason;
using nlohmann::json;
using std::chrono::seconds;

constexpr std::string_view kAlgorithm = "ES256";
constexpr std::size_t kSignatureBytes = 64;
// 9999-12-31: what is later is no time.
constexpr std::int64_t kTimeMax = 253'402'300'799;

absl::Status Bad(std::string_view what) { return Error(Reason::kBadToken, what); }

// A part of the token as an object; discarded when it is none.
json Object(std::string_view part) {
  const auto bytes = DecodeBase64Url(part);
  if (!bytes) return json(json::value_t::discarded);
  json object = json::parse(*bytes, nullptr, /*allow_exceptions=*/false);
  return object.is_object() ? object : json(json::value_t::discarded);
}

// "" for a member that is missing or no text: no such text is right anywhere here.
std::string Text(const json& object, const char* member) {
  const auto found = object.find(member);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool IsTime(const json& value) {
  return value.is_number_integer() && value.get<std::int64_t>() >= 0 &&
         value.get<std::int64_t>() <= kTimeMax;
}

base::WallTime TimeOf(const json& value) {
  return base::WallTime(seconds(value.get<std::int64_t>()));
}

bool IsFor(const json& claims, const std::string& audience) {
  const auto found = claims.find("aud");
  if (found == claims.end()) return false;
  if (!found->is_array()) return *found == audience;
  return std::ranges::any_of(*found, [&](const json& one) { return one == audience; });
}

// The algorithm is ours, not what the token says: the library is not asked to choose one.
bool Signed(std::string_view what, std::string_view signature, const std::string& key) {
  const jwt::jwt_header header(jwt::algorithm::ES256);
  const auto [good, error] =
      jwt::jwt_signature(key).verify(header, jwt::string_view(what.data(), what.size()),
                                     jwt::string_view(signature.data(), signature.size()));
  return good && !error;
}

}  // namespace

absl::StatusOr<CheckedToken> CheckToken(std::string_view token, const KeySet& keys,
                                        const TokenRules& rules, base::WallTime now) {
  if (token.size() > kTokenBytesMax) return Bad("the token is too long");
  const std::size_t first = token.find('.');
  const std::size_t second = first == token.npos ? token.npos : token.find('.', first + 1);
  if (second == token.npos || token.find('.', second + 1) != token.npos) {
    return Bad("want three parts");
  }
  const json header = Object(token.substr(0, first));
  if (header.is_discarded()) return Bad("the header cannot be read");
  if (Text(header, "alg") != kAlgorithm) return Bad("alg: want ES256");
  if (header.contains("crit")) return Bad("crit: there is nothing here that it could name");
  const std::string key_id = Text(header, "kid");
  const auto key = keys.find(key_id);
  if (key == keys.end()) {
    return Bad(base::IsId(key_id) ? base::Cat("kid: there is no key ", key_id)
                                  : std::string("kid: want the id of a key"));
  }
  const std::string_view signature = token.substr(second + 1);
  const auto signature_bytes = DecodeBase64Url(signature);
  if (!signature_bytes || signature_bytes->size() != kSignatureBytes ||
      !Signed(token.substr(0, second), signature, key->second)) {
    return Bad(base::Cat("the signature is not of key ", key_id));
  }

  const json claims = Object(token.substr(first + 1, second - first - 1));
  if (claims.is_discarded()) return Bad("the claims cannot be read");
  if (Text(claims, "iss") != rules.issuer) return Bad("iss: another issuer");
  if (!IsFor(claims, rules.audience)) return Bad("aud: another audience");
  if (!claims.contains("exp") || !IsTime(claims["exp"])) return Bad("exp: want a time");
  const base::WallTime expires = TimeOf(claims["exp"]) + rules.leeway;
  if (now >= expires) return Error(Reason::kTokenExpired);
  if (claims.contains("nbf")) {
    if (!IsTime(claims["nbf"])) return Bad("nbf: want a time");
    if (now < TimeOf(claims["nbf"]) - rules.leeway) return Bad("nbf: not yet");
  }
  const std::string subject = Text(claims, "sub");
  if (!base::IsId(subject)) return Bad("sub: want 1 to 64 of [A-Za-z0-9_-]");
  const std::optional<Role> role = RoleByName(Text(claims, "role"));
  if (!role) return Bad("role: there is no such role");
  if (IsService(*role) && !rules.services) return Bad("role: a service has a certificate");
  return CheckedToken{{*role, subject, key_id}, expires};
}

std::string_view TokenOf(std::string_view authorization) {
  constexpr std::string_view kScheme = "bearer ";
  if (authorization.size() < kScheme.size() ||
      !std::equal(kScheme.begin(), kScheme.end(), authorization.begin(), [](char a, char b) {
        return a == static_cast<char>(std::tolower(static_cast<unsigned char>(b)));
      })) {
    return {};
  }
  return authorization.substr(kScheme.size());
}

}  // namespace mj::auth
