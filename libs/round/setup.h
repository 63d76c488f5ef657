// Everything that a round is played by and that is fixed before it begins.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "libs/rules/hand.h"
#include "libs/rules/variant.h"

namespace mj::round {

using Dice = std::array<std::uint8_t, 2>;  // faces, 1-6 each

// What the table hands in. All that is random in a round is in here.
struct SetupInput {
  const rules::Variant* variant = nullptr;  // outlives every round that is played by it
  rules::Options options;
  rules::Seat dealer = rules::Seat::k0;
  std::optional<rules::Tile> round_wind;                  // games with winds
  std::optional<rules::PerSeat<rules::Tile>> seat_winds;  // games with winds
  Dice dice{1, 1};
  std::vector<rules::Tile> wall;  // all tiles in drawing order, front first (PLAY-01, PLAY-10)
};

// Why it can be no round, in order of precedence.
enum class SetupFault : std::uint8_t {
  kNoVariant,
  kDice,   // a face outside 1-6
  kWinds,  // winds missing, in a game without them, or not four different ones
  kWall,   // not exactly the tiles of this game with these options
};

// A checked setup. Immutable; copies are independent. Made by MakeSetup only.
class Setup {
 public:
  const rules::Variant& variant() const { return *in_.variant; }
  const rules::Options& options() const { return in_.options; }
  const rules::PlayRules& play() const { return play_; }
  rules::Shapes shapes() const { return shapes_; }
  const Dice& dice() const { return in_.dice; }
  const std::vector<rules::Tile>& wall() const { return in_.wall; }
  // Dealer, winds, and the wild kind where it is fixed; a flipped one is known after the deal.
  const rules::Deal& deal() const { return deal_; }

 private:
  friend std::variant<Setup, SetupFault> MakeSetup(SetupInput input);
  Setup() = default;

  SetupInput in_;
  rules::PlayRules play_;
  rules::Shapes shapes_;
  rules::Deal deal_;
};

std::variant<Setup, SetupFault> MakeSetup(SetupInput input);

}  // namespace mj::round
