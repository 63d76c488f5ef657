// What players are told of a win besides its tiles: what one that they are offered would be worth,
// and whom the turned horses hit. For their information alone: what is owed comes from scoring.
#pragma once

#include <cstdint>
#include <optional>

#include "libs/round/event.h"
#include "libs/rules/variant.h"
#include "services/table/app/state.h"

namespace mj::table {

struct WinWorth {
  rules::PatternIds patterns;              // that would count, sorted
  std::optional<std::int64_t> fan;         // games that count fan
  std::optional<std::int64_t> multiplier;  // games that multiply
  Coins coins = 0;                         // from everybody together, without kongs and horses
  bool operator==(const WinWorth&) const = default;
};

// What the win that `seat` is offered now would be worth if it alone wins. Nothing when it is
// offered none.
[[nodiscard]] std::optional<WinWorth> OfferedWorth(const Round& round, Seat seat);

// Tile by tile in the order turned: the winner whose win it multiplies, or nothing for a miss.
using HorseHits = rules::InlineVector<std::optional<Seat>, rules::kMaxHorses>;

// REQUIRES: the round is won.
[[nodiscard]] HorseHits HitsOf(const Round& round, const round::Horses& horses);

}  // namespace mj::table
