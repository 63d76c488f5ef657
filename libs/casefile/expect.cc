#include "libs/casefile/expect.h"

#include <string>
#include <utility>

#include "libs/ledger/units.h"

namespace mj::casefile {
namespace {

OrderedJson WriteWin(const rules::VariantInfo& game, rules::Seat seat, const rules::Worth& worth) {
  OrderedJson out;
  out["seat"] = rules::IndexOf(seat);
  out["legal"] = !worth.no_win.has_value();
  if (worth.no_win) {
    out["reason"] = std::string(WordFor(*worth.no_win));
    return out;
  }
  out["patterns"] = OrderedJson::array();
  for (const rules::RuleId id : worth.patterns) out["patterns"].push_back(std::string(id));
  if (game.counts_fan) out["fan"] = worth.fan;
  if (game.counts_multiplier) out["multiplier"] = worth.multiplier;
  if (game.counts_horses) out["horses_hit"] = worth.horses_hit;
  return out;
}

}  // namespace

std::variant<OrderedJson, FormatError> Expect(const Case& the_case) {
  const rules::VariantInfo& game = the_case.variant->info();
  const rules::RoundScore score =
      rules::ScoreRound(*the_case.variant, the_case.options, the_case.round);
  bool fits = true;
  const auto coins = [&](rules::Units units) -> std::int64_t {
    const auto base = ledger::Coins::From(the_case.base);
    const auto amount =
        ledger::CoinsFromUnits(units, game.units_per_base, base.value_or(ledger::Coins()));
    fits = fits && amount.ok();
    return amount.ok() ? amount.value().value() : 0;
  };

  OrderedJson out;
  out["wins"] = OrderedJson::array();
  for (std::size_t i = 0; i < score.wins.size(); ++i) {
    out["wins"].push_back(WriteWin(game, the_case.round.wins[i].seat, score.wins[i].worth));
  }
  out["transfers"] = OrderedJson::array();
  for (const rules::Transfer& transfer : score.transfers) {
    OrderedJson line;
    line["from"] = rules::IndexOf(transfer.from);
    line["to"] = rules::IndexOf(transfer.to);
    line["coins"] = coins(transfer.units);
    line["rule"] = std::string(transfer.rule);
    out["transfers"].push_back(std::move(line));
  }
  out["net"] = OrderedJson::array();
  for (const rules::Units units : score.net) out["net"].push_back(coins(units));
  if (!fits) return FormatError{"base", "an amount would be beyond 2^53 coins"};
  return out;
}

std::string_view WordFor(rules::NoWin no_win) {
  switch (no_win) {
    case rules::NoWin::kNotAWinningShape:
      return "not_a_winning_shape";
    case rules::NoWin::kChickenNotAllowed:
      return "chicken_not_allowed";
    case rules::NoWin::kDiscardWinNotAllowed:
      return "discard_win_not_allowed";
  }
  return {};
}

}  // namespace mj::casefile
