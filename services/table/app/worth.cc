#include "services/table/app/worth.h"

#include "libs/receipt/price.h"
#include "libs/round/result.h"
#include "libs/rules/score.h"

namespace mj::table {

std::optional<WinWorth> OfferedWorth(const Round& round, Seat seat) {
  const std::optional<rules::Win> win = round::OfferedWin(*round.setup, round.play, seat);
  if (!win) return std::nullopt;
  const rules::Variant& variant = round.setup->variant();
  const rules::Options& options = round.setup->options();
  const rules::Judgement judged = rules::JudgeClaim(variant, options, round.play.deal, *win);
  if (!judged.legal()) return std::nullopt;  // an offered win is legal
  const rules::WinQuestion question{.win = &*win, .deal = &round.play.deal, .winners = 1};
  const auto coins = receipt::PriceWin(variant, options, round.begun.base, question, judged.worth);
  if (!coins.ok()) return std::nullopt;  // no base of a table is that large

  WinWorth worth;
  worth.patterns = judged.worth.patterns;
  if (variant.info().counts_fan) worth.fan = judged.worth.fan;
  if (variant.info().counts_multiplier) worth.multiplier = judged.worth.multiplier;
  worth.coins = coins.value().value();
  return worth;
}

HorseHits HitsOf(const Round& round, const round::Horses& horses) {
  const round::Wins& wins = round.play.wins;
  HorseHits hits;
  for (const Tile horse : horses) {
    rules::FinishedRound alone;
    alone.deal = round.play.deal;
    alone.wins = wins;
    alone.horses.push_back(horse);
    std::optional<Seat> hit;
    for (const rules::Win& win : wins) {
      const rules::WinQuestion question{
          .win = &win, .deal = &alone.deal, .winners = static_cast<int>(wins.size())};
      const rules::Judgement judged =
          rules::Judge(round.setup->variant(), round.setup->options(), alone, question);
      if (judged.worth.horses_hit > 0) hit = win.seat;
    }
    hits.push_back(hit);
  }
  return hits;
}

}  // namespace mj::table
