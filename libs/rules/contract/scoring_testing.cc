#include "libs/rules/contract/scoring_testing.h"

#include <algorithm>
#include <map>
#include <utility>
#include <variant>
#include <vector>

#include "libs/bots/bot.h"
#include "libs/round/random_testing.h"
#include "libs/rules/score.h"

namespace mj::rules::contract {
namespace {

using Texts = std::map<std::string, std::string>;

bool IsRefused(const Variant& game, const std::string& name, const std::string& text) {
  const auto parsed = ParseOptions(game.options(), {{name, text}});
  const auto* refusal = std::get_if<OptionRefusal>(&parsed);
  return refusal != nullptr && refusal->name == name;
}

std::string CheckOption(const Variant& game, const OptionDef& def) {
  const std::string name(def.name);
  std::vector<std::string> bad = {"", " ", "maybe", "1.5", "9223372036854775808"};
  std::int64_t low = 0;
  std::int64_t high = 1;
  if (def.type == OptionType::kNumber) {
    low = def.min;
    high = def.max;
    bad.push_back(std::to_string(low - 1));
    bad.push_back(std::to_string(high + 1));
  } else if (def.type == OptionType::kChoice) {
    high = static_cast<std::int64_t>(def.choices.size()) - 1;
  }
  if (def.fallback < low || def.fallback > high) return name + ": the default is out of range";
  for (const std::string& text : bad) {
    if (!IsRefused(game, name, text)) return name + ": takes \"" + text + "\"";
  }
  for (std::int64_t value = low; value <= std::min(high, low + 1000); ++value) {
    const Texts texts = {{name, OptionText(def, value)}};
    const auto parsed = ParseOptions(game.options(), texts);
    const auto* options = std::get_if<Options>(&parsed);
    if (options == nullptr) return name + ": refuses " + texts.at(name);
    const Texts all = ToTexts(game.options(), *options, true);
    if (all.size() != game.options().size() || all.at(name) != texts.at(name)) {
      return name + ": does not write back " + texts.at(name);
    }
    if (ToTexts(game.options(), *options, false).contains(name) == (value == def.fallback)) {
      return name + ": is written as differing from its default, or is not";
    }
    const auto again = ParseOptions(game.options(), all);
    if (!std::holds_alternative<Options>(again) || !(std::get<Options>(again) == *options)) {
      return name + ": does not read back";
    }
  }
  return {};
}

bool SameWorth(const Worth& a, const Worth& b) {
  return a.no_win == b.no_win && a.patterns == b.patterns && a.fan == b.fan &&
         a.multiplier == b.multiplier && a.share == b.share;
}

std::string CheckClaim(const Variant& game, const Options& options, const Deal& deal,
                       const Win& win) {
  FinishedRound round;
  round.deal = deal;
  round.wins.push_back(win);
  const auto judge = [&](const Win& claim, int winners) {
    return Judge(game, options, round, {.win = &claim, .deal = &round.deal, .winners = winners});
  };
  const Judgement alone = judge(win, 1);
  for (int winners = 2; winners <= kMaxWins; ++winners) {
    if (judge(win, winners).worth.no_win != alone.worth.no_win) {
      return "whether a hand may win hangs on the number of winners";
    }
  }
  Win turned = win;
  std::reverse(turned.hand.melds.begin(), turned.hand.melds.end());
  if (!SameWorth(judge(turned, 1).worth, alone.worth)) {
    return "what a hand is worth hangs on the order of its melds";
  }
  return {};
}

// The hand of a seat that is not on its turn, with each tile, in each way.
std::string CheckHand(const Variant& game, const round::Setup& setup, const round::State& state,
                      Seat seat, Tile tile) {
  Win win;
  win.seat = seat;
  win.hand = state.seats[seat].hand;
  win.tile = tile;
  for (const WinWay way : {WinWay::kSelfDraw, WinWay::kDiscard, WinWay::kRobbedKong}) {
    win.way = way;
    win.from = way == WinWay::kSelfDraw ? std::nullopt : std::optional(Before(seat));
    std::string fault = CheckClaim(game, setup.options(), state.deal, win);
    if (!fault.empty()) return fault;
  }
  return {};
}

}  // namespace

std::string CheckOptions(const Variant& game) {
  for (const OptionDef& def : game.options()) {
    std::string fault = CheckOption(game, def);
    if (!fault.empty()) return fault;
  }
  if (!IsRefused(game, "no_such_option", "true")) return "takes an option that it does not have";
  const auto none = ParseOptions(game.options(), {});
  if (!std::holds_alternative<Options>(none) ||
      !(std::get<Options>(none) == DefaultOptions(game.options()))) {
    return "options that are not named do not have their defaults";
  }
  return {};
}

std::string CheckJudgements(const Variant& game, std::int64_t count, std::uint64_t seed) {
  bots::Distances distances;
  std::int64_t wins = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint64_t own = seed + static_cast<std::uint64_t>(i);
    testing::Random random(own);
    const Options options = round::RandomOptions(game, random);
    const round::Setup setup = round::RandomSetup(game, options, random);
    bots::Bot bot(game, options, random.Next(), distances);
    std::string fault;
    round::State state;
    // Bots come close to winning, so that some of these hands do.
    const auto choose = [&](const round::State& now, Seat seat, const round::Offer&) {
      const Seat other = After(seat);
      const rules::Hand& hand = now.seats[other].hand;
      if (fault.empty() && hand.concealed.total() == hand.resting_tiles()) {
        fault = CheckHand(game, setup, now, other, Tile::At(random.Below(tiles::kKindCount)));
      }
      return bot.Choose(Project(setup, now, seat));
    };
    if (!round::PlayOut(setup, state, random, choose, nullptr, 1000)) return "no end";
    for (const Win& win : state.wins) {
      ++wins;
      if (fault.empty()) fault = CheckClaim(game, options, state.deal, win);
    }
    if (!fault.empty()) return "seed " + std::to_string(own) + ": " + fault;
  }
  if (wins == 0) return "no hand won: nothing was looked at";
  return {};
}

}  // namespace mj::rules::contract
