#include "libs/rules/score.h"

#include <algorithm>

#include "libs/rules/natural_readings.h"
#include "libs/rules/waits.h"

namespace mj::rules {
namespace {

int Patterns(const Worth& worth) {
  return static_cast<int>(worth.patterns.size()) - (worth.chicken ? 1 : 0);
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

Judgement NotAWinningShape() {
  Judgement none;
  none.worth.no_win = NoWin::kNotAWinningShape;
  return none;
}

// Whether `worth` counts rather than that of `best`.
bool IsBetter(const Worth& worth, const Judgement& best) {
  if (worth.no_win) return !best.legal() && *worth.no_win > *best.worth.no_win;
  return !best.legal() || Beats(worth, best.worth);
}

// With wild tiles among them, or more than four alike.
[[gnu::noinline]] Judgement JudgeRare(const Variant& variant, const Options& options,
                                      const FinishedRound& round, const WinQuestion& question) {
  const Win& win = *question.win;
  Judgement best = NotAWinningShape();
  ForEachReading(WholeHand(win), win.hand.melds, question.deal->wild, variant.shapes(options),
                 [&](const Reading& reading) {
                   const Worth worth = variant.Appraise(question, reading, round, options);
                   if (IsBetter(worth, best)) best = {.reading = reading, .worth = worth};
                 });
  return best;
}

void JudgeOthers(const Variant& variant, const Options& options, const FinishedRound& round,
                 const WinQuestion& question, internal::NaturalReadings& readings,
                 Judgement& best) {
  for (; readings.has(); readings.Advance()) {
    const Reading reading = readings.Get();
    const Worth worth = variant.Appraise(question, reading, round, options);
    if (IsBetter(worth, best)) best = {.reading = reading, .worth = worth};
  }
}

// The best of some readings. REQUIRES: readings.has().
[[gnu::always_inline]] inline Judgement JudgeAll(const Variant& variant, const Options& options,
                                                 const FinishedRound& round,
                                                 const WinQuestion& question,
                                                 internal::NaturalReadings& readings) {
  // Each made where it stays: copies would cost more than the look-ups.
  Judgement best{.reading = readings.Get(),
                 .worth = variant.Appraise(question, best.reading, round, options)};
  readings.Advance();  // most hands have no other
  if (readings.has()) JudgeOthers(variant, options, round, question, readings, best);
  return best;
}

}  // namespace

bool Beats(const Worth& a, const Worth& b) {
  if (a.share != b.share) return a.share > b.share;
  if (Patterns(a) != Patterns(b)) return Patterns(a) > Patterns(b);
  if (a.before_limit != b.before_limit) return a.before_limit > b.before_limit;
  return std::lexicographical_compare(a.patterns.begin(), a.patterns.end(), b.patterns.begin(),
                                      b.patterns.end());
}

Judgement Judge(const Variant& variant, const Options& options, const FinishedRound& round,
                const WinQuestion& question) {
  const Win& win = *question.win;
  const std::optional<Tile> wild = question.deal->wild;
  const bool has_wild = wild && (win.hand.concealed.Has(*wild) || win.tile == *wild);
  const internal::HandKeys keys(win.hand.concealed, win.tile);
  if (has_wild || !keys.valid()) [[unlikely]] {
    return JudgeRare(variant, options, round, question);
  }
  internal::NaturalReadings readings(win.hand.concealed, win.tile, keys, win.hand.melds,
                                     variant.shapes(options));
  if (!readings.has()) return NotAWinningShape();
  return JudgeAll(variant, options, round, question, readings);
}

Judgement JudgeClaim(const Variant& variant, const Options& options, const Deal& deal,
                     const Win& win) {
  const FinishedRound round = RoundOf(deal, win);
  const WinQuestion question{.win = &win, .deal = &deal, .winners = 1};
  return Judge(variant, options, round, question);
}

namespace {

void JudgeEach(const Variant& variant, const Options& options, const FinishedRound& round,
               int winners, Judgements& judgements) {
  judgements.clear();
  for (const Win& win : round.wins) {
    const WinQuestion question{.win = &win, .deal = &round.deal, .winners = winners};
    judgements.push_back(Judge(variant, options, round, question));
  }
}

bool AllLegal(const Judgements& judgements) {
  return std::all_of(judgements.begin(), judgements.end(),
                     [](const Judgement& win) { return win.legal(); });
}

}  // namespace

LegalRound::LegalRound(const FinishedRound& round, const Judgements& judgements) : round_(&round) {
  if (AllLegal(judgements)) return;
  FinishedRound& legal = legal_.emplace(round);
  legal.wins.clear();
  for (std::size_t i = 0; i < round.wins.size(); ++i) {
    if (judgements[i].legal()) legal.wins.push_back(round.wins[i]);
  }
}

void ScoreRound(const Variant& variant, const Options& options, const FinishedRound& round,
                RoundScore& score) {
  JudgeEach(variant, options, round, 1, score.wins);
  const LegalRound legal_round(round, score.wins);
  const FinishedRound& legal = *legal_round;
  const int winners = static_cast<int>(legal.wins.size());
  // What is legal does not hang on how many win; what it is worth may.
  if (winners > 1) JudgeEach(variant, options, round, winners, score.wins);
  for (std::size_t i = 0; i < round.wins.size(); ++i) {
    if (!score.wins[i].legal()) continue;
    const WinQuestion question{
        .win = &round.wins[i], .deal = &round.deal, .winners = std::max(1, winners)};
    variant.PayWin(question, score.wins[i].worth, options, score.transfers);
  }
  if (round.end == RoundEnd::kExhausted || winners > 0) {
    variant.PayKongs(legal, options, score.transfers);
  }
  for (const Transfer& transfer : score.transfers) {
    score.net[transfer.from] -= transfer.units;
    score.net[transfer.to] += transfer.units;
  }
}

RoundScore ScoreRound(const Variant& variant, const Options& options, const FinishedRound& round) {
  RoundScore score;
  ScoreRound(variant, options, round, score);
  return score;
}

NextDeal NextAfter(const Variant& variant, const Options& options, const FinishedRound& round) {
  Judgements judgements;
  JudgeEach(variant, options, round, 1, judgements);
  return variant.Next(*LegalRound(round, judgements));
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
  std::vector<Wait> waits;
  WaitFinder(variant, options, deal).ForEach(seat, hand, seen, [&](const Wait& wait) {
    waits.push_back(wait);
  });
  return waits;
}

}  // namespace mj::rules
