#include "libs/issuer/signing_key.h"

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/sha.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <jwt/jwt.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "libs/base/check.h"
#include "libs/base/strings.h"
#include "libs/issuer/openssl.h"

namespace mj::issuer {
namespace {

using nlohmann::json;
using std::chrono::seconds;

constexpr std::size_t kCoordinateBytes = 32;

std::string Base64Url(std::string_view bytes) {
  std::string text = jwt::base64_encode(bytes.data(), bytes.size());
  text.resize(jwt::base64_uri_encode(text.data(), text.size()));
  return text;
}

json PublicJwk(const SigningKey& key) {
  const Key secret = ReadSecret(key.secret_pem);
  MJ_CHECK(secret != nullptr, "no key");
  std::array<unsigned char, 1 + 2 * kCoordinateBytes> point{};
  std::size_t size = 0;
  MJ_CHECK(EVP_PKEY_get_octet_string_param(secret.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(),
                                           point.size(), &size) == 1 &&
               size == point.size(),
           "no P-256 key");
  const std::string_view bytes(reinterpret_cast<const char*>(point.data()), point.size());
  return {{"kty", "EC"},
          {"crv", "P-256"},
          {"use", "sig"},
          {"alg", "ES256"},
          {"kid", key.id},
          {"x", Base64Url(bytes.substr(1, kCoordinateBytes))},
          {"y", Base64Url(bytes.substr(1 + kCoordinateBytes))}};
}

bool IsJwks(const json& all) {
  return all.is_object() && all.contains("keys") && all["keys"].is_array();
}

std::int64_t SecondsOf(base::WallTime time) {
  return std::chrono::floor<seconds>(time.time_since_epoch()).count();
}

}  // namespace

SigningKey NewSigningKey(std::string id) {
  MJ_CHECK(base::IsId(id), "no id");
  return {std::move(id), SecretPem(NewP256().get())};
}

std::string ToText(const SigningKey& key) {
  return json{{"kid", key.id}, {"pem", key.secret_pem}}.dump(2) + "\n";
}

absl::StatusOr<SigningKey> SigningKeyFromText(std::string_view text) {
  const json file = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!file.is_object() || !file.contains("kid") || !file["kid"].is_string() ||
      !file.contains("pem") || !file["pem"].is_string()) {
    return absl::InvalidArgumentError("no signing key: want {\"kid\": ..., \"pem\": ...}");
  }
  SigningKey key{file["kid"].get<std::string>(), file["pem"].get<std::string>()};
  const Key secret = ReadSecret(key.secret_pem);
  if (!base::IsId(key.id) || secret == nullptr || EVP_PKEY_get_id(secret.get()) != EVP_PKEY_EC ||
      EVP_PKEY_get_bits(secret.get()) != 256) {
    return absl::InvalidArgumentError("no signing key: want a P-256 key with an id");
  }
  return key;
}

std::string JwksOf(const std::vector<SigningKey>& keys) {
  json all = json::array();
  for (const SigningKey& key : keys) all.push_back(PublicJwk(key));
  return json{{"keys", std::move(all)}}.dump(2) + "\n";
}

absl::StatusOr<std::string> AddToJwks(std::string_view jwks, const SigningKey& key) {
  json all = json::parse(jwks, nullptr, /*allow_exceptions=*/false);
  if (!IsJwks(all)) return absl::InvalidArgumentError("no JWKS");
  for (const json& one : all["keys"]) {
    if (one.is_object() && one.contains("kid") && one["kid"] == key.id) {
      return absl::InvalidArgumentError("the JWKS has a key of this id");
    }
  }
  all["keys"].push_back(PublicJwk(key));
  return all.dump(2) + "\n";
}

absl::StatusOr<std::string> DropFromJwks(std::string_view jwks, std::string_view id) {
  json all = json::parse(jwks, nullptr, /*allow_exceptions=*/false);
  if (!IsJwks(all)) return absl::InvalidArgumentError("no JWKS");
  json kept = json::array();
  for (json& one : all["keys"]) {
    if (!one.is_object() || !one.contains("kid") || one["kid"] != id) kept.push_back(one);
  }
  if (kept.size() == all["keys"].size()) {
    return absl::InvalidArgumentError("the JWKS has no key of this id");
  }
  if (kept.empty()) return absl::InvalidArgumentError("the JWKS has no other key: add one first");
  return json{{"keys", std::move(kept)}}.dump(2) + "\n";
}

std::string SignToken(const SigningKey& key, const TokenClaims& claims) {
  const json header = {{"alg", "ES256"}, {"typ", "JWT"}, {"kid", key.id}};
  const json body = {{"iss", claims.issuer},         {"aud", claims.audience},
                     {"sub", claims.subject},        {"role", claims.role},
                     {"iat", SecondsOf(claims.now)}, {"exp", SecondsOf(claims.now + claims.life)}};
  return SignRaw(key, header.dump(), body.dump());
}

std::string SignRaw(const SigningKey& key, std::string_view header, std::string_view claims) {
  const std::string what = base::Cat(Base64Url(header), ".", Base64Url(claims));
  const auto [signature, error] = jwt::PEMSign<jwt::algo::ES256>::sign(
      jwt::string_view(key.secret_pem.data(), key.secret_pem.size()),
      jwt::string_view(what.data(), what.size()));
  MJ_CHECK(!error, "libcrypto signs nothing");
  return base::Cat(what, ".", Base64Url(signature));
}

}  // namespace mj::issuer
