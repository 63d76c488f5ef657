#include "libs/fairness/fairness_testing.h"

#include <sodium.h>

#include <algorithm>

namespace mj::fairness {

Bytes FromHex(std::string_view hex) {
  Bytes bytes(hex.size() / 2);
  std::size_t written = 0;
  sodium_hex2bin(bytes.data(), bytes.size(), hex.data(), hex.size(), nullptr, &written, nullptr);
  bytes.resize(written);
  return bytes;
}

std::string ToHex(std::span<const std::uint8_t> bytes) {
  std::string hex(bytes.size() * 2 + 1, '\0');
  sodium_bin2hex(hex.data(), hex.size(), bytes.data(), bytes.size());
  hex.pop_back();
  return hex;
}

Seed TestSeed(std::uint64_t number) {
  Seed seed;
  for (std::uint8_t half = 0; half < 2; ++half) {
    std::array<std::uint8_t, 9> input{half};
    for (std::size_t i = 0; i < 8; ++i) input[i + 1] = static_cast<std::uint8_t>(number >> 8 * i);
    crypto_hash_sha512(seed.data() + half * std::size_t{64}, input.data(), input.size());
  }
  return seed;
}

tiles::TileCounts FullSet() {
  tiles::TileCounts counts;
  for (tiles::Tile tile : tiles::kAllKinds) counts.Add(tile, tiles::kCopies);
  return counts;
}

}  // namespace mj::fairness
