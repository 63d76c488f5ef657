// Chaozhou, RULEBOOK 2.
#include "tests/scorer/games_testing.h"

namespace mj::scorer {
namespace {

Value Appraise(const Question& question, const Reading& reading) {
  const rules::Win& win = question.win;
  Value value;
  value.fan = win.way == rules::WinWay::kDiscard ? 3 : 2;
  if (IsConcealed(win.hand)) {
    value.fan += 1;
    value.patterns.insert("CZ-12");
  }
  std::int64_t product = 1;
  const auto times = [&](std::int64_t factor, const char* id) {
    product *= factor;
    value.patterns.insert(id);
  };

  const int winds = TripletsWithin(reading, kEast, kNorth);
  const bool wind_pair =
      reading.form == Form::kSetsAndPair && reading.pair >= kEast && reading.pair <= kNorth;
  const bool big_winds = winds == 4;
  const bool small_winds = winds == 3 && wind_pair;
  if (win.flags.last_tile) times(2, "CZ-20");
  if (win.flags.kong_replacement) times(2, "CZ-21");
  if (FourTriplets(reading) && !big_winds) times(2, "CZ-22");
  if (HalfFlush(reading) && !big_winds && !small_winds) times(2, "CZ-23");
  if (FullFlush(reading)) times(3, "CZ-24");
  if (TripletsWithin(reading, kWhite, kRed) == 3) times(4, "CZ-25");
  if (small_winds) times(4, "CZ-26");
  if (big_winds) times(4, "CZ-27");
  if (reading.form == Form::kSevenPairs) {
    const int fours = FourAlikes(reading);
    if (fours == 0) times(3, "CZ-28");
    if (fours == 1) times(6, "CZ-29");
    if (fours == 2) times(12, "CZ-30");
    if (fours == 3) times(24, "CZ-31");
  }
  if (reading.form == Form::kThirteenOrphans) times(13, "CZ-32");
  if (win.flags.heavenly) times(13, "CZ-33");
  if (win.flags.earthly) times(13, "CZ-34");

  value.before_limit = product;
  const std::int64_t cap = NumberOr(question.options, "max_multiplier", "10");
  value.multiplier = cap != 0 && product > cap ? cap : product;
  value.share = value.fan * value.multiplier;
  return value;
}

void PayWin(const Question& question, std::int64_t share, Result& result) {
  const rules::Win& win = question.win;
  if (win.way == rules::WinWay::kDiscard) return Pay(result, *win.from, win.seat, share, "CZ-10");
  if (win.way == rules::WinWay::kSelfDraw) return PayByThree(result, win.seat, share, "CZ-11");
  Pay(result, *win.from, win.seat, 3 * share, "CZ-13");
}

void PayKongs(const rules::FinishedRound& round, Result& result) {
  if (round.end == rules::RoundEnd::kExhausted) return;  // CZ-41
  for (const rules::Kong& kong : round.kongs) {
    if (kong.kind == rules::MeldKind::kDiscardKong) {
      Pay(result, *kong.from, kong.seat, 3, "CZ-40");
    } else {
      PayByThree(result, kong.seat, kong.kind == rules::MeldKind::kAddedKong ? 1 : 2, "CZ-40");
    }
  }
}

}  // namespace

Game Chaozhou() {
  return {.name = "chaozhou",
          .seven_pairs = [](const OptionTexts&) { return true; },
          .thirteen_orphans = [](const OptionTexts&) { return true; },
          .appraise = Appraise,
          .pay_win = PayWin,
          .pay_kongs = PayKongs};
}

}  // namespace mj::scorer
