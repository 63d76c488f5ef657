#include "libs/variants/guangdong/guangdong.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "libs/rules/payments.h"
#include "libs/variants/guangdong/tables.h"

namespace mj::variants::guangdong {

using rules::CalledMeld;
using rules::FinishedRound;
using rules::Options;
using rules::Seat;
using rules::Tile;
using rules::Transfers;
using rules::Win;
using rules::WinWay;
using rules::Worth;

namespace {

constexpr rules::RowMask kBigRows = [] {
  rules::RowMask rows = 0;
  for (const Pattern& pattern : kPatterns) {
    if (pattern.big) rows |= rules::RowsOf(kPatterns, {pattern.id});
  }
  return rows;
}();
constexpr rules::RowMask kWindBonuses = rules::RowsOf(kPatterns, {"GD-40", "GD-41"});
constexpr rules::RowMask kDragonBonus = rules::RowsOf(kPatterns, {"GD-42"});
constexpr std::int64_t kDragonFan = kPatterns[std::countr_zero(kDragonBonus)].value;
constexpr rules::RowMask kBonuses = kWindBonuses | kDragonBonus;
// D-GD-3: the pungs of which these consist give no bonus besides.
constexpr rules::RowMask kOfDragons = rules::RowsOf(kPatterns, {"GD-27", "GD-28"});
constexpr rules::RowMask kOfWinds = rules::RowsOf(kPatterns, {"GD-29", "GD-30"});
constexpr rules::RowMask kChicken = rules::RowsOf(kPatterns, {"GD-10"});

// Of the rows that apply, those that count: not what is used up, and of the rest the big ones or,
// where there are none, the small ones (D-GD-4), beside the bonuses.
rules::RowMask Counting(rules::RowMask rows) {
  if ((rows & kOfDragons) != 0) rows &= ~kDragonBonus;
  if ((rows & kOfWinds) != 0) rows &= ~kWindBonuses;
  const bool big = (rows & kBigRows) != 0;
  return rows & (kBonuses | (big ? kBigRows : ~kBigRows));
}

// The bonus for dragons counts for each pung, every other row once.
std::int64_t SumOf(rules::RowMask rows, const WinQuestion& question, const Reading& reading) {
  const std::int64_t once = rules::JoinedValues<kPatterns, rules::Sum>::Of(rows);
  const std::int64_t more_dragons = DragonTriplets(question, reading) - 1;
  return once + std::int64_t{(rows & kDragonBonus) != 0} * more_dragons * kDragonFan;
}
static_assert(std::all_of(std::begin(kPatterns), std::end(kPatterns), [](const Pattern& pattern) {
  return (pattern.times != nullptr) ==
         ((rules::RowsOf(kPatterns, {pattern.id}) & kDragonBonus) != 0);
}));

// GD-50.
std::int64_t FanOf(std::int64_t sum, bool big) {
  if (big) return sum >= kOpenFan ? sum : kFullFan;
  return std::min(sum, kFullFan);
}

// GD-64: every one of four melds was called; the giver of the fourth.
std::optional<Seat> GiverOfFourthMeld(const Win& win) {
  if (win.hand.melds.size() < 4) return std::nullopt;
  for (const CalledMeld& called : win.hand.melds) {
    if (!called.from) return std::nullopt;
  }
  return win.hand.melds.back().from;
}

// GD-61, GD-62, GD-63: whatever the hand is worth, it counts at least three fan.
bool HasFloor(const WinQuestion& question) {
  return question.winners == 3 || question.win->flags.kong_replacement;
}

static_assert(rules::IsSortedById(kPatterns), "a worth's patterns are in the table's order");

class Guangdong final : public rules::Variant {
 public:
  const rules::VariantInfo& info() const override { return kInfo; }
  std::span<const OptionDef> options() const override { return kOptions; }
  std::span<const Pattern> patterns() const override { return kPatterns; }
  std::span<const RuleText> rules() const override { return kRules; }

  rules::Shapes shapes(const Options&) const override {
    return {.standard = true, .seven_pairs = false, .thirteen_orphans = true};
  }

  rules::PlayRules play(const Options&) const override {
    rules::PlayRules play;
    for (Tile tile : tiles::kAllKinds) play.wall.Add(tile, tiles::kCopies);
    play.chow = true;
    play.winds = true;
    play.dealer_rolls = true;                       // COM-02
    play.missed_win = rules::MissedWin::kSameTile;  // GD-80
    play.lock_ends = rules::LockEnds::kOwnDiscard;  // GD-80
    return play;
  }

  rules::WinFlags FirstTurn(const rules::FirstTurnFacts& facts, const Options&) const override {
    rules::WinFlags flags;
    if (facts.winner == facts.dealer) {  // GD-31
      flags.heavenly =
          facts.way == WinWay::kSelfDraw && facts.winner_draws == 1 && !facts.anyone_called;
    } else {  // GD-32, D-GD-2, PLAY-05
      flags.earthly = !facts.dealer_second_turn;
    }
    return flags;
  }

  Worth Appraise(const WinQuestion& question, const Reading& reading, const FinishedRound&,
                 const Options& options) const override {
    const rules::RowMask rows = Counting(rules::CountRows<kPatterns>(question, reading));
    const bool big = (rows & kBigRows) != 0;
    Worth worth;
    worth.chicken = (rows & ~kBonuses) == 0;
    if (worth.chicken) {
      const bool allowed = options[kAllowChicken] != 0 && question.win->way == WinWay::kSelfDraw &&
                           (rows & kBonuses) != 0;  // GD-51, GD-66
      if (!allowed) {
        worth.chicken = false;
        worth.no_win = rules::NoWin::kChickenNotAllowed;
        return worth;
      }
    }
    worth.patterns = rules::PatternIds(kPatterns, rows | (worth.chicken ? kChicken : 0));
    const std::int64_t sum = SumOf(rows, question, reading);
    worth.before_limit = sum;
    worth.fan = FanOf(sum, big);
    if (HasFloor(question)) worth.fan = std::max(worth.fan, kFullFan);
    worth.share = rules::Units{1} << worth.fan;
    return worth;
  }

  void PayWin(const WinQuestion& question, const Worth& worth, const Options&,
              Transfers& transfers) const override {
    const Win& win = *question.win;
    const rules::Units all = (rules::kSeatCount - 1) * worth.share;
    switch (win.way) {
      case WinWay::kDiscard: {
        const RuleId rule = question.winners == 1   ? "GD-53"
                            : question.winners == 2 ? "GD-60"
                                                    : "GD-61";
        return rules::Owe(transfers, *win.from, win.seat, worth.share, rule);
      }
      case WinWay::kRobbedKong:
        return rules::Owe(transfers, *win.from, win.seat, all, "GD-65");
      case WinWay::kSelfDraw:
        if (win.kong_feeder) {
          return rules::Owe(transfers, *win.kong_feeder, win.seat, all, "GD-63");
        }
        if (const auto giver = GiverOfFourthMeld(win)) {
          return rules::Owe(transfers, *giver, win.seat, all, "GD-64");
        }
        return rules::OweByAll(transfers, win.seat, worth.share,
                               win.flags.kong_replacement ? "GD-62" : "GD-52");
    }
  }

  void PayKongs(const FinishedRound&, const Options&, Transfers&) const override {}

  rules::NextDeal Next(const FinishedRound& round) const override {
    rules::NextDeal next = rules::StayOrPass(round);
    const auto& winds = round.deal.seat_winds;
    const bool back_to_east =
        winds && next.dealer != round.deal.dealer && (*winds)[next.dealer] == tiles::kEast;
    if (back_to_east && next.round_wind) {  // PLAY-15
      next.round_wind = tiles::NextInSequence(*next.round_wind);
    }
    return next;
  }
};

}  // namespace

const rules::Variant& Game() {
  static const Guangdong game;
  return game;
}

}  // namespace mj::variants::guangdong
