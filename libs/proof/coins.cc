// What the round was worth.
#include <algorithm>

#include "libs/proof/checks.h"
#include "libs/round/result.h"
#include "libs/rules/check.h"
#include "libs/rules/score.h"

namespace mj::proof {
namespace {

std::string TransferText(rules::Seat from, rules::Seat to, record::Coins coins,
                         std::string_view rule) {
  return Said(SeatText(from), " owes ", SeatText(to), " ", std::to_string(coins), " by ", rule);
}

std::optional<Misfit> CheckTransfers(const std::vector<record::SeatTransfer>& recorded,
                                     const std::vector<receipt::CoinTransfer>& priced) {
  const auto place = [](std::size_t i) {
    return Said("settled.scored.transfers[", std::to_string(i), "]");
  };
  for (std::size_t i = 0; i < recorded.size() && i < priced.size(); ++i) {
    const record::SeatTransfer& told = recorded[i];
    const receipt::CoinTransfer& now = priced[i];
    if (told.from == now.from && told.to == now.to && told.coins == now.coins.value() &&
        told.rule == now.rule) {
      continue;
    }
    return Misfit{
        place(i),
        Said("recorded: ", TransferText(told.from, told.to, told.coins, told.rule),
             "; by the rules: ", TransferText(now.from, now.to, now.coins.value(), now.rule))};
  }
  if (recorded.size() < priced.size()) {
    const receipt::CoinTransfer& now = priced[recorded.size()];
    return Misfit{place(recorded.size()),
                  Said("missing: ", TransferText(now.from, now.to, now.coins.value(), now.rule))};
  }
  if (recorded.size() > priced.size()) return Misfit{place(priced.size()), "owed by no rule"};
  return std::nullopt;
}

}  // namespace

Checked CheckScore(Case& the, const ScoreMisfit& score_misfit) {
  if (the.voided() != nullptr) return Nothing{"a void round is not scored"};
  const auto finished = round::Finished(the.played->state);
  if (!finished || rules::CheckRound(*the.game, *the.options, *finished)) {
    return Misfit{"events", "no round that can be scored"};
  }
  auto priced = receipt::PriceRound(*the.game, *the.options, the.record.base, *finished);
  if (!priced.ok()) return Misfit{"base", "no base of this game"};
  the.priced = std::move(priced).value();

  const record::RoundScored& scored = the.settled()->scored;
  if (auto misfit = CheckTransfers(scored.transfers, the.priced->transfers)) {
    return *std::move(misfit);
  }
  if (auto differs = score_misfit(
          scored.score, {*the.game, the.record.rulebook_version, *finished, *the.priced})) {
    return Misfit{"settled.scored.score", *std::move(differs)};
  }
  record::Coins owed = 0;
  for (const record::SeatTransfer& transfer : scored.transfers) owed += transfer.coins;
  return Proved{Said(Count(scored.transfers.size(), "transfer"), ", ", std::to_string(owed),
                     " coins in all, and the receipt word for word")};
}

}  // namespace mj::proof
