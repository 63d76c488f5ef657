// Jieyang, RULEBOOK 5. Units are half bases.
#include "tests/scorer/games_testing.h"

namespace mj::scorer {
namespace {

Value Appraise(const Question& question, const Reading& reading) {
  const rules::Win& win = question.win;
  const std::optional<tiles::Tile>& wild = question.round.deal.wild;
  Value value;
  std::int64_t product = 1;
  const auto times = [&](std::int64_t factor, const char* id) {
    product *= factor;
    value.patterns.insert(id);
  };

  // 003 note 2: 东南西北 each, 中发白 each; a wild tile may repeat one of them.
  const int winds = KindsOfTriplets(reading, kEast, kNorth);
  const bool big_winds = winds == 4;
  const bool small_winds = winds == 3 && reading.pair >= kEast && reading.pair <= kNorth &&
                           !IsTripletOf(reading, reading.pair);
  const bool four_kongs = FourKongs(reading);
  if (win.flags.last_tile) times(2, "JY-20");
  if (FourTriplets(reading) && !big_winds && !four_kongs) times(2, "JY-21");
  if (HalfFlush(reading) && !big_winds && !small_winds) times(3, "JY-22");
  if (FullFlush(reading)) times(5, "JY-23");
  if (KindsOfTriplets(reading, kWhite, kRed) == 3) times(3, "JY-24");
  if (small_winds) times(3, "JY-25");
  if (big_winds) times(5, "JY-26");
  if (reading.form == Form::kSevenPairs) {
    const int fours = FourAlikes(reading);
    if (fours == 0) times(3, "JY-27");
    if (fours == 1) times(5, "JY-28");
    if (fours >= 2) times(10, "JY-29");
  }
  if (reading.form == Form::kThirteenOrphans) times(13, "JY-30");
  if (four_kongs) times(10, "JY-31");
  if (win.flags.heavenly) times(10, "JY-32");
  if (win.flags.earthly) times(10, "JY-33");
  if (wild && !win.hand.concealed.Has(*wild) && win.tile != *wild) times(2, "JY-34");

  if (win.way == rules::WinWay::kDiscard) {  // JY-02, D-JY-6
    bool worth_ten = false;
    for (const char* id : {"JY-29", "JY-30", "JY-31", "JY-33"}) {
      if (value.patterns.contains(id)) worth_ten = true;
    }
    if (!worth_ten || (wild && win.tile == *wild)) value.reason = "discard_win_not_allowed";
  }
  value.before_limit = product;
  const std::int64_t cap = NumberOr(question.options, "max_multiplier", "13");
  value.multiplier = cap != 0 && product > cap ? cap : product;
  value.share = 2 * value.multiplier;
  return value;
}

void PayWin(const Question& question, std::int64_t share, Result& result) {
  const rules::Win& win = question.win;
  if (win.way == rules::WinWay::kDiscard) return Pay(result, *win.from, win.seat, share, "JY-02");
  if (win.way == rules::WinWay::kSelfDraw) return PayByThree(result, win.seat, share, "JY-10");
  Pay(result, *win.from, win.seat, 3 * share, "JY-03");
}

void PayKongs(const rules::FinishedRound& round, Result& result) {
  if (round.end == rules::RoundEnd::kExhausted) return;  // JY-41
  for (const rules::Kong& kong : round.kongs) {
    if (kong.kind == rules::MeldKind::kDiscardKong) {
      Pay(result, *kong.from, kong.seat, 3, "JY-40");
    } else {
      PayByThree(result, kong.seat, kong.kind == rules::MeldKind::kAddedKong ? 1 : 2, "JY-40");
    }
  }
}

}  // namespace

Game Jieyang() {
  return {.name = "jieyang",
          .units_per_base = 2,
          .seven_pairs = [](const OptionTexts&) { return true; },
          .thirteen_orphans = [](const OptionTexts&) { return true; },
          .appraise = Appraise,
          .pay_win = PayWin,
          .pay_kongs = PayKongs};
}

}  // namespace mj::scorer
