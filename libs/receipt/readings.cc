#include "libs/receipt/readings.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "libs/receipt/price.h"

namespace mj::receipt {
namespace {

using ledger::Coins;
using ledger::Outcome;
using rules::Judgement;
using rules::Worth;

int Patterns(const Worth& worth) {
  return worth.chicken ? 0 : static_cast<int>(worth.patterns.size());
}

Verdict VerdictOn(const Worth& worth, const Worth& counted) {
  if (worth.no_win) return Verdict::kNotAllowed;
  if (worth.share < counted.share) return Verdict::kPaysLess;
  if (Patterns(worth) < Patterns(counted)) return Verdict::kFewerPatterns;
  if (worth.before_limit < counted.before_limit) return Verdict::kLessBeforeLimit;
  return Verdict::kLaterInOrder;
}

}  // namespace

Outcome<std::vector<ReadHand>> ReadingsOf(const rules::Variant& variant,
                                          const rules::Options& options, std::int64_t base,
                                          const rules::FinishedRound& round, std::size_t index) {
  const rules::Win& win = round.wins[index];
  const rules::RoundScore score = rules::ScoreRound(variant, options, round);
  const Judgement& counted = score.wins[index];
  int winners = 0;
  for (const Judgement& judged : score.wins) {
    winners += judged.legal() ? 1 : 0;
  }
  const rules::WinQuestion question{
      .win = &win, .deal = &round.deal, .winners = std::max(1, winners)};

  std::vector<ReadHand> hands;
  std::optional<ledger::Rejection> refused;
  rules::TileCounts concealed = win.hand.concealed;
  concealed.Add(win.tile);
  rules::ForEachReading(
      concealed, win.hand.melds, round.deal.wild, variant.shapes(options),
      [&](const rules::Reading& reading) {
        const auto known = [&](const ReadHand& hand) { return hand.reading == reading; };
        if (refused || std::any_of(hands.begin(), hands.end(), known)) return;
        ReadHand hand{.reading = reading,
                      .worth = variant.Appraise(question, reading, round, options),
                      .coins = {},
                      .verdict = Verdict::kCounted};
        if (!counted.legal() || reading != counted.reading) {
          hand.verdict = VerdictOn(hand.worth, counted.worth);
        }
        if (!hand.worth.no_win) {
          const Outcome<Coins> coins = PriceWin(variant, options, base, question, hand.worth);
          if (!coins.ok()) {
            refused = coins.rejection();
            return;
          }
          hand.coins = coins.value();
        }
        hands.push_back(hand);
      });
  if (refused) return *refused;
  std::stable_sort(hands.begin(), hands.end(), [](const ReadHand& a, const ReadHand& b) {
    const auto order = [](const ReadHand& hand) {
      return std::tuple(hand.verdict != Verdict::kCounted, hand.worth.no_win.has_value(),
                        -hand.worth.share, -Patterns(hand.worth), -hand.worth.before_limit);
    };
    return order(a) < order(b);
  });
  return hands;
}

}  // namespace mj::receipt
