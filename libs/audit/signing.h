// Ed25519 (RFC 8032) keys and signatures, as text that people keep in files.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mj::audit {

using PublicKey = std::array<std::uint8_t, 32>;
using Signature = std::array<std::uint8_t, 64>;

// A signing key. Its memory is wiped when it goes.
class SigningKey {
 public:
  static constexpr std::size_t kSeedBytes = 32;

  // `seed`: 32 bytes that nobody else knows. Nothing for another length.
  [[nodiscard]] static std::optional<SigningKey> FromSeed(std::string_view seed);
  // Reads what ToText wrote, white space around it allowed; nothing for anything else.
  [[nodiscard]] static std::optional<SigningKey> FromText(std::string_view text);

  SigningKey(SigningKey&&) = default;
  SigningKey& operator=(SigningKey&&) = default;
  SigningKey(const SigningKey&) = delete;
  SigningKey& operator=(const SigningKey&) = delete;
  ~SigningKey();

  // "mahjong-ledger-key-1 HEX", one line: the secret.
  [[nodiscard]] std::string ToText() const;
  [[nodiscard]] PublicKey Public() const;
  [[nodiscard]] Signature Sign(std::string_view text) const;

 private:
  SigningKey() = default;

  std::array<std::uint8_t, 64> secret_{};  // seed, then public key
};

// "mahjong-ledger-public-key-1 HEX", one line.
[[nodiscard]] std::string ToText(const PublicKey& key);
[[nodiscard]] std::optional<PublicKey> PublicKeyFromText(std::string_view text);

[[nodiscard]] bool Verify(const PublicKey& key, std::string_view text, const Signature& signature);

}  // namespace mj::audit
