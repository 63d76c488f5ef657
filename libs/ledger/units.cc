#include "libs/ledger/units.h"

namespace mj::ledger {

Outcome<Coins> CoinsFromUnits(std::int64_t units, std::int64_t units_per_base, Coins base) {
  if (!base.IsPositive() || units_per_base <= 0) return Rejection::kNotPositive;
  if (base.value() % units_per_base != 0) return Rejection::kBaseNotWhole;
  std::int64_t product = 0;
  if (__builtin_mul_overflow(units, base.value() / units_per_base, &product)) {
    return Rejection::kTooLarge;
  }
  const auto coins = Coins::From(product);
  if (!coins) return Rejection::kTooLarge;
  return *coins;
}

}  // namespace mj::ledger
