#include "libs/audit/digest.h"

#include <sodium.h>

#include <algorithm>

namespace mj::audit {
namespace {

static_assert(std::tuple_size_v<Digest> == crypto_hash_sha256_BYTES);

constexpr std::string_view kDigits = "0123456789abcdef";

int Value(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  return -1;
}

}  // namespace

Digest Sha256(std::string_view bytes) {
  Digest digest;
  crypto_hash_sha256(digest.data(), reinterpret_cast<const unsigned char*>(bytes.data()),
                     bytes.size());
  return digest;
}

std::string BytesToHex(std::string_view bytes) {
  std::string hex;
  hex.reserve(2 * bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<std::uint8_t>(c);
    hex.push_back(kDigits[byte >> 4U]);
    hex.push_back(kDigits[byte & 15U]);
  }
  return hex;
}

std::string ToHex(const Digest& digest) { return BytesToHex(AsBytes(digest)); }

std::optional<std::string> BytesFromHex(std::string_view hex) {
  if (hex.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(hex.size() / 2);
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    const int high = Value(hex[i]);
    const int low = Value(hex[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes.push_back(static_cast<char>(high * 16 + low));
  }
  return bytes;
}

std::optional<Digest> DigestFromHex(std::string_view hex) {
  const std::optional<std::string> bytes = BytesFromHex(hex);
  return bytes ? DigestFromBytes(*bytes) : std::nullopt;
}

std::optional<Digest> DigestFromBytes(std::string_view bytes) {
  Digest digest;
  if (bytes.size() != digest.size()) return std::nullopt;
  std::transform(bytes.begin(), bytes.end(), digest.begin(),
                 [](char c) { return static_cast<std::uint8_t>(c); });
  return digest;
}

std::string_view AsBytes(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

}  // namespace mj::audit
