// A finished round in coins, with its receipt.
#pragma once

#include <optional>
#include <vector>

#include "libs/ledger/coins.h"
#include "libs/ledger/rejection.h"
#include "libs/receipt/lines.h"
#include "libs/rules/inline_vector.h"
#include "libs/rules/score.h"

namespace mj::receipt {

// Coins that one seat owes another under one rule.
struct CoinTransfer {
  Seat from = Seat::k0;
  Seat to = Seat::k0;
  ledger::Coins coins;  // > 0
  rules::RuleId rule;

  bool operator==(const CoinTransfer&) const = default;
};

struct PricedRound {
  rules::RoundScore score;
  std::vector<CoinTransfer> transfers;  // ordered by payer, payee, rule; at most one for each
  rules::PerSeat<ledger::Coins> net;    // sums to zero
  std::vector<Line> lines;              // wins in their order, then kongs; add up to `transfers`
};

// What the round comes to at `base` coins.
//
// REQUIRES: rules::CheckRound found no fault.
// kNotPositive, kBaseNotWhole   as ledger::CoinsFromUnits says.
// kTooLarge                     an amount would be beyond 2^53.
[[nodiscard]] ledger::Outcome<PricedRound> PriceRound(const rules::Variant& variant,
                                                      const rules::Options& options,
                                                      std::int64_t base,
                                                      const rules::FinishedRound& round);
// The same into `priced`, which is large; answers with the failure. REQUIRES: it is empty.
[[nodiscard]] std::optional<ledger::Rejection> PriceRound(const rules::Variant& variant,
                                                          const rules::Options& options,
                                                          std::int64_t base,
                                                          const rules::FinishedRound& round,
                                                          PricedRound& priced);

// Coins that the winner of one judged claim receives from everybody together. REQUIRES: legal.
// Failures as above.
[[nodiscard]] ledger::Outcome<ledger::Coins> PriceWin(const rules::Variant& variant,
                                                      const rules::Options& options,
                                                      std::int64_t base,
                                                      const rules::WinQuestion& question,
                                                      const rules::Worth& worth);

}  // namespace mj::receipt
