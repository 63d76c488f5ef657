// From a base to coins, in figures.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "libs/ledger/coins.h"
#include "libs/rules/variant.h"

namespace mj::receipt {

// A number that the base is multiplied by, and what it is, where that has a name.
struct Factor {
  std::int64_t value = 1;
  std::string figures;  // "6", "2^3", "(1 + 2)"
  std::string_view what_zh;
  std::string_view what_en;
};

// What `units` of a win are made of: fan, multiplier, horses, shares, as far as the game counts
// them. Their product is `units`, or units × units_per_base when the game pays in parts of a base;
// when no such product explains the units, they are one factor.
std::vector<Factor> FactorsOfWin(const rules::VariantInfo& game, const rules::Worth& worth,
                                 rules::Units units);
// The same for a kong's units.
std::vector<Factor> FactorsOfUnits(rules::Units units);

// "100 x 3 x 6 = 1800"; "100 x 3 / 2 = 150" where units are parts of a base.
std::string InFigures(std::int64_t base, const std::vector<Factor>& factors,
                      const rules::VariantInfo& game, rules::Units units, ledger::Coins coins);

}  // namespace mj::receipt
