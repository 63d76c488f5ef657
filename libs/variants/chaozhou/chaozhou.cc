#include "libs/variants/chaozhou/chaozhou.h"

#include <algorithm>

#include "libs/rules/payments.h"
#include "libs/variants/chaozhou/tables.h"

namespace mj::variants::chaozhou {
namespace {

using rules::FinishedRound;
using rules::FirstTurnFacts;
using rules::Options;
using rules::Reading;
using rules::Transfers;
using rules::Units;
using rules::Win;
using rules::WinFlags;
using rules::WinQuestion;
using rules::WinWay;
using rules::Worth;

Units FanOf(WinWay way) {
  switch (way) {
    case WinWay::kDiscard:
      return kFanOnDiscard;
    case WinWay::kSelfDraw:
      return kFanOnSelfDraw;
    case WinWay::kRobbedKong:
      return kFanOnRobbedKong;
  }
  return 0;
}

template <typename Join>
using Values = rules::JoinedValues<kPatterns, Join>;

// The rows of the two roles of this game's table.
constexpr rules::RowMask kFanRows = rules::RowsOf(kPatterns, PatternRole::kFan);
constexpr rules::RowMask kMultiplierRows = rules::RowsOf(kPatterns, PatternRole::kMultiplier);

static_assert(rules::IsSortedById(kPatterns), "a worth's patterns are in the table's order");

class Chaozhou final : public rules::Variant {
 public:
  const rules::VariantInfo& info() const override { return kInfo; }
  std::span<const OptionDef> options() const override { return kOptions; }
  std::span<const Pattern> patterns() const override { return kPatterns; }
  std::span<const RuleText> rules() const override { return kRules; }

  rules::Shapes shapes(const Options&) const override {
    return {.standard = true, .seven_pairs = true, .thirteen_orphans = true};
  }

  rules::PlayRules play(const Options&) const override {
    rules::PlayRules play;
    for (rules::Tile tile : tiles::kAllKinds) play.wall.Add(tile, tiles::kCopies);
    play.missed_win = rules::MissedWin::kEveryTile;    // CZ-50, D-CZ-8
    play.lock_ends = rules::LockEnds::kOwnDrawOrCall;  // CZ-50
    return play;
  }

  // CZ-33; CZ-34 as D-CZ-6 defines it.
  WinFlags FirstTurn(const FirstTurnFacts& facts, const Options&) const override {
    WinFlags flags;
    const bool self_draw = facts.way == WinWay::kSelfDraw;
    if (facts.anyone_called) return flags;
    if (facts.winner == facts.dealer) {
      flags.heavenly = self_draw && facts.winner_draws == 1;
    } else {
      flags.earthly = facts.winner_draws == (self_draw ? 1 : 0);
    }
    return flags;
  }

  Worth Appraise(const WinQuestion& question, const Reading& reading, const FinishedRound&,
                 const Options& options) const override {
    const rules::RowMask rows = rules::CountRows<kPatterns>(question, reading);
    Worth worth;
    worth.patterns = rules::PatternIds(kPatterns, rows);
    worth.fan = FanOf(question.win->way) + Values<rules::Sum>::Of(rows & kFanRows);
    const std::int64_t product = Values<rules::Product>::Of(rows & kMultiplierRows);
    const std::int64_t cap = options[kMaxMultiplier];
    worth.before_limit = product;
    worth.multiplier = cap == 0 ? product : std::min(product, cap);
    worth.share = worth.fan * worth.multiplier;
    return worth;
  }

  void PayWin(const WinQuestion& question, const Worth& worth, const Options&,
              Transfers& transfers) const override {
    const Win& win = *question.win;
    switch (win.way) {
      case WinWay::kDiscard:
        return rules::Owe(transfers, *win.from, win.seat, worth.share, "CZ-10");
      case WinWay::kSelfDraw:
        return rules::OweByAll(transfers, win.seat, worth.share, "CZ-11");
      case WinWay::kRobbedKong:
        return rules::Owe(transfers, *win.from, win.seat, (rules::kSeatCount - 1) * worth.share,
                          "CZ-13");
    }
  }

  void PayKongs(const FinishedRound& round, const Options&, Transfers& transfers) const override {
    if (round.end == rules::RoundEnd::kExhausted) return;  // CZ-41
    rules::OweKongs(round,
                    {.discard = kDiscardKong, .added = kAddedKong, .concealed = kConcealedKong},
                    "CZ-40", transfers);
  }

  rules::NextDeal Next(const FinishedRound& round) const override {
    // Three winners on one tile: its giver deals, even when the dealer is among them (D-CZ-1).
    if (round.wins.size() == 3 && round.wins[0].from) {
      return {.dealer = *round.wins[0].from, .round_wind = {}};
    }
    return rules::StayOrPass(round);
  }
};

}  // namespace

const rules::Variant& Game() {
  static const Chaozhou game;
  return game;
}

}  // namespace mj::variants::chaozhou
