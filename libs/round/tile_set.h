// Which kinds, not how many of each.
#pragma once

#include <bit>
#include <cstdint>

#include "libs/tiles/tile.h"

namespace mj::round {

class TileSet {
 public:
  constexpr TileSet() = default;

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

 private:
  static constexpr std::uint64_t Bit(tiles::Tile tile) { return std::uint64_t{1} << tile.index(); }

  std::uint64_t bits_ = 0;
};

}  // namespace mj::round
