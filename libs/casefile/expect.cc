#include "libs/casefile/expect.h"

#include <string>
#include <utility>

#include "libs/receipt/names.h"
#include "libs/receipt/price.h"

namespace mj::casefile {
namespace {

OrderedJson WriteWin(const rules::VariantInfo& game, rules::Seat seat, const rules::Worth& worth) {
  OrderedJson out;
  out["seat"] = rules::IndexOf(seat);
  out["legal"] = !worth.no_win.has_value();
  if (worth.no_win) {
    out["reason"] = std::string(receipt::WordFor(*worth.no_win));
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
  const auto priced =
      receipt::PriceRound(*the_case.variant, the_case.options, the_case.base, the_case.round);
  if (!priced.ok()) {
    return FormatError{"base", priced.rejection() == ledger::Rejection::kTooLarge
                                   ? "an amount would be beyond 2^53 coins"
                                   : "no base of this game"};
  }

  OrderedJson out;
  out["wins"] = OrderedJson::array();
  const auto& wins = priced.value().score.wins;
  for (std::size_t i = 0; i < wins.size(); ++i) {
    out["wins"].push_back(
        WriteWin(the_case.variant->info(), the_case.round.wins[i].seat, wins[i].worth));
  }
  out["transfers"] = OrderedJson::array();
  for (const receipt::CoinTransfer& transfer : priced.value().transfers) {
    OrderedJson line;
    line["from"] = rules::IndexOf(transfer.from);
    line["to"] = rules::IndexOf(transfer.to);
    line["coins"] = transfer.coins.value();
    line["rule"] = std::string(transfer.rule);
    out["transfers"].push_back(std::move(line));
  }
  out["net"] = OrderedJson::array();
  for (const ledger::Coins coins : priced.value().net) out["net"].push_back(coins.value());
  return out;
}

}  // namespace mj::casefile
