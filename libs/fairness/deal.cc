#include "libs/fairness/deal.h"

#include <utility>

namespace mj::fairness {

Wall ShuffleWall(const tiles::TileCounts& tiles, const Digest& context, const Seed& seed) {
  Wall wall;
  wall.reserve(static_cast<std::size_t>(tiles.total()));
  for (tiles::Tile tile : tiles::kAllKinds) {
    for (int copy = 0; copy < tiles[tile]; ++copy) wall.push_back(tile);
  }
  Stream stream(Label::kWall, context, seed);
  for (std::size_t i = wall.size(); i-- > 1;) {
    const std::size_t j = stream.Below(static_cast<std::uint32_t>(i + 1));
    std::swap(wall[i], wall[j]);
  }
  return wall;
}

Dice RollDice(const Digest& context, const Seed& seed) {
  Stream stream(Label::kDice, context, seed);
  const int first = static_cast<int>(stream.Below(6)) + 1;
  const int second = static_cast<int>(stream.Below(6)) + 1;
  return {first, second};
}

int DrawDealer(const Digest& context, const Seed& seed) {
  return static_cast<int>(Stream(Label::kDealer, context, seed).Below(kSeats));
}

SeatWinds DrawWinds(const Digest& context, const Seed& seed) {
  const std::size_t east = Stream(Label::kWinds, context, seed).Below(kSeats);
  SeatWinds winds;
  for (std::size_t step = 0; step < kSeats; ++step) {
    winds[(east + step) % kSeats] = tiles::Tile::At(tiles::kEast.index() + static_cast<int>(step));
  }
  return winds;
}

}  // namespace mj::fairness
