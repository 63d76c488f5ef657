#include "libs/round/setup.h"

#include <utility>

namespace mj::round {
namespace {

using rules::Tile;

bool GoodDice(const Dice& dice) {
  for (std::uint8_t face : dice) {
    if (face < 1 || face > 6) return false;
  }
  return true;
}

// E, S, W, N counter-clockwise from whoever is East, and a wind of the round.
bool GoodWinds(const SetupInput& input, bool played) {
  if (!played) return !input.round_wind && !input.seat_winds;
  if (!input.round_wind || !input.seat_winds || !input.round_wind->is_wind()) return false;
  const rules::PerSeat<Tile>& winds = *input.seat_winds;
  for (rules::Seat seat : rules::kSeats) {
    if (!winds[seat].is_wind()) return false;
    if (winds[rules::After(seat)] != tiles::NextInSequence(winds[seat])) return false;
  }
  return true;
}

}  // namespace

std::variant<Setup, SetupFault> MakeSetup(SetupInput input) {
  if (input.variant == nullptr) return SetupFault::kNoVariant;
  Setup setup;
  setup.play_ = input.variant->play(input.options);
  setup.shapes_ = input.variant->shapes(input.options);
  if (!GoodDice(input.dice)) return SetupFault::kDice;
  if (!GoodWinds(input, setup.play_.winds)) return SetupFault::kWinds;
  // Counted as integers first: a count of a kind is a byte and could wrap around.
  if (static_cast<int>(input.wall.size()) != setup.play_.wall.total()) return SetupFault::kWall;
  rules::TileCounts wall;
  for (Tile tile : input.wall) wall.Add(tile);
  if (!(wall == setup.play_.wall)) return SetupFault::kWall;

  setup.deal_.dealer = input.dealer;
  setup.deal_.round_wind = input.round_wind;
  setup.deal_.seat_winds = input.seat_winds;
  if (setup.play_.wild == rules::WildMode::kFixed) setup.deal_.wild = setup.play_.fixed_wild;
  setup.in_ = std::move(input);
  return setup;
}

}  // namespace mj::round
