#include "libs/variants/guangdong/guangdong.h"

#include <algorithm>

#include "libs/rules/payments.h"
#include "libs/variants/guangdong/tables.h"

namespace mj::variants::guangdong {

using rules::CalledMeld;
using rules::CountTriplets;
using rules::FinishedRound;
using rules::Options;
using rules::Seat;
using rules::Tile;
using rules::Transfers;
using rules::Win;
using rules::WinWay;
using rules::Worth;

namespace {

bool IsDragon(Tile tile) { return tile.is_dragon(); }

bool IsBonus(const Pattern& pattern) {
  return pattern.id == "GD-40" || pattern.id == "GD-41" || pattern.id == "GD-42";
}

bool Holds(const rules::CountedPatterns& counted, RuleId id) {
  return std::any_of(counted.begin(), counted.end(),
                     [&](const Pattern* pattern) { return pattern->id == id; });
}

// D-GD-3: the pungs of which a counted pattern consists give no bonus besides.
bool IsUsedUp(const rules::CountedPatterns& counted, const Pattern& bonus) {
  if (bonus.id == "GD-42") return Holds(counted, "GD-27") || Holds(counted, "GD-28");
  return Holds(counted, "GD-29") || Holds(counted, "GD-30");
}

std::int64_t BonusFan(const Pattern& bonus, const WinQuestion& question, const Reading& reading) {
  return bonus.times == nullptr ? bonus.value : bonus.value * bonus.times(question, reading);
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

}  // namespace

bool IsMixedTerminals(const WinQuestion& question, const Reading& reading) {
  return rules::IsAllTriplets(question, reading) && rules::OnlyTerminalsOrHonours(reading) &&
         rules::HasTerminals(reading) && rules::HasHonours(reading);
}

bool IsNineGates(const WinQuestion& question, const Reading&) {
  const Win& win = *question.win;
  if (!win.hand.melds.empty() || win.tile.is_honour()) return false;
  for (int rank = 1; rank <= 9; ++rank) {
    const int wanted = rank == 1 || rank == 9 ? 3 : 1;
    if (win.hand.concealed[Tile::Of(win.tile.suit(), rank)] != wanted) return false;
  }
  return true;
}

bool IsAllHonourTriplets(const WinQuestion& question, const Reading& reading) {
  return rules::IsAllTriplets(question, reading) && rules::IsAllHonours(question, reading);
}

bool IsPureTerminals(const WinQuestion& question, const Reading& reading) {
  return rules::IsAllTriplets(question, reading) && rules::OnlyTerminalsOrHonours(reading) &&
         !rules::HasHonours(reading);
}

bool IsSmallThreeDragons(const WinQuestion&, const Reading& reading) {
  return reading.shape == rules::Shape::kStandard && reading.pair.is_dragon() &&
         CountTriplets(reading, IsDragon) == 2;
}

bool HasRoundWindTriplet(const WinQuestion& question, const Reading& reading) {
  const auto wind = question.deal->round_wind;
  return wind && CountTriplets(reading, [&](Tile tile) { return tile == *wind; }) > 0;
}

bool HasSeatWindTriplet(const WinQuestion& question, const Reading& reading) {
  const auto& winds = question.deal->seat_winds;
  return winds && CountTriplets(
                      reading, [&](Tile tile) { return tile == (*winds)[question.win->seat]; }) > 0;
}

bool HasDragonTriplet(const WinQuestion& question, const Reading& reading) {
  return DragonTriplets(question, reading) > 0;
}

int DragonTriplets(const WinQuestion&, const Reading& reading) {
  return CountTriplets(reading, IsDragon);
}

namespace {

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
    const rules::CountedPatterns counted = rules::CountPatterns(kPatterns, question, reading);
    const bool big = std::any_of(counted.begin(), counted.end(),
                                 [](const Pattern* pattern) { return pattern->big; });
    Worth worth;
    std::int64_t patterns = 0;
    std::int64_t bonus = 0;
    for (const Pattern* pattern : counted) {
      if (IsBonus(*pattern)) {
        if (IsUsedUp(counted, *pattern)) continue;
        bonus += BonusFan(*pattern, question, reading);
      } else {
        if (pattern->big != big) continue;  // small patterns do not add to a big hand (D-GD-4)
        patterns += pattern->value;
      }
      worth.patterns.push_back(pattern->id);
    }
    worth.chicken = patterns == 0;
    if (worth.chicken) {
      const bool allowed = options[kAllowChicken] != 0 && question.win->way == WinWay::kSelfDraw &&
                           bonus > 0;  // GD-51, GD-66
      if (!allowed) {
        worth = Worth{};
        worth.no_win = rules::NoWin::kChickenNotAllowed;
        return worth;
      }
      worth.patterns.push_back("GD-10");
    }
    std::sort(worth.patterns.begin(), worth.patterns.end());

    const std::int64_t sum = patterns + bonus;
    worth.before_limit = sum;
    worth.fan = big ? (sum >= kOpenFan ? sum : kFullFan) : std::min(sum, kFullFan);  // GD-50
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
