// A finished round in coins, with its receipt.
#pragma once

#include <string>
#include <vector>

#include "libs/ledger/coins.h"
#include "libs/ledger/rejection.h"
#include "libs/rules/inline_vector.h"
#include "libs/rules/score.h"

namespace mj::receipt {

using rules::Seat;

// Coins that one seat owes another under one rule.
struct CoinTransfer {
  Seat from = Seat::k0;
  Seat to = Seat::k0;
  ledger::Coins coins;  // > 0
  rules::RuleId rule;

  bool operator==(const CoinTransfer&) const = default;
};

// One amount and how it was reached: a win, or one kong.
struct Line {
  bool is_kong = false;
  Seat to = Seat::k0;
  rules::InlineVector<Seat, 3> from;  // ascending
  ledger::Coins coins;                // what each of `from` pays
  std::vector<rules::RuleId> rules;   // the one that says who pays first, then the patterns
  std::string arithmetic;             // "100 x 3 x 6 = 1800"
  std::string text_zh;
  std::string text_en;
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

// Coins that the winner of one judged claim receives from everybody together. REQUIRES: legal.
// Failures as above.
[[nodiscard]] ledger::Outcome<ledger::Coins> PriceWin(const rules::Variant& variant,
                                                      const rules::Options& options,
                                                      std::int64_t base,
                                                      const rules::WinQuestion& question,
                                                      const rules::Worth& worth);

}  // namespace mj::receipt
