#include "libs/variants/shaoguan/shaoguan.h"

#include <algorithm>
#include <array>

#include "libs/rules/payments.h"
#include "libs/variants/shaoguan/tables.h"

namespace mj::variants::shaoguan {

using rules::FinishedRound;
using rules::Options;
using rules::Seat;
using rules::Tile;
using rules::Transfers;
using rules::Units;
using rules::Win;
using rules::WinWay;
using rules::Worth;

namespace {

// SG-20: which position, counted from the dealer, a turned tile belongs to.
int PositionOf(Tile horse) {
  if (horse == tiles::kRed) return 0;
  if (horse == tiles::kGreen) return 1;
  if (horse == tiles::kWhite) return 2;
  return (horse.rank() - 1) % rules::kSeatCount;  // winds E S W N are 1-4 too
}

std::int64_t Hits(const FinishedRound& round, const Win& win) {
  const int position = rules::TurnsBetween(round.deal.dealer, win.seat);
  return std::count_if(round.horses.begin(), round.horses.end(),
                       [&](Tile horse) { return PositionOf(horse) == position; });
}

constexpr std::size_t kChickenRow = 0;

// SG-10: the best of the rows that apply, for every choice of them. The chicken gives way to any
// other of its value; of others the first counts.
constexpr auto kBestOf = [] {
  std::array<std::uint8_t, std::size_t{1} << std::size(kPatterns)> best_of{};
  for (std::size_t rows = 0; rows < best_of.size(); ++rows) {
    std::size_t best = kChickenRow;
    for (std::size_t row = 0; row < std::size(kPatterns); ++row) {
      if ((rows >> row & 1) == 0) continue;
      const bool more = kPatterns[row].value > kPatterns[best].value;
      if (more || best == kChickenRow) best = row;
    }
    best_of[rows] = static_cast<std::uint8_t>(best);
  }
  return best_of;
}();

class Shaoguan final : public rules::Variant {
 public:
  const rules::VariantInfo& info() const override { return kInfo; }
  std::span<const OptionDef> options() const override { return kOptions; }
  std::span<const Pattern> patterns() const override { return kPatterns; }
  std::span<const RuleText> rules() const override { return kRules; }

  rules::Shapes shapes(const Options& options) const override {
    return {.standard = true,
            .seven_pairs = options[kSevenPairs] != kOff,
            .thirteen_orphans = options[kWithCharacters] != 0};
  }

  rules::PlayRules play(const Options& options) const override {
    rules::PlayRules play;
    for (Tile tile : tiles::kAllKinds) {
      const bool characters = tile.suit() == tiles::Suit::kCharacters;
      const bool in_wall = !characters || (options[kWithCharacters] != 0 && tile.is_terminal());
      if (in_wall) play.wall.Add(tile, tiles::kCopies);
    }
    play.feeder_may_not_rob = true;
    play.kill = true;
    play.horses = static_cast<int>(options[kHorses]);
    play.horses_on_robbed_kong = options[kHorsesOnRobbedKong] != 0;
    return play;
  }

  rules::WinFlags FirstTurn(const rules::FirstTurnFacts&, const Options&) const override {
    return {};
  }

  Worth Appraise(const WinQuestion& question, const Reading& reading, const FinishedRound& round,
                 const Options& options) const override {
    Worth worth;
    if (IsPairs(reading) && options[kSevenPairs] != kAll &&
        !rules::IsFullFlush(question, reading)) {
      worth.no_win = rules::NoWin::kNotAWinningShape;  // SG-04
      return worth;
    }
    if (question.win->way == WinWay::kDiscard) {  // SG-02
      worth.no_win = rules::NoWin::kDiscardWinNotAllowed;
      return worth;
    }
    const std::size_t row = kBestOf[rules::CountRows<kPatterns>(question, reading)];
    const Pattern* const best = &kPatterns[row];
    worth.patterns = rules::PatternIds(kPatterns, rules::RowMask{1} << row);
    worth.chicken = row == kChickenRow;
    worth.multiplier = best->value * (options[kSelfDrawDoubles] != 0 ? kSelfDrawFactor : 1);
    worth.horses_hit = Hits(round, *question.win);
    worth.share = worth.multiplier * (1 + worth.horses_hit);
    worth.before_limit = worth.share;
    return worth;
  }

  void PayWin(const WinQuestion& question, const Worth& worth, const Options&,
              Transfers& transfers) const override {
    const Win& win = *question.win;
    const Units all = (rules::kSeatCount - 1) * worth.share;
    if (win.way == WinWay::kRobbedKong) {
      return rules::Owe(transfers, *win.from, win.seat, all, "SG-41");
    }
    if (win.killed) return rules::Owe(transfers, *win.killed, win.seat, all, "SG-43");
    if (win.kong_feeder) return rules::Owe(transfers, *win.kong_feeder, win.seat, all, "SG-42");
    rules::OweByAll(transfers, win.seat, worth.share,
                    win.flags.kong_replacement ? "SG-42" : "SG-40");
  }

  // SG-31: on an exhausted wall too.
  void PayKongs(const FinishedRound& round, const Options&, Transfers& transfers) const override {
    rules::OweKongs(round,
                    {.discard = kDiscardKong, .added = kAddedKong, .concealed = kConcealedKong},
                    "SG-30", transfers);
  }

  // The winner deals next; of several robbers the first after the kong's owner (D-SG-1).
  rules::NextDeal Next(const FinishedRound& round) const override {
    rules::NextDeal next{.dealer = round.deal.dealer, .round_wind = {}};
    if (round.end == rules::RoundEnd::kExhausted || round.wins.empty()) return next;
    const Win* first = round.wins.begin();
    for (const Win& win : round.wins) {
      const Seat owner = win.from.value_or(win.seat);
      if (rules::TurnsBetween(owner, win.seat) < rules::TurnsBetween(owner, first->seat)) {
        first = &win;
      }
    }
    next.dealer = first->seat;
    return next;
  }
};

}  // namespace

const rules::Variant& Game() {
  static const Shaoguan game;
  return game;
}

}  // namespace mj::variants::shaoguan
