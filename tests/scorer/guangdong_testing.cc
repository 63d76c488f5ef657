// Guangdong, RULEBOOK 3.
#include <algorithm>
#include <cstddef>

#include "tests/scorer/games_testing.h"

namespace mj::scorer {
namespace {

// GD-23: before the winning tile, 1112345678999 of one suit and no meld.
bool NineGates(const rules::Win& win) {
  if (!win.hand.melds.empty()) return false;
  for (int suit = 0; suit < 3; ++suit) {
    tiles::TileCounts gates;
    for (int kind = 9 * suit; kind < 9 * suit + 9; ++kind) {
      gates.Add(tiles::Tile::At(kind), IsTerminal(kind) ? 3 : 1);
    }
    if (win.hand.concealed == gates && win.tile.index() / 9 == suit) return true;
  }
  return false;
}

Value Appraise(const Question& question, const Reading& reading) {
  const rules::Win& win = question.win;
  const rules::Deal& deal = question.round.deal;
  Value value;

  std::int64_t small = 0;
  std::set<std::string> small_ids;
  if (FourSequences(reading)) {
    small += 1;
    small_ids.insert("GD-11");
  }
  if (HalfFlush(reading)) {
    small += 2;
    small_ids.insert("GD-12");
  }
  if (FourTriplets(reading)) {
    small += 2;
    small_ids.insert("GD-13");
  }

  std::int64_t big = 0;
  std::set<std::string> big_ids;
  const auto count_big = [&](std::int64_t fan, const char* id) {
    big += fan;
    big_ids.insert(id);
  };
  const bool no_suit = SuitsOf(reading) == 0;
  const int dragons = TripletsWithin(reading, kWhite, kRed);
  const int winds = TripletsWithin(reading, kEast, kNorth);
  const bool big_dragons = dragons == 3;
  const bool small_dragons = dragons == 2 && reading.pair >= kWhite;
  const bool big_winds = winds == 4;
  const bool small_winds = winds == 3 && reading.pair >= kEast && reading.pair <= kNorth;
  const bool nine_gates = NineGates(win);
  if (FullFlush(reading) && nine_gates) {
    count_big(6, "GD-23");
  } else if (FullFlush(reading) && FourTriplets(reading)) {
    count_big(5, "GD-24");
  } else if (FullFlush(reading)) {
    count_big(4, "GD-20");
  }
  if (FourTriplets(reading) && !HasSimples(reading)) {
    if (no_suit) {
      count_big(6, "GD-25");
    } else if (HasHonours(reading)) {
      count_big(5, "GD-21");
    } else {
      count_big(6, "GD-26");
    }
  }
  if (reading.form == Form::kThirteenOrphans) count_big(6, "GD-22");
  if (big_dragons) count_big(6, "GD-27");
  if (small_dragons) count_big(5, "GD-28");
  if (big_winds) count_big(6, "GD-29");
  if (small_winds) count_big(5, "GD-30");
  if (win.flags.heavenly) count_big(6, "GD-31");
  if (win.flags.earthly) count_big(6, "GD-32");

  std::int64_t bonus = 0;
  if (!big_winds && !small_winds) {
    const int round_wind = deal.round_wind->index();
    const int seat_wind = (*deal.seat_winds)[win.seat].index();
    if (TripletsWithin(reading, round_wind, round_wind) > 0) {
      bonus += 1;
      value.patterns.insert("GD-40");
    }
    if (TripletsWithin(reading, seat_wind, seat_wind) > 0) {
      bonus += 1;
      value.patterns.insert("GD-41");
    }
  }
  if (!big_dragons && !small_dragons && dragons > 0) {
    bonus += dragons;
    value.patterns.insert("GD-42");
  }

  if (!big_ids.empty()) {
    value.patterns.insert(big_ids.begin(), big_ids.end());
    value.before_limit = big + bonus;
    value.fan = value.before_limit >= 6 ? value.before_limit : 3;
  } else {
    value.patterns.insert(small_ids.begin(), small_ids.end());
    value.before_limit = small + bonus;
    value.fan = std::min<std::int64_t>(value.before_limit, 3);
    if (small_ids.empty()) {
      value.patterns.insert("GD-10");
      const bool allowed = OptionOr(question.options, "allow_chicken", "true") == "true" &&
                           win.way == rules::WinWay::kSelfDraw && bonus >= 1;
      if (!allowed) value.reason = "chicken_not_allowed";
    }
  }
  const bool three_on_one_tile = question.winners == 3;
  if (win.flags.kong_replacement || three_on_one_tile) {
    value.fan = std::max<std::int64_t>(value.fan, 3);
  }
  value.share = 1;
  for (std::int64_t i = 0; i < value.fan; ++i) value.share *= 2;
  return value;
}

// GD-64: who gave the fourth called meld, if every one of the four was called.
std::optional<rules::Seat> FourthMeldsGiver(const rules::Hand& hand) {
  if (hand.melds.size() != 4) return std::nullopt;
  for (const rules::CalledMeld& called : hand.melds) {
    if (called.meld.kind == rules::MeldKind::kConcealedKong) return std::nullopt;
  }
  return hand.melds[3].from;
}

void PayWin(const Question& question, std::int64_t share, Result& result) {
  const rules::Win& win = question.win;
  if (win.way == rules::WinWay::kRobbedKong) {
    return Pay(result, *win.from, win.seat, 3 * share, "GD-65");
  }
  if (win.way == rules::WinWay::kDiscard) {
    const char* rule = question.winners == 1 ? "GD-53" : question.winners == 2 ? "GD-60" : "GD-61";
    return Pay(result, *win.from, win.seat, share, rule);
  }
  if (win.kong_feeder) return Pay(result, *win.kong_feeder, win.seat, 3 * share, "GD-63");
  if (const auto giver = FourthMeldsGiver(win.hand)) {
    return Pay(result, *giver, win.seat, 3 * share, "GD-64");
  }
  PayByThree(result, win.seat, share, win.flags.kong_replacement ? "GD-62" : "GD-52");
}

}  // namespace

Game Guangdong() {
  return {.name = "guangdong",
          .seven_pairs = [](const OptionTexts&) { return false; },
          .thirteen_orphans = [](const OptionTexts&) { return true; },
          .appraise = Appraise,
          .pay_win = PayWin,
          .pay_kongs = [](const rules::FinishedRound&, Result&) {}};
}

}  // namespace mj::scorer
