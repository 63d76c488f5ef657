// Stake tiers: what a room asks for and takes. They are data (RULEBOOK 7), never code.
#pragma once

#include <span>
#include <string>

#include "libs/ledger/coins.h"

namespace mj::ledger {

// One room of a game, identified by variant and base.
struct StakeTier {
  std::string variant{};        // a game's id
  Coins base{};                 // the base stake, > 0
  Coins minimum{};              // what a player has to have to sit down, ≥ 0
  Coins rake{};                 // from each player, each round that is won or exhausted, ≥ 0
  Coins escape_penalty{};       // what an escape costs, ≥ 0
  Coins escape_compensation{};  // how much of it those who stayed share, ≤ escape_penalty

  friend bool operator==(const StakeTier&, const StakeTier&) = default;
};

// The tier that a balance leads to: of `tiers` (one game's, in any order) the one with the greatest
// minimum that the balance reaches, the greater base where two minima are equal. Null when it
// reaches none: then the player cannot play (CZ-70, 000 2.7).
[[nodiscard]] const StakeTier* TierOf(Coins balance, std::span<const StakeTier> tiers);

}  // namespace mj::ledger
