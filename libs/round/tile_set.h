// Which kinds, not how many of each.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "libs/tiles/tile.h"

namespace mj::round {

class TileSet {
 public:
  constexpr TileSet() = default;
  // Bit i for Tile::At(i). REQUIRES: no bit beyond the kinds.
  static constexpr TileSet FromBits(std::uint64_t bits) { return TileSet(bits); }

  constexpr bool Has(tiles::Tile tile) const { return (bits_ & Bit(tile)) != 0; }
  constexpr void Add(tiles::Tile tile) { bits_ |= Bit(tile); }
  constexpr void Remove(tiles::Tile tile) { bits_ &= ~Bit(tile); }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr int size() const { return std::popcount(bits_); }

  constexpr bool operator==(const TileSet&) const = default;

  // Walks the kinds in canonical order: `for (Tile tile : set)`.
  class Iterator {
   public:
    constexpr explicit Iterator(std::uint64_t bits) : bits_(bits) {}
    constexpr tiles::Tile operator*() const { return tiles::Tile::At(std::countr_zero(bits_)); }
    constexpr Iterator& operator++() {
      bits_ &= bits_ - 1;
      return *this;
    }
    constexpr bool operator!=(const Iterator& other) const { return bits_ != other.bits_; }

   private:
    std::uint64_t bits_;
  };
  constexpr Iterator begin() const { return Iterator(bits_); }
  constexpr Iterator end() const { return Iterator(0); }

  // The `n`-th kind in canonical order, from 0. REQUIRES: n < size().
  tiles::Tile Nth(int n) const {
#ifdef __BMI2__
    // Without a loop, whose end nobody can guess.
    return tiles::Tile::At(std::countr_zero(__builtin_ia32_pdep_di(std::uint64_t{1} << n, bits_)));
#else
    Iterator at = begin();
    while (n-- > 0) ++at;
    return *at;
#endif
  }

  // The kinds of which there are `n` or more. REQUIRES: 1 <= n, and no count above 127.
  static TileSet Held(const tiles::TileCounts& counts, int n);
  // The same of eight neighbouring kinds, a bit each, the lowest for Tile::At(first). REQUIRES also:
  // that there are so many.
  static std::uint64_t HeldOfEight(const tiles::TileCounts& counts, std::size_t first, int n);

 private:
  constexpr explicit TileSet(std::uint64_t bits) : bits_(bits) {}

  static constexpr std::uint64_t Bit(tiles::Tile tile) { return std::uint64_t{1} << tile.index(); }

  std::uint64_t bits_ = 0;
};

// Eight counts at a time: to ask each of them would be most of what an offer costs.
inline std::uint64_t TileSet::HeldOfEight(const tiles::TileCounts& counts, std::size_t first,
                                          int n) {
  static_assert(std::endian::native == std::endian::little);
  constexpr std::uint64_t kOnes = 0x0101'0101'0101'0101;
  const std::uint64_t enough = kOnes * static_cast<std::uint64_t>(0x80 - n);
  std::uint64_t word = 0;
  std::memcpy(&word, counts.by_index().data() + first, sizeof word);
  // The highest bit of each byte that holds enough, then these bits side by side.
  const std::uint64_t high = (word + enough) >> 7 & kOnes;
  return high * 0x0102'0408'1020'4080 >> 56;
}

inline TileSet TileSet::Held(const tiles::TileCounts& counts, int n) {
  const auto eight = [&](std::size_t first) { return HeldOfEight(counts, first, n); };
  // The last eight overlap the ones before.
  return TileSet(eight(0) | eight(8) << 8 | eight(16) << 16 | eight(24) << 24 |
                 eight(tiles::kKindCount - 8) << (tiles::kKindCount - 8));
}

}  // namespace mj::round
