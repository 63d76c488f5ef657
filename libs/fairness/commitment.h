// What is promised before a deal: the hash of the table's seed, and the hashes of the players'
// nonces. SPEC.md section 1. Everything here is pure and thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace mj::fairness {

inline constexpr std::size_t kSeats = 4;

// A round's randomness: 128 bytes from the operating system, drawn by the caller for each round
// anew.
inline constexpr std::size_t kSeedBytes = 128;
using Seed = std::array<std::uint8_t, kSeedBytes>;

using Digest = std::array<std::uint8_t, 32>;  // SHA-256
using Bytes = std::vector<std::uint8_t>;

// A nonce that counts has a length within these. Shorter ones could be guessed from their hash.
inline constexpr std::size_t kNonceBytesMin = 16;
inline constexpr std::size_t kNonceBytesMax = 64;

// SHA-256(seed): to be shown before the deal.
[[nodiscard]] Digest CommitSeed(const Seed& seed);

// SHA-256(nonce): what a player sends with ready or continue. Any length is hashed.
[[nodiscard]] Digest CommitNonce(std::span<const std::uint8_t> nonce);

// What became of one seat's nonce. The first that applies, in this order.
enum class NonceOutcome : std::uint8_t {
  kNotCommitted,  // the seat sent no hash (whatever it may have sent afterwards)
  kNotRevealed,   // no nonce came in time
  kBadLength,     // outside kNonceBytesMin..kNonceBytesMax
  kMismatch,      // does not hash to its commitment
  kRevealed,      // counts; every other outcome counts as an empty nonce
};

// One seat's part as it is recorded and published.
struct NonceRecord {
  std::optional<Digest> commitment;
  std::optional<Bytes> reveal;  // as received in time, even when it does not count
};

[[nodiscard]] NonceOutcome CheckNonce(const NonceRecord& record);

// The nonce that goes into the round's digest: the revealed one when it counts, else empty.
[[nodiscard]] Bytes EffectiveNonce(const NonceRecord& record);

}  // namespace mj::fairness
