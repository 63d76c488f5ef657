#include "libs/receipt/price.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "libs/ledger/units.h"

namespace mj::receipt {
namespace {

using ledger::Coins;
using ledger::Outcome;
using ledger::Rejection;
using rules::FinishedRound;
using rules::Kong;
using rules::Transfer;
using rules::Transfers;
using rules::Units;
using rules::WinQuestion;
using rules::Worth;

// What everybody in this file needs to know of the table.
struct Stake {
  const rules::Variant& variant;
  const rules::Options& options;
  std::int64_t base;
};

Outcome<Coins> InCoins(const Stake& stake, Units units) {
  const std::optional<Coins> base = Coins::From(stake.base);
  if (!base) return Rejection::kTooLarge;
  return ledger::CoinsFromUnits(units, stake.variant.info().units_per_base, *base);
}

// Equal debts to one seat under one rule are one line. Writes to `debts`; the rejection of an
// amount.
using Debts = rules::InlineVector<Debt, 24>;
std::optional<Rejection> DebtsOf(const Stake& stake, const Transfers& transfers, Debts& debts) {
  for (const Transfer& transfer : transfers) {
    const auto same = std::find_if(debts.begin(), debts.end(), [&](const Debt& debt) {
      return debt.to == transfer.to && debt.units == transfer.units && debt.rule == transfer.rule;
    });
    if (same != debts.end() && same->from.push_back(transfer.from)) continue;
    const Outcome<Coins> coins = InCoins(stake, transfer.units);
    if (!coins.ok()) return coins.rejection();
    debts.push_back({transfer.to, {transfer.from}, transfer.units, transfer.rule, coins.value()});
  }
  for (Debt& debt : debts) std::sort(debt.from.begin(), debt.from.end());
  return std::nullopt;
}

std::optional<Rejection> AddWin(const Stake& stake, const FinishedRound& round,
                                const WinQuestion& question, const rules::Judgement& judgement,
                                std::vector<Line>& lines) {
  Transfers transfers;
  stake.variant.PayWin(question, judgement.worth, stake.options, transfers);
  Debts debts;
  if (const auto refused = DebtsOf(stake, transfers, debts)) return refused;
  for (const Debt& debt : debts) {
    lines.push_back(
        LineOfWin(stake.variant, stake.base, question, judgement, !round.horses.empty(), debt));
  }
  return std::nullopt;
}

// What each kong alone would be paid in this round.
std::optional<Rejection> AddKongs(const Stake& stake, const FinishedRound& round,
                                  std::vector<Line>& lines) {
  if (round.kongs.empty()) return std::nullopt;
  FinishedRound alone = round;
  for (const Kong& kong : round.kongs) {
    alone.kongs.clear();
    alone.kongs.push_back(kong);
    Transfers transfers;
    stake.variant.PayKongs(alone, stake.options, transfers);
    Debts debts;
    if (const auto refused = DebtsOf(stake, transfers, debts)) return refused;
    for (const Debt& debt : debts) {
      lines.push_back(LineOfKong(stake.variant, stake.base, kong, debt));
    }
  }
  return std::nullopt;
}

std::optional<Rejection> AddTransfers(const Stake& stake, PricedRound& priced) {
  priced.transfers.reserve(priced.score.transfers.size());
  for (const Transfer& transfer : priced.score.transfers) {
    const Outcome<Coins> coins = InCoins(stake, transfer.units);
    if (!coins.ok()) return coins.rejection();
    priced.transfers.push_back({transfer.from, transfer.to, coins.value(), transfer.rule});
  }
  std::sort(priced.transfers.begin(), priced.transfers.end(),
            [](const CoinTransfer& a, const CoinTransfer& b) {
              return std::tie(a.from, a.to, a.rule) < std::tie(b.from, b.to, b.rule);
            });
  for (const Seat seat : rules::kSeats) {
    const Outcome<Coins> net = InCoins(stake, priced.score.net[seat]);
    if (!net.ok()) return net.rejection();
    priced.net[seat] = net.value();
  }
  return std::nullopt;
}

}  // namespace

std::optional<Rejection> PriceRound(const rules::Variant& variant, const rules::Options& options,
                                    std::int64_t base, const FinishedRound& round,
                                    PricedRound& priced) {
  const Stake stake{variant, options, base};
  if (const Outcome<Coins> one = InCoins(stake, 0); !one.ok()) return one.rejection();

  rules::ScoreRound(variant, options, round, priced.score);
  if (const auto refused = AddTransfers(stake, priced)) return refused;

  priced.lines.reserve(round.wins.size() + round.kongs.size());  // most are one line each
  const rules::LegalRound legal_round(round, priced.score.wins);
  const FinishedRound& legal = *legal_round;
  const int winners = std::max(1, static_cast<int>(legal.wins.size()));
  for (std::size_t i = 0; i < round.wins.size(); ++i) {
    if (!priced.score.wins[i].legal()) continue;
    const WinQuestion question{.win = &round.wins[i], .deal = &round.deal, .winners = winners};
    if (const auto refused = AddWin(stake, round, question, priced.score.wins[i], priced.lines)) {
      return refused;
    }
  }
  // Kongs are settled with a win or an exhausted wall; a round of refused wins alone pays nothing.
  if (round.end == rules::RoundEnd::kExhausted || !legal.wins.empty()) {
    if (const auto refused = AddKongs(stake, legal, priced.lines)) return refused;
  }
  return std::nullopt;
}

Outcome<PricedRound> PriceRound(const rules::Variant& variant, const rules::Options& options,
                                std::int64_t base, const FinishedRound& round) {
  PricedRound priced;
  if (const auto refused = PriceRound(variant, options, base, round, priced)) return *refused;
  return priced;
}

Outcome<Coins> PriceWin(const rules::Variant& variant, const rules::Options& options,
                        std::int64_t base, const WinQuestion& question, const Worth& worth) {
  Transfers transfers;
  variant.PayWin(question, worth, options, transfers);
  Units units = 0;
  for (const Transfer& transfer : transfers) {
    if (transfer.to == question.win->seat) units += transfer.units;
  }
  return InCoins({variant, options, base}, units);
}

}  // namespace mj::receipt
