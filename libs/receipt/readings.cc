#include "libs/receipt/readings.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "libs/receipt/names.h"
#include "libs/receipt/price.h"

namespace mj::receipt {
namespace {

using ledger::Coins;
using ledger::Outcome;
using rules::Judgement;
using rules::Worth;

// As D-COM-2 counts them: a chicken is none.
int Patterns(const Worth& worth) {
  return static_cast<int>(worth.patterns.size()) - (worth.chicken ? 1 : 0);
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

Explanation Explain(const ReadHand& hand, const ReadHand& counted) {
  const auto versus = [](std::int64_t ours, std::int64_t theirs) {
    return std::pair(std::to_string(ours), std::to_string(theirs));
  };
  switch (hand.verdict) {
    case Verdict::kCounted:
      return {"计此牌型", "this one counts"};
    case Verdict::kNotAllowed: {
      const Words words = WordsFor(*hand.worth.no_win);
      return {std::string(words.zh), std::string(words.en)};
    }
    case Verdict::kPaysLess: {
      const auto [ours, theirs] = versus(hand.coins.value(), counted.coins.value());
      return {"只得" + ours + "，所计牌型得" + theirs,
              "pays " + ours + "; the one that counts pays " + theirs};
    }
    case Verdict::kFewerPatterns: {
      const auto [ours, theirs] = versus(Patterns(hand.worth), Patterns(counted.worth));
      return {"得分相同，番型较少：" + ours + "比" + theirs,
              "pays the same with fewer patterns: " + ours + " against " + theirs};
    }
    case Verdict::kLessBeforeLimit: {
      const auto [ours, theirs] = versus(hand.worth.before_limit, counted.worth.before_limit);
      return {"得分相同，封顶前较小：" + ours + "比" + theirs,
              "pays the same, less before limits: " + ours + " against " + theirs};
    }
    case Verdict::kLaterInOrder:
      return {"得分与番型数相同，次序在后", "equal in worth; the other comes first in order"};
  }
  return {};
}

}  // namespace mj::receipt
