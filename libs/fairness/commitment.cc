#include "libs/fairness/commitment.h"

#include <sodium.h>

namespace mj::fairness {
namespace {

static_assert(std::tuple_size_v<Digest> == crypto_hash_sha256_BYTES);

Digest Sha256(std::span<const std::uint8_t> bytes) {
  Digest digest;
  crypto_hash_sha256(digest.data(), bytes.data(), bytes.size());
  return digest;
}

}  // namespace

Digest CommitSeed(const Seed& seed) { return Sha256(seed); }

Digest CommitNonce(std::span<const std::uint8_t> nonce) { return Sha256(nonce); }

NonceOutcome CheckNonce(const NonceRecord& record) {
  if (!record.commitment) return NonceOutcome::kNotCommitted;
  if (!record.reveal) return NonceOutcome::kNotRevealed;
  const std::size_t length = record.reveal->size();
  if (length < kNonceBytesMin || length > kNonceBytesMax) return NonceOutcome::kBadLength;
  if (CommitNonce(*record.reveal) != *record.commitment) return NonceOutcome::kMismatch;
  return NonceOutcome::kRevealed;
}

Bytes EffectiveNonce(const NonceRecord& record) {
  return CheckNonce(record) == NonceOutcome::kRevealed ? *record.reveal : Bytes{};
}

}  // namespace mj::fairness
