#include "libs/variants/jieyang/jieyang.h"

#include <algorithm>

#include "libs/rules/payments.h"
#include "libs/variants/jieyang/tables.h"

namespace mj::variants::jieyang {

using rules::FinishedRound;
using rules::Options;
using rules::Transfers;
using rules::Win;
using rules::WinWay;
using rules::Worth;

namespace {

// JY-02: the patterns with which a discard may be won on.
constexpr rules::RowMask kDiscardRows = [] {
  rules::RowMask rows = 0;
  for (const Pattern& pattern : kPatterns) {
    if (pattern.value >= kDiscardWinValue) rows |= rules::RowsOf(kPatterns, {pattern.id});
  }
  return rows;
}();

static_assert(rules::IsSortedById(kPatterns), "a worth's patterns are in the table's order");

class Jieyang final : public rules::Variant {
 public:
  const rules::VariantInfo& info() const override { return kInfo; }
  std::span<const OptionDef> options() const override { return kOptions; }
  std::span<const Pattern> patterns() const override { return kPatterns; }
  std::span<const RuleText> rules() const override { return kRules; }

  rules::Shapes shapes(const Options&) const override {
    return {.standard = true, .seven_pairs = true, .thirteen_orphans = true};
  }

  rules::PlayRules play(const Options& options) const override {
    rules::PlayRules play;
    for (rules::Tile tile : tiles::kAllKinds) play.wall.Add(tile, tiles::kCopies);
    play.missed_win = rules::MissedWin::kSameTile;     // JY-60
    play.lock_ends = rules::LockEnds::kOwnDrawOrCall;  // JY-60
    play.wild = options[kWild] == kWhite     ? rules::WildMode::kFixed
                : options[kWild] == kFlipped ? rules::WildMode::kFlipped
                                             : rules::WildMode::kNone;
    play.fixed_wild = tiles::kWhite;
    return play;
  }

  rules::WinFlags FirstTurn(const rules::FirstTurnFacts& facts, const Options&) const override {
    rules::WinFlags flags;
    if (facts.winner == facts.dealer) {  // JY-32
      flags.heavenly =
          facts.way == WinWay::kSelfDraw && facts.winner_draws == 1 && !facts.anyone_called;
    } else {  // JY-33, PLAY-08
      flags.earthly = facts.way == WinWay::kDiscard && facts.previous_seats_first_discard &&
                      facts.winner_draws == 0 && !facts.winner_called;
    }
    return flags;
  }

  Worth Appraise(const WinQuestion& question, const Reading& reading, const FinishedRound&,
                 const Options& options) const override {
    const rules::RowMask rows = rules::CountRows<kPatterns>(question, reading);
    Worth worth;
    const bool wild_tile = question.win->tile == question.deal->wild;  // D-JY-6
    if (question.win->way == WinWay::kDiscard && ((rows & kDiscardRows) == 0 || wild_tile)) {
      worth.no_win = rules::NoWin::kDiscardWinNotAllowed;
      return worth;
    }
    worth.patterns = rules::PatternIds(kPatterns, rows);
    const std::int64_t product = rules::JoinedValues<kPatterns, rules::Product>::Of(rows);
    const std::int64_t cap = options[kMaxMultiplier];
    worth.before_limit = product;
    worth.multiplier = cap == 0 ? product : std::min(product, cap);
    worth.share = worth.multiplier * kInfo.units_per_base;
    return worth;
  }

  void PayWin(const WinQuestion& question, const Worth& worth, const Options&,
              Transfers& transfers) const override {
    const Win& win = *question.win;
    switch (win.way) {
      case WinWay::kDiscard:  // D-JY-2: one share
        return rules::Owe(transfers, *win.from, win.seat, worth.share, "JY-02");
      case WinWay::kSelfDraw:
        return rules::OweByAll(transfers, win.seat, worth.share, "JY-10");
      case WinWay::kRobbedKong:  // PLAY-06: each of several robbers
        return rules::Owe(transfers, *win.from, win.seat, (rules::kSeatCount - 1) * worth.share,
                          "JY-03");
    }
  }

  void PayKongs(const FinishedRound& round, const Options&, Transfers& transfers) const override {
    if (round.end == rules::RoundEnd::kExhausted) return;  // JY-41
    rules::OweKongs(round,
                    {.discard = kDiscardKong, .added = kAddedKong, .concealed = kConcealedKong},
                    "JY-40", transfers);
  }

  rules::NextDeal Next(const FinishedRound& round) const override {
    return rules::StayOrPass(round);
  }
};

}  // namespace

const rules::Variant& Game() {
  static const Jieyang game;
  return game;
}

}  // namespace mj::variants::jieyang
