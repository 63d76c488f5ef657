// Shaoguan, RULEBOOK 4.
#include <utility>

#include "tests/scorer/games_testing.h"

namespace mj::scorer {
namespace {

std::pair<const char*, int> SevenPairs(const Reading& reading) {
  if (FullFlush(reading)) return {"SG-16", 16};
  if (SuitsOf(reading) == 0) return {"SG-18", 32};
  if (HalfFlush(reading)) return {"SG-15", 8};
  return {"SG-12", 2};
}

// The reading's one best pattern.
std::pair<const char*, int> BestPattern(const Reading& reading) {
  if (reading.form == Form::kThirteenOrphans) return {"SG-19", 32};
  if (reading.form == Form::kSevenPairs) return SevenPairs(reading);
  const bool pungs = FourTriplets(reading);
  if (pungs && SuitsOf(reading) == 0) return {"SG-18", 32};
  if (pungs && !HasSimples(reading)) return {"SG-17", 16};
  if (pungs && FullFlush(reading)) return {"SG-16", 16};
  if (pungs && HalfFlush(reading)) return {"SG-15", 8};
  if (FullFlush(reading)) return {"SG-14", 8};
  if (HalfFlush(reading)) return {"SG-13", 4};
  if (pungs) return {"SG-12", 2};
  return {"SG-11", 2};
}

// SG-20: whose horse it is, in turns from the dealer.
int HorsePosition(int kind) {
  if (!IsHonour(kind)) return kind % 9 % 4;
  switch (kind) {
    case kEast:
    case kRed:
      return 0;
    case kSouth:
    case kGreen:
      return 1;
    case kWest:
    case kWhite:
      return 2;
    default:
      return 3;
  }
}

Value Appraise(const Question& question, const Reading& reading) {
  const rules::Win& win = question.win;
  Value value;
  if (reading.form == Form::kSevenPairs &&
      OptionOr(question.options, "seven_pairs", "pure") == "pure" && !FullFlush(reading)) {
    value.reason = "not_a_winning_shape";
    return value;
  }
  if (win.way == rules::WinWay::kDiscard) {
    value.reason = "discard_win_not_allowed";
    return value;
  }
  const auto [id, factor] = BestPattern(reading);
  value.patterns = {id};
  const bool doubled = OptionOr(question.options, "self_draw_doubles", "true") == "true";
  value.multiplier = factor * (doubled ? 2 : 1);
  if (win.way == rules::WinWay::kSelfDraw ||
      OptionOr(question.options, "horses_on_robbed_kong", "false") == "true") {
    const int position =
        (rules::IndexOf(win.seat) - rules::IndexOf(question.round.deal.dealer) + 4) % 4;
    for (tiles::Tile horse : question.round.horses) {
      if (HorsePosition(horse.index()) == position) ++value.horses_hit;
    }
  }
  value.share = value.multiplier * (1 + value.horses_hit);
  return value;
}

void PayWin(const Question& question, std::int64_t share, Result& result) {
  const rules::Win& win = question.win;
  if (win.way == rules::WinWay::kRobbedKong) {
    return Pay(result, *win.from, win.seat, 3 * share, "SG-41");
  }
  if (win.killed) return Pay(result, *win.killed, win.seat, 3 * share, "SG-43");
  if (win.kong_feeder) return Pay(result, *win.kong_feeder, win.seat, 3 * share, "SG-42");
  PayByThree(result, win.seat, share, win.flags.kong_replacement ? "SG-42" : "SG-40");
}

void PayKongs(const rules::FinishedRound& round, Result& result) {
  for (const rules::Kong& kong : round.kongs) {
    if (kong.kind == rules::MeldKind::kDiscardKong) {
      Pay(result, *kong.from, kong.seat, 3, "SG-30");
      continue;
    }
    const int each = kong.kind == rules::MeldKind::kAddedKong ? 1 : 2;
    if (kong.paid_by) {
      Pay(result, *kong.paid_by, kong.seat, 3 * each, "SG-30");
    } else {
      PayByThree(result, kong.seat, each, "SG-30");
    }
  }
}

}  // namespace

Game Shaoguan() {
  return {.name = "shaoguan",
          .seven_pairs =
              [](const OptionTexts& options) {
                return OptionOr(options, "seven_pairs", "pure") != "off";
              },
          .thirteen_orphans =
              [](const OptionTexts& options) {
                return OptionOr(options, "with_characters", "true") == "true";
              },
          .appraise = Appraise,
          .pay_win = PayWin,
          .pay_kongs = PayKongs};
}

}  // namespace mj::scorer
