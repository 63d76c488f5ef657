#include "libs/receipt/price.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "libs/ledger/units.h"
#include "libs/receipt/arithmetic.h"
#include "libs/receipt/names.h"
#include "libs/tiles/mpsz.h"

namespace mj::receipt {
namespace {

using ledger::Coins;
using ledger::Outcome;
using ledger::Rejection;
using rules::FinishedRound;
using rules::Kong;
using rules::RuleId;
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

// Equal debts to one seat under one rule are one line.
struct Group {
  Seat to = Seat::k0;
  rules::InlineVector<Seat, 3> from;
  Units units = 0;
  RuleId rule;
};

std::vector<Group> GroupsOf(const Transfers& transfers) {
  std::vector<Group> groups;
  for (const Transfer& transfer : transfers) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
      return group.to == transfer.to && group.units == transfer.units &&
             group.rule == transfer.rule;
    });
    if (same != groups.end() && same->from.push_back(transfer.from)) continue;
    groups.push_back({transfer.to, {transfer.from}, transfer.units, transfer.rule});
  }
  for (Group& group : groups) std::sort(group.from.begin(), group.from.end());
  return groups;
}

std::string SeatsZh(const Group& group) {
  std::string text = "座位";
  for (std::size_t i = 0; i < group.from.size(); ++i) {
    text += (i == 0 ? "" : "、") + std::to_string(rules::IndexOf(group.from[i]));
  }
  return text + (group.from.size() > 1 ? "各付" : "付") + "座位" +
         std::to_string(rules::IndexOf(group.to));
}

std::string SeatsEn(const Group& group) {
  const std::size_t n = group.from.size();
  std::string text = n > 1 ? "seats " : "seat ";
  for (std::size_t i = 0; i < n; ++i) {
    text += (i == 0       ? ""
             : i + 1 == n ? " and "
                          : ", ") +
            std::to_string(rules::IndexOf(group.from[i]));
  }
  return text + (n > 1 ? " each pay seat " : " pays seat ") +
         std::to_string(rules::IndexOf(group.to));
}

// "CZ-11 自摸，座位0、1、3各付座位2 1200：底注100 × 2番 × 6倍".
Line MakeLine(const Stake& stake, const Group& group, Coins coins,
              const std::vector<Factor>& factors) {
  const rules::VariantInfo& game = stake.variant.info();
  Line line{.is_kong = false,
            .to = group.to,
            .from = group.from,
            .coins = coins,
            .rules = {group.rule},
            .arithmetic = InFigures(stake.base, factors, game, group.units, coins),
            .text_zh = std::string(group.rule),
            .text_en = std::string(group.rule)};
  if (const std::optional<RuleName> name = NameOf(stake.variant, group.rule)) {
    line.text_zh += " " + std::string(name->zh);
    line.text_en += " " + std::string(name->en);
  }
  const std::string amount = std::to_string(coins.value());
  line.text_zh += "，" + SeatsZh(group) + " " + amount + "：底注" + std::to_string(stake.base);
  line.text_en += "; " + SeatsEn(group) + " " + amount + ": base " + std::to_string(stake.base);
  for (const Factor& factor : factors) {
    line.text_zh += " × " + factor.figures + std::string(factor.what_zh);
    line.text_en += " x " + factor.figures;
    if (!factor.what_en.empty()) line.text_en += " " + std::string(factor.what_en);
  }
  return line;
}

std::string ValueText(const rules::Pattern& pattern, std::string_view times) {
  const std::string value = std::to_string(pattern.value);
  switch (pattern.role) {
    case rules::PatternRole::kFan:
      return "+" + value;
    case rules::PatternRole::kMultiplier:
    case rules::PatternRole::kPoints:
      return std::string(times) + value;
  }
  return value;
}

void AddPatterns(const Stake& stake, const Worth& worth, Line& line) {
  std::int64_t product = 1;
  bool first = true;
  for (const RuleId id : worth.patterns) {
    line.rules.push_back(id);
    const rules::Pattern* pattern = FindPattern(stake.variant, id);
    if (pattern == nullptr) continue;
    if (pattern->role == rules::PatternRole::kMultiplier) product *= pattern->value;
    line.text_zh += (first ? "；" : "，") + std::string(id) + " " + std::string(pattern->name_zh) +
                    " " + ValueText(*pattern, "×");
    line.text_en += (first ? "; " : ", ") + std::string(id) + " " + std::string(pattern->name_en) +
                    " " + ValueText(*pattern, "x");
    first = false;
  }
  if (stake.variant.info().counts_multiplier && worth.multiplier < product) {
    const std::string from = std::to_string(product), to = std::to_string(worth.multiplier);
    line.text_zh += "；" + from + "倍封顶为" + to + "倍";
    line.text_en += "; " + from + " capped at " + to;
  }
}

std::optional<Rejection> AddWin(const Stake& stake, const WinQuestion& question, const Worth& worth,
                                std::vector<Line>& lines) {
  Transfers transfers;
  stake.variant.PayWin(question, worth, stake.options, transfers);
  for (const Group& group : GroupsOf(transfers)) {
    const Outcome<Coins> coins = InCoins(stake, group.units);
    if (!coins.ok()) return coins.rejection();
    Line line = MakeLine(stake, group, coins.value(),
                         FactorsOfWin(stake.variant.info(), worth, group.units));
    AddPatterns(stake, worth, line);
    lines.push_back(std::move(line));
  }
  return std::nullopt;
}

std::string_view KongZh(rules::MeldKind kind) {
  return kind == rules::MeldKind::kDiscardKong ? "点杠"
         : kind == rules::MeldKind::kAddedKong ? "明杠"
                                               : "暗杠";
}
std::string_view KongEn(rules::MeldKind kind) {
  return kind == rules::MeldKind::kDiscardKong ? "discard kong"
         : kind == rules::MeldKind::kAddedKong ? "added kong"
                                               : "concealed kong";
}

// What `kong` alone would be paid in this round.
std::optional<Rejection> AddKong(const Stake& stake, const FinishedRound& round, const Kong& kong,
                                 std::vector<Line>& lines) {
  FinishedRound alone = round;
  alone.kongs.clear();
  alone.kongs.push_back(kong);
  Transfers transfers;
  stake.variant.PayKongs(alone, stake.options, transfers);
  for (const Group& group : GroupsOf(transfers)) {
    const Outcome<Coins> coins = InCoins(stake, group.units);
    if (!coins.ok()) return coins.rejection();
    Line line = MakeLine(stake, group, coins.value(), FactorsOfUnits(group.units));
    line.is_kong = true;
    const std::string tile = tiles::ToText(kong.tile);
    line.text_zh += "；" + std::string(KongZh(kong.kind)) + " " +
                    std::string(tiles::ChineseName(kong.tile)) + " " + tile;
    line.text_en += "; " + std::string(KongEn(kong.kind)) + " of " + tile;
    lines.push_back(std::move(line));
  }
  return std::nullopt;
}

std::optional<Rejection> AddTransfers(const Stake& stake, PricedRound& priced) {
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

Outcome<PricedRound> PriceRound(const rules::Variant& variant, const rules::Options& options,
                                std::int64_t base, const FinishedRound& round) {
  const Stake stake{variant, options, base};
  if (const Outcome<Coins> one = InCoins(stake, 0); !one.ok()) return one.rejection();

  PricedRound priced;
  priced.score = rules::ScoreRound(variant, options, round);
  if (const auto refused = AddTransfers(stake, priced)) return *refused;

  FinishedRound legal = round;
  legal.wins.clear();
  for (std::size_t i = 0; i < round.wins.size(); ++i) {
    if (priced.score.wins[i].legal()) legal.wins.push_back(round.wins[i]);
  }
  const int winners = std::max(1, static_cast<int>(legal.wins.size()));
  for (std::size_t i = 0; i < round.wins.size(); ++i) {
    if (!priced.score.wins[i].legal()) continue;
    const WinQuestion question{.win = &round.wins[i], .deal = &round.deal, .winners = winners};
    const Worth& worth = priced.score.wins[i].worth;
    if (const auto refused = AddWin(stake, question, worth, priced.lines)) return *refused;
  }
  // Kongs are settled with a win or an exhausted wall; a round of refused wins alone pays nothing.
  if (round.end == rules::RoundEnd::kExhausted || !legal.wins.empty()) {
    for (const Kong& kong : legal.kongs) {
      if (const auto refused = AddKong(stake, legal, kong, priced.lines)) return *refused;
    }
  }
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
