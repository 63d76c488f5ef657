// What a seat holds, and a finished round in the terms in which it is worth something.
#pragma once

#include <cstdint>
#include <optional>

#include "libs/rules/inline_vector.h"
#include "libs/rules/seat.h"
#include "libs/tiles/meld.h"
#include "libs/tiles/tile.h"

namespace mj::rules {

using tiles::Meld;
using tiles::MeldKind;
using tiles::Tile;
using tiles::TileCounts;

inline constexpr int kHandTiles = 13;

struct CalledMeld {
  Meld meld;
  std::optional<Seat> from;  // who gave the called tile; none for a concealed kong

  bool operator==(const CalledMeld&) const = default;
};
using Melds = InlineVector<CalledMeld, 4>;

struct Hand {
  TileCounts concealed;  // without melds
  Melds melds;           // in the order made; a pung made a kong keeps its place and its `from`

  // No chow, pung, discard kong or added kong (门前清; RULEBOOK 0).
  bool is_concealed() const {
    for (const CalledMeld& called : melds) {
      if (called.meld.kind != MeldKind::kConcealedKong) return false;
    }
    return true;
  }
  // Concealed tiles that a hand of this many melds has between turns: 13 − 3 for each.
  int resting_tiles() const { return kHandTiles - 3 * static_cast<int>(melds.size()); }

  bool operator==(const Hand&) const = default;
};

enum class WinWay : std::uint8_t { kSelfDraw, kDiscard, kRobbedKong };

struct WinFlags {
  bool last_tile = false;         // self-drawn, and the wall is empty
  bool kong_replacement = false;  // self-drawn as a kong's replacement
  bool heavenly = false;          // 天胡, as far as the game knows it
  bool earthly = false;           // 地胡, by the game's own definition

  bool operator==(const WinFlags&) const = default;
};

// One player's claim to have won.
struct Win {
  Seat seat = Seat::k0;
  Hand hand;  // without the winning tile: hand.resting_tiles() concealed
  Tile tile;
  WinWay way = WinWay::kSelfDraw;
  std::optional<Seat> from;  // the discarder, or the robbed kong's owner; none on self-draw
  WinFlags flags;
  std::optional<Seat> kong_feeder;  // kong_replacement after a discard kong: who discarded its tile
  std::optional<Seat> killed;       // SG-43: the seat that alone pays this winner

  bool operator==(const Win&) const = default;
};

// One completed kong of any seat.
struct Kong {
  Seat seat = Seat::k0;
  MeldKind kind = MeldKind::kConcealedKong;  // one of the three kongs
  Tile tile;
  std::optional<Seat> from;     // discard kongs only: the discarder
  std::optional<Seat> paid_by;  // SG-43: the seat that alone pays this kong

  bool operator==(const Kong&) const = default;
};

// What a deal fixes for the whole round.
struct Deal {
  Seat dealer = Seat::k0;
  std::optional<Tile> round_wind;           // games with winds
  std::optional<PerSeat<Tile>> seat_winds;  // games with winds
  std::optional<Tile> wild;                 // the wild kind, when there is one

  bool operator==(const Deal&) const = default;
};

enum class RoundEnd : std::uint8_t { kWin, kExhausted };  // a void round is worth nothing

// Three others can win on one tile; a player can have four kongs.
inline constexpr int kMaxWins = 3;
inline constexpr int kMaxKongs = 16;
inline constexpr int kMaxHorses = 4;

struct FinishedRound {
  Deal deal;
  RoundEnd end = RoundEnd::kWin;
  InlineVector<Win, kMaxWins> wins;  // in turn order after the discarder or kong's owner (PLAY-15)
  InlineVector<Kong, kMaxKongs> kongs;    // every completed kong of every seat, in order
  InlineVector<Tile, kMaxHorses> horses;  // turned after the win, in order; empty when none were

  bool operator==(const FinishedRound&) const = default;
};

}  // namespace mj::rules
