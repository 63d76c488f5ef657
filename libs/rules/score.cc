#include "libs/rules/score.h"

#include <algorithm>

namespace mj::rules {
namespace {

int Patterns(const Worth& worth) {
  return static_cast<int>(worth.patterns.size()) - (worth.chicken ? 1 : 0);
}

// Whether `a` counts rather than `b` (RULEBOOK 0, D-COM-2).
bool Beats(const Worth& a, const Worth& b) {
  if (a.share != b.share) return a.share > b.share;
  if (Patterns(a) != Patterns(b)) return Patterns(a) > Patterns(b);
  if (a.before_limit != b.before_limit) return a.before_limit > b.before_limit;
  return std::lexicographical_compare(a.patterns.begin(), a.patterns.end(), b.patterns.begin(),
                                      b.patterns.end());
}

TileCounts WholeHand(const Win& win) {
  TileCounts concealed = win.hand.concealed;
  concealed.Add(win.tile);
  return concealed;
}

FinishedRound RoundOf(const Deal& deal, const Win& win) {
  FinishedRound round;
  round.deal = deal;
  round.wins.push_back(win);
  return round;
}

// The round with its legal wins alone.
FinishedRound LegalPart(const Variant& variant, const Options& options,
                        const FinishedRound& round) {
  FinishedRound legal = round;
  legal.wins.clear();
  for (const Win& win : round.wins) {
    const WinQuestion question{.win = &win, .deal = &round.deal, .winners = 1};
    if (Judge(variant, options, round, question).legal()) legal.wins.push_back(win);
  }
  return legal;
}

}  // namespace

Judgement Judge(const Variant& variant, const Options& options, const FinishedRound& round,
                const WinQuestion& question) {
  Judgement best;
  best.worth.no_win = NoWin::kNotAWinningShape;
  const Win& win = *question.win;
  ForEachReading(WholeHand(win), win.hand.melds, question.deal->wild, variant.shapes(options),
                 [&](const Reading& reading) {
                   const Worth worth = variant.Appraise(question, reading, round, options);
                   const bool better = worth.no_win
                                           ? !best.legal() && *worth.no_win > *best.worth.no_win
                                           : !best.legal() || Beats(worth, best.worth);
                   if (better) best = {.worth = worth, .reading = reading};
                 });
  return best;
}

Judgement JudgeClaim(const Variant& variant, const Options& options, const Deal& deal,
                     const Win& win) {
  const FinishedRound round = RoundOf(deal, win);
  const WinQuestion question{.win = &win, .deal = &deal, .winners = 1};
  return Judge(variant, options, round, question);
}

RoundScore ScoreRound(const Variant& variant, const Options& options, const FinishedRound& round) {
  RoundScore score;
  const FinishedRound legal = LegalPart(variant, options, round);
  const int winners = static_cast<int>(legal.wins.size());
  for (const Win& win : round.wins) {
    const WinQuestion question{.win = &win, .deal = &round.deal, .winners = std::max(1, winners)};
    const Judgement judgement = Judge(variant, options, round, question);
    if (judgement.legal()) variant.PayWin(question, judgement.worth, options, score.transfers);
    score.wins.push_back(judgement);
  }
  if (round.end == RoundEnd::kExhausted || winners > 0) {
    variant.PayKongs(legal, options, score.transfers);
  }
  for (const Transfer& transfer : score.transfers) {
    score.net[transfer.from] -= transfer.units;
    score.net[transfer.to] += transfer.units;
  }
  return score;
}

NextDeal NextAfter(const Variant& variant, const Options& options, const FinishedRound& round) {
  return variant.Next(LegalPart(variant, options, round));
}

std::vector<ReadingVerdict> ExplainReadings(const Variant& variant, const Options& options,
                                            const Deal& deal, const Win& win, int winners) {
  const FinishedRound round = RoundOf(deal, win);
  const WinQuestion question{.win = &win, .deal = &deal, .winners = winners};
  const Judgement best = Judge(variant, options, round, question);
  std::vector<ReadingVerdict> verdicts;
  ForEachReading(WholeHand(win), win.hand.melds, deal.wild, variant.shapes(options),
                 [&](const Reading& reading) {
                   const bool known =
                       std::any_of(verdicts.begin(), verdicts.end(),
                                   [&](const ReadingVerdict& v) { return v.reading == reading; });
                   if (known) return;
                   verdicts.push_back({.reading = reading,
                                       .worth = variant.Appraise(question, reading, round, options),
                                       .counted = best.legal() && reading == best.reading});
                 });
  return verdicts;
}

std::vector<Wait> ListWaits(const Variant& variant, const Options& options, const Deal& deal,
                            Seat seat, const Hand& hand, const TileCounts& seen) {
  const PlayRules play = variant.play(options);
  TileCounts held = hand.concealed;
  for (const CalledMeld& called : hand.melds) AddTo(held, called.meld);

  std::vector<Wait> waits;
  for (Tile tile : tiles::kAllKinds) {
    if (held[tile] >= play.wall[tile]) continue;  // there is no further one
    Win win{.seat = seat,
            .hand = hand,
            .tile = tile,
            .way = WinWay::kSelfDraw,
            .from = {},
            .flags = {},
            .kong_feeder = {},
            .killed = {}};
    if (!IsWin(WholeHand(win), hand.melds, deal.wild, variant.shapes(options))) continue;
    const auto judge = [&](WinWay way) -> std::optional<Judgement> {
      win.way = way;
      win.from = way == WinWay::kSelfDraw ? std::nullopt : std::optional(Before(seat));
      const Judgement judgement = JudgeClaim(variant, options, deal, win);
      if (!judgement.legal()) return std::nullopt;
      return judgement;
    };
    Wait wait;
    wait.tile = tile;
    wait.by_self_draw = judge(WinWay::kSelfDraw);
    wait.by_discard = judge(WinWay::kDiscard);
    wait.by_robbed_kong = judge(WinWay::kRobbedKong);
    wait.unseen = std::max(0, play.wall[tile] - held[tile] - seen[tile]);
    waits.push_back(wait);
  }
  return waits;
}

}  // namespace mj::rules
