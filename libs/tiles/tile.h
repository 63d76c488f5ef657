// A tile kind, and counts of kinds.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>

namespace mj::tiles {

// Kinds that exist: 1-9 of three suits, four winds, three dragons.
inline constexpr int kKindCount = 34;
// Copies of one kind in a full set.
inline constexpr int kCopies = 4;

enum class Suit : std::uint8_t { kCharacters, kDots, kBamboo, kHonours };  // 万 筒 条 字

// One of the 34 kinds. Ordered as mpsz sorts: 1m…9m 1p…9p 1s…9s 1z…7z.
class Tile {
 public:
  constexpr Tile() = default;  // 1m

  // REQUIRES: 0 <= index < kKindCount. Input goes through FromIndex or ParseTile instead.
  static constexpr Tile At(int index) {
    Tile tile;
    tile.index_ = static_cast<std::uint8_t>(index);
    return tile;
  }
  // The kind with this index, or nothing when there is none.
  static constexpr std::optional<Tile> FromIndex(int index) {
    if (index < 0 || index >= kKindCount) return std::nullopt;
    return At(index);
  }
  // REQUIRES: 1 <= rank <= 9 (honours: 7).
  static constexpr Tile Of(Suit suit, int rank) {
    return At(static_cast<int>(suit) * 9 + rank - 1);
  }

  constexpr int index() const { return index_; }
  constexpr Suit suit() const {
    return index_ < 9    ? Suit::kCharacters
           : index_ < 18 ? Suit::kDots
           : index_ < 27 ? Suit::kBamboo
                         : Suit::kHonours;
  }
  // 1-9 in a suit; honours: 1-4 the winds E S W N, 5-7 white, green, red.
  constexpr int rank() const { return index_ < 27 ? index_ % 9 + 1 : index_ - 27 + 1; }

  constexpr bool is_honour() const { return index_ >= 27; }
  constexpr bool is_wind() const { return index_ >= 27 && index_ <= 30; }
  constexpr bool is_dragon() const { return index_ >= 31; }
  constexpr bool is_terminal() const { return index_ < 27 && (index_ % 9 == 0 || index_ % 9 == 8); }
  constexpr bool is_terminal_or_honour() const { return is_honour() || is_terminal(); }
  // Whether this tile can be the lowest of a chow.
  constexpr bool starts_chow() const { return index_ < 27 && index_ % 9 <= 6; }

  constexpr auto operator<=>(const Tile&) const = default;

 private:
  std::uint8_t index_ = 0;
};

inline constexpr Tile kEast = Tile::At(27), kSouth = Tile::At(28), kWest = Tile::At(29),
                      kNorth = Tile::At(30), kWhite = Tile::At(31), kGreen = Tile::At(32),
                      kRed = Tile::At(33);

// The kind after `tile` in its sequence, closing into a circle: 9 → 1, winds E→S→W→N→E,
// dragons red → green → white → red (JY-50).
constexpr Tile NextInSequence(Tile tile) {
  if (tile == kRed) return kGreen;
  if (tile == kGreen) return kWhite;
  if (tile == kWhite) return kRed;
  if (tile == kNorth) return kEast;
  if (tile.is_wind()) return Tile::At(tile.index() + 1);
  return tile.rank() == 9 ? Tile::At(tile.index() - 8) : Tile::At(tile.index() + 1);
}

// How many there are of each kind. A plain value; no bound is enforced here, since a wild tile may
// stand for a fifth of a kind: whoever takes tiles from outside checks them (rules/check.h).
class TileCounts {
 public:
  constexpr TileCounts() = default;

  constexpr int operator[](Tile tile) const {
    return counts_[static_cast<std::size_t>(tile.index())];
  }
  constexpr void Add(Tile tile, int n = 1) { Change(tile, n); }
  // REQUIRES: (*this)[tile] >= n.
  constexpr void Remove(Tile tile, int n = 1) { Change(tile, -n); }
  constexpr bool Has(Tile tile, int n = 1) const { return (*this)[tile] >= n; }

  constexpr int total() const {
    int sum = 0;
    for (std::uint8_t n : counts_) sum += n;
    return sum;
  }
  constexpr bool empty() const { return total() == 0; }
  // Every count, at its kind's index: for code that looks at many kinds at once.
  constexpr const std::array<std::uint8_t, kKindCount>& by_index() const { return counts_; }

  constexpr TileCounts& operator+=(const TileCounts& other) {
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      counts_[i] = static_cast<std::uint8_t>(counts_[i] + other.counts_[i]);
    }
    return *this;
  }

  constexpr bool operator==(const TileCounts&) const = default;

 private:
  constexpr void Change(Tile tile, int n) {
    auto& count = counts_[static_cast<std::size_t>(tile.index())];
    count = static_cast<std::uint8_t>(count + n);
  }

  std::array<std::uint8_t, kKindCount> counts_{};
};

// Every kind, in order: `for (Tile tile : kAllKinds)`.
inline constexpr std::array<Tile, kKindCount> kAllKinds = [] {
  std::array<Tile, kKindCount> all{};
  for (int i = 0; i < kKindCount; ++i) all[static_cast<std::size_t>(i)] = Tile::At(i);
  return all;
}();

}  // namespace mj::tiles
