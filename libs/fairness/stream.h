// The random stream of a round: SHA-512(label ‖ counter ‖ context ‖ seed), and unbiased numbers
// from it. SPEC.md sections 2 to 4; bit-exact, the same on every machine.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "libs/fairness/commitment.h"

namespace mj::fairness {

// Everything that a round's draws depend on besides the seed.
struct RoundContext {
  std::array<Bytes, kSeats> nonces;  // EffectiveNonce of each seat
  std::string round_id;
  std::string variant;
  std::map<std::string, std::string> options;  // the table's complete options, defaults included
};

// SHA-256 over the context, every field length-prefixed: no two contexts share their bytes.
[[nodiscard]] Digest ContextDigest(const RoundContext& context);

// What a stream is for. Each label is a stream of its own, so that drawing dice moves no tile.
enum class Label : std::uint8_t { kWall, kDice, kDealer, kWinds };

[[nodiscard]] std::string_view LabelText(Label label);

// A number in 0..bound-1, every one equally likely if the words are. `next_word` yields 16-bit
// words; those that would make small numbers likelier are thrown away. REQUIRES: 1 <= bound <=
// 65536. Reads at least one word, fewer than two on average.
template <typename NextWord>
[[nodiscard]] std::uint32_t UniformBelow(std::uint32_t bound, NextWord&& next_word) {
  constexpr std::uint32_t kWords = 65536;
  const std::uint32_t limit = kWords - kWords % bound;
  std::uint32_t word = next_word();
  while (word >= limit) word = next_word();
  return word % bound;
}

// One label's stream, read from its beginning. Deterministic; endless; not to be shared by threads.
class Stream {
 public:
  Stream(Label label, const Digest& context, const Seed& seed);

  // The next two bytes, big-endian.
  std::uint16_t NextWord();

  // UniformBelow of this stream. REQUIRES: 1 <= bound <= 65536.
  std::uint32_t Below(std::uint32_t bound);

 private:
  static constexpr std::size_t kBlockBytes = 64;  // SHA-512

  void NextBlock();

  Bytes input_;             // label ‖ counter ‖ context ‖ seed; only the counter changes
  std::size_t counter_at_;  // where the counter's eight bytes stand in it
  std::uint64_t counter_ = 0;
  std::array<std::uint8_t, kBlockBytes> block_{};
  std::size_t used_ = kBlockBytes;
};

}  // namespace mj::fairness
