// What a round draws: its wall, its dice, and where a sitting needs them its dealer and winds.
// SPEC.md section 5. Pure, deterministic, thread-safe: each function reads its own stream from the
// start.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "libs/fairness/stream.h"
#include "libs/tiles/tile.h"

namespace mj::fairness {

// A wall in drawing order: front() is drawn first, replacements come from the back.
using Wall = std::vector<tiles::Tile>;

// Every arrangement of the game's tiles is equally likely, whatever their number (136, 108, 100,
// …).
//   tiles   the game's tile set; at most 65,536 tiles, none gives an empty wall.
[[nodiscard]] Wall ShuffleWall(const tiles::TileCounts& tiles, const Digest& context,
                               const Seed& seed);

struct Dice {
  int first = 1;  // 1..6
  int second = 1;
  bool operator==(const Dice&) const = default;
};
[[nodiscard]] Dice RollDice(const Digest& context, const Seed& seed);

// The seat, 0..3, that deals a sitting's first round (COM-02).
[[nodiscard]] int DrawDealer(const Digest& context, const Seed& seed);

// The wind of each seat, by seat (GD-70): a random seat is East, then South, West, North by
// ascending seat number, which is counter-clockwise.
using SeatWinds = std::array<tiles::Tile, kSeats>;
[[nodiscard]] SeatWinds DrawWinds(const Digest& context, const Seed& seed);

}  // namespace mj::fairness
