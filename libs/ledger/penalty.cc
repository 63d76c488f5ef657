#include "libs/ledger/penalty.h"

#include <algorithm>

namespace mj::ledger {

Outcome<PenaltyShares> SharePenalty(Coins balance, Coins penalty, Coins compensation) {
  if (balance.IsNegative() || penalty.IsNegative() || compensation.IsNegative()) {
    return Rejection::kNotPositive;
  }
  if (compensation > penalty) return Rejection::kTooLarge;
  constexpr std::int64_t kOthers = kParties - 1;
  const Coins taken = std::min(balance, penalty);
  const std::int64_t share = std::min(taken, compensation).value() / kOthers;
  PenaltyShares shares;
  shares.taken = taken;
  shares.share = Coins::From(share).value();
  shares.house = Coins::From(taken.value() - kOthers * share).value();
  shares.shortfall = Subtract(penalty, taken).value();
  return shares;
}

}  // namespace mj::ledger
