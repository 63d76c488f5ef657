#include "libs/audit/signing.h"

#include <sodium.h>

#include <algorithm>

#include "libs/audit/digest.h"

namespace mj::audit {
namespace {

static_assert(SigningKey::kSeedBytes == crypto_sign_SEEDBYTES);
static_assert(std::tuple_size_v<PublicKey> == crypto_sign_PUBLICKEYBYTES);
static_assert(std::tuple_size_v<Signature> == crypto_sign_BYTES);

constexpr std::string_view kKeyHead = "mahjong-ledger-key-1 ";
constexpr std::string_view kPublicKeyHead = "mahjong-ledger-public-key-1 ";
constexpr std::string_view kSpace = " \t\r\n";

const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

// The 32 bytes after `head`; nothing if the text is not of that form.
std::optional<Digest> After(std::string_view head, std::string_view text) {
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return std::nullopt;
  text = text.substr(first, text.find_last_not_of(kSpace) - first + 1);
  if (!text.starts_with(head)) return std::nullopt;
  return DigestFromHex(text.substr(head.size()));
}

}  // namespace

SigningKey::~SigningKey() { sodium_memzero(secret_.data(), secret_.size()); }

std::optional<SigningKey> SigningKey::FromSeed(std::string_view seed) {
  if (seed.size() != kSeedBytes) return std::nullopt;
  SigningKey key;
  PublicKey ignored;
  crypto_sign_seed_keypair(ignored.data(), key.secret_.data(), Bytes(seed));
  return key;
}

std::optional<SigningKey> SigningKey::FromText(std::string_view text) {
  const std::optional<Digest> seed = After(kKeyHead, text);
  return seed ? FromSeed(AsBytes(*seed)) : std::nullopt;
}

std::string SigningKey::ToText() const {
  const std::string_view secret(reinterpret_cast<const char*>(secret_.data()), kSeedBytes);
  return std::string(kKeyHead) + BytesToHex(secret) + "\n";
}

PublicKey SigningKey::Public() const {
  PublicKey key;
  std::copy(secret_.begin() + kSeedBytes, secret_.end(), key.begin());
  return key;
}

Signature SigningKey::Sign(std::string_view text) const {
  Signature signature;
  crypto_sign_detached(signature.data(), nullptr, Bytes(text), text.size(), secret_.data());
  return signature;
}

std::string ToText(const PublicKey& key) { return std::string(kPublicKeyHead) + ToHex(key) + "\n"; }

std::optional<PublicKey> PublicKeyFromText(std::string_view text) {
  return After(kPublicKeyHead, text);
}

bool Verify(const PublicKey& key, std::string_view text, const Signature& signature) {
  return crypto_sign_verify_detached(signature.data(), Bytes(text), text.size(), key.data()) == 0;
}

}  // namespace mj::audit
