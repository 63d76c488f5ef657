#include "libs/auth/keys.h"

#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "libs/auth/base64url.h"
#include "libs/base/owned.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"

namespace mj::auth {
namespace {

using base::Owned;
using nlohmann::json;

constexpr std::size_t kCoordinateBytes = 32;

absl::Status Bad(std::string_view id, std::string_view what) {
  return absl::InvalidArgumentError(base::ToAbsl(base::Cat("key \"", id, "\": ", what)));
}

std::string Text(const json& object, const char* member) {
  const auto found = object.find(member);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// The point as PEM; nullopt: it is not on the curve.
std::optional<std::string> PemOf(const std::string& x, const std::string& y) {
  const std::string point = "\x04" + x + y;
  const Owned<OSSL_PARAM_BLD, OSSL_PARAM_BLD_free> builder(OSSL_PARAM_BLD_new());
  OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0);
  OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(),
                                   point.size());
  const Owned<OSSL_PARAM, OSSL_PARAM_free> parameters(OSSL_PARAM_BLD_to_param(builder.get()));
  const Owned<EVP_PKEY_CTX, EVP_PKEY_CTX_free> context(
      EVP_PKEY_CTX_new_from_name(nullptr, "EC", nullptr));
  EVP_PKEY* made = nullptr;
  if (EVP_PKEY_fromdata_init(context.get()) != 1 ||
      EVP_PKEY_fromdata(context.get(), &made, EVP_PKEY_PUBLIC_KEY, parameters.get()) != 1) {
    return std::nullopt;
  }
  const Owned<EVP_PKEY, EVP_PKEY_free> key(made);
  const Owned<EVP_PKEY_CTX, EVP_PKEY_CTX_free> check(
      EVP_PKEY_CTX_new_from_pkey(nullptr, key.get(), nullptr));
  if (EVP_PKEY_public_check(check.get()) != 1) return std::nullopt;
  const Owned<BIO, BIO_free_all> out(BIO_new(BIO_s_mem()));
  if (PEM_write_bio_PUBKEY(out.get(), key.get()) != 1) return std::nullopt;
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(out.get(), &bytes);
  return std::string(bytes, static_cast<std::size_t>(size));
}

bool IsForEs256(const json& key) {
  const std::string use = Text(key, "use");
  const std::string algorithm = Text(key, "alg");
  return Text(key, "kty") == "EC" && Text(key, "crv") == "P-256" && (use.empty() || use == "sig") &&
         (algorithm.empty() || algorithm == "ES256");
}

}  // namespace

absl::StatusOr<KeySet> ParseJwks(std::string_view text) {
  const json jwks = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!jwks.is_object() || !jwks.contains("keys") || !jwks["keys"].is_array()) {
    return absl::InvalidArgumentError("no JWKS: want {\"keys\": [...]}");
  }
  KeySet keys;
  for (const json& key : jwks["keys"]) {
    if (!key.is_object()) return absl::InvalidArgumentError("no JWKS: a key is an object");
    const std::string id = Text(key, "kid");
    if (key.contains("d") || key.contains("k")) return Bad(id, "holds a secret");
    if (!IsForEs256(key)) continue;
    if (!base::IsId(id)) return Bad(id, "kid: want 1 to 64 of [A-Za-z0-9_-]");
    const auto x = DecodeBase64Url(Text(key, "x"));
    const auto y = DecodeBase64Url(Text(key, "y"));
    if (!x || !y || x->size() != kCoordinateBytes || y->size() != kCoordinateBytes) {
      return Bad(id, "x, y: want 32 bytes each, base64url");
    }
    std::optional<std::string> pem = PemOf(*x, *y);
    if (!pem) return Bad(id, "the point is not on the curve");
    if (!keys.emplace(id, *std::move(pem)).second) return Bad(id, "is there twice");
  }
  if (keys.empty()) return absl::InvalidArgumentError("no key for ES256");
  return keys;
}

}  // namespace mj::auth
