#include "libs/rules/toy_testing.h"

#include "libs/rules/patterns.h"
#include "libs/rules/payments.h"

namespace mj::rules {
namespace {

constexpr VariantInfo kInfo = {.id = "toy",
                               .name_zh = "试",
                               .name_en = "toy",
                               .revision = 1,
                               .units_per_base = 1,
                               .counts_fan = true,
                               .counts_multiplier = false,
                               .counts_horses = false};

// TOY-1 is worth more than TOY-2 and implies it.
constexpr RuleId kImplied[] = {"TOY-2"};
constexpr Pattern kPatterns[] = {
    {"TOY-1", "对", "all triplets", PatternRole::kFan, 3, kImplied, false, "test", IsAllTriplets},
    {"TOY-2", "同", "full flush", PatternRole::kFan, 2, {}, false, "test", IsFullFlush},
    {"TOY-3", "顺", "all sequences", PatternRole::kFan, 1, {}, false, "test", IsAllSequences},
};

constexpr OptionDef kOptions[] = {
    {.name = "flag",
     .type = OptionType::kFlag,
     .fallback = 1,
     .rule = "TOY-9",
     .meaning_zh = "",
     .meaning_en = ""},
    {.name = "number",
     .type = OptionType::kNumber,
     .fallback = 4,
     .min = -2,
     .max = 9,
     .rule = "TOY-9",
     .meaning_zh = "",
     .meaning_en = ""},
};

}  // namespace

ToyGame::ToyGame() {
  for (Tile tile : tiles::kAllKinds) play_rules.wall.Add(tile, tiles::kCopies);
}

const VariantInfo& ToyGame::info() const { return kInfo; }
std::span<const OptionDef> ToyGame::options() const { return kOptions; }
std::span<const Pattern> ToyGame::patterns() const { return kPatterns; }
std::span<const RuleText> ToyGame::rules() const { return {}; }
Shapes ToyGame::shapes(const Options&) const { return win_shapes; }
PlayRules ToyGame::play(const Options&) const { return play_rules; }

WinFlags ToyGame::FirstTurn(const FirstTurnFacts& facts, const Options&) const {
  WinFlags flags;
  if (facts.anyone_called) return flags;
  const bool dealer = facts.winner == facts.dealer;
  flags.heavenly = dealer && facts.way == WinWay::kSelfDraw && facts.winner_draws == 1;
  flags.earthly = !dealer && facts.winner_draws == (facts.way == WinWay::kSelfDraw ? 1 : 0);
  return flags;
}

Worth ToyGame::Appraise(const WinQuestion& question, const Reading& reading, const FinishedRound&,
                        const Options&) const {
  Worth worth;
  if (question.win->way == WinWay::kDiscard && discard_refusal) {
    worth.no_win = discard_refusal;
    return worth;
  }
  worth.patterns = PatternIds(kPatterns, CountRows<kPatterns>(question, reading));
  worth.fan = 1;
  ForEachRow(kPatterns, worth.patterns.rows(),
             [&](const Pattern& pattern) { worth.fan += pattern.value; });
  worth.before_limit = worth.fan;
  worth.share = worth.fan;
  return worth;
}

void ToyGame::PayWin(const WinQuestion& question, const Worth& worth, const Options&,
                     Transfers& transfers) const {
  const Win& win = *question.win;
  if (win.from) return Owe(transfers, *win.from, win.seat, worth.share, "TOY-5");
  OweByAll(transfers, win.seat, worth.share, "TOY-6");
}

void ToyGame::PayKongs(const FinishedRound& round, const Options&, Transfers& transfers) const {
  OweKongs(round, {.discard = 3, .added = 1, .concealed = 2}, "TOY-7", transfers);
}

NextDeal ToyGame::Next(const FinishedRound& round) const { return StayOrPass(round); }

}  // namespace mj::rules
