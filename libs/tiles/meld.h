// Melds: what lies beside a hand. Who gave a called tile is not known here (rules/hand.h).
#pragma once

#include <array>
#include <cstdint>

#include "libs/tiles/tile.h"

namespace mj::tiles {

enum class MeldKind : std::uint8_t {
  kChow,           // 吃: a called sequence
  kPung,           // 碰: a called triplet
  kDiscardKong,    // three concealed and another's discard
  kAddedKong,      // an own pung and an own tile
  kConcealedKong,  // four concealed
};

constexpr bool IsKong(MeldKind kind) { return kind >= MeldKind::kDiscardKong; }

struct Meld {
  MeldKind kind = MeldKind::kPung;
  Tile tile;  // the lowest of a chow, else the kind it is made of

  constexpr bool is_chow() const { return kind == MeldKind::kChow; }
  constexpr bool is_kong() const { return IsKong(kind); }
  // Tiles that lie in it: 3, or 4 in a kong.
  constexpr int size() const { return is_kong() ? 4 : 3; }

  constexpr bool operator==(const Meld&) const = default;
};

// The tiles of `meld`, added to `counts`.
constexpr void AddTo(TileCounts& counts, const Meld& meld) {
  if (!meld.is_chow()) return counts.Add(meld.tile, meld.size());
  for (int i = 0; i < 3; ++i) counts.Add(Tile::At(meld.tile.index() + i));
}

}  // namespace mj::tiles
