#include "libs/receipt/arithmetic.h"

#include <utility>

namespace mj::receipt {
namespace {

constexpr std::int64_t kMostDoublings = 62;

std::int64_t Product(const std::vector<Factor>& factors) {
  std::int64_t product = 1;
  for (const Factor& factor : factors) {
    if (__builtin_mul_overflow(product, factor.value, &product)) return 0;
  }
  return product;
}

Factor Plain(std::int64_t value, std::string_view zh, std::string_view en) {
  return {value, std::to_string(value), zh, en};
}

// Whether the units are whole bases, so that the base needs no division to explain them.
bool WholeBases(const std::vector<Factor>& factors, const rules::VariantInfo& game,
                rules::Units units) {
  const std::int64_t product = Product(factors);
  std::int64_t whole = 0;
  return !__builtin_mul_overflow(product, std::int64_t{game.units_per_base}, &whole) &&
         whole == units;
}

}  // namespace

std::vector<Factor> FactorsOfUnits(rules::Units units) { return {Plain(units, "", "")}; }

std::vector<Factor> FactorsOfWin(const rules::VariantInfo& game, const rules::Worth& worth,
                                 rules::Units units) {
  std::vector<Factor> factors;
  if (game.counts_fan && !game.fan_doubles) factors.push_back(Plain(worth.fan, "番", "fan"));
  if (game.counts_fan && game.fan_doubles && worth.fan >= 0 && worth.fan <= kMostDoublings) {
    factors.push_back(
        {std::int64_t{1} << worth.fan, "2^" + std::to_string(worth.fan), "番", "fan"});
  }
  if (game.counts_multiplier) factors.push_back(Plain(worth.multiplier, "倍", "multiplier"));
  if (game.counts_horses && worth.horses_hit > 0) {
    factors.push_back(
        {1 + worth.horses_hit, "(1 + " + std::to_string(worth.horses_hit) + ")", "马", "horses"});
  }
  if (worth.share > 0 && units != worth.share && units % worth.share == 0) {
    factors.push_back(Plain(units / worth.share, "份", "shares"));
  }
  if (Product(factors) == units || WholeBases(factors, game, units)) return factors;
  return FactorsOfUnits(units);
}

std::string InFigures(std::int64_t base, const std::vector<Factor>& factors,
                      const rules::VariantInfo& game, rules::Units units, ledger::Coins coins) {
  std::string figures = std::to_string(base);
  for (const Factor& factor : factors) figures += " x " + factor.figures;
  if (!WholeBases(factors, game, units)) figures += " / " + std::to_string(game.units_per_base);
  return figures + " = " + std::to_string(coins.value());
}

}  // namespace mj::receipt
