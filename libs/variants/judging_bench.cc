// Rows P2 and P3: complete evaluation of a win, and the waits of a hand with what they are worth,
// in every game.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "libs/rules/claims_testing.h"
#include "libs/rules/hands_testing.h"
#include "libs/rules/plain_testing.h"
#include "libs/rules/score.h"
#include "libs/rules/waits.h"
#include "libs/variants/registry.h"

namespace mj::variants {
namespace {

using benchmark::State;
using rules::Win;
using rules::WinQuestion;

// Enough that no branch predictor learns them by heart; with wild tiles each takes longer.
constexpr std::int64_t kItems = 200'000;
constexpr std::int64_t kItemsWithWild = 20'000;
constexpr int kWildTiles = 2;

// A game with options, a round in it, and what is run over, made when it is first asked for.
class Setting {
 public:
  Setting(const rules::Variant& the_game, const std::map<std::string, std::string>& texts)
      : game(the_game),
        options(std::get<rules::Options>(rules::ParseOptions(game.options(), texts))),
        play(game.play(options)),
        round(rules::ClaimRunner(game, options).round()) {}

  const rules::Variant& game;
  const rules::Options options;
  const rules::PlayRules play;
  const rules::FinishedRound round;

  // Wins in this game; with `wild` wild tiles in each.
  const std::vector<Win>& Wins(int wild) {
    auto& wins = wins_[wild];
    if (!wins.empty()) return wins;
    rules::ClaimRunner runner(game, options);
    const auto count = wild > 0 ? kItemsWithWild : kItems;
    for (const auto& claim : rules::WinningClaims(2, count, game, options, wild)) {
      runner.Set(claim);
      wins.push_back(*runner.question().win);
    }
    return wins;
  }

  // Thirteen tiles each, of hands of which half were wins.
  const std::vector<rules::Hand>& Hands() {
    if (!hands_.empty()) return hands_;
    testing::Random random(3);
    for (const rules::TileCounts& tiles :
         rules::MixedHands(4, kItems, play.wall, game.shapes(options))) {
      rules::Hand hand{.concealed = tiles, .melds = {}};
      rules::Tile tile;
      do {
        tile = rules::Tile::At(random.Below(tiles::kKindCount));
      } while (!tiles.Has(tile));
      hand.concealed.Remove(tile);
      hands_.push_back(hand);
    }
    return hands_;
  }

 private:
  std::map<int, std::vector<Win>> wins_;
  std::vector<rules::Hand> hands_;
};

// A part of the items at a time is brought into the cache, unmeasured: it is not the memory's
// speed that is asked for.
template <typename Item, typename Run>
void OverAll(State& state, const std::vector<Item>& items, Run&& run) {
  static std::array<Item, 2'000> part;
  for (auto _ : state) {
    std::int64_t sum = 0;
    for (std::size_t first = 0; first < items.size(); first += part.size()) {
      state.PauseTiming();
      std::copy_n(items.begin() + static_cast<std::ptrdiff_t>(first), part.size(), part.begin());
      state.ResumeTiming();
      for (const Item& item : part) sum += run(item);
    }
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(items.size()));
}

std::int64_t Value(const rules::Worth& worth) {
  return worth.share + static_cast<std::int64_t>(worth.patterns.size());
}

void Judging(State& state, Setting& setting, int wild) {
  OverAll(state, setting.Wins(wild), [&](const Win& win) {
    const WinQuestion question{.win = &win, .deal = &setting.round.deal, .winners = 1};
    return Value(rules::Judge(setting.game, setting.options, setting.round, question).worth);
  });
}

// Whether the same hands, without wild tiles, win at all.
void PlainIsWin(State& state, Setting& setting) {
  const rules::Shapes shapes = setting.game.shapes(setting.options);
  OverAll(state, setting.Wins(0), [&](const Win& win) {
    rules::TileCounts whole = win.hand.concealed;
    whole.Add(win.tile);
    return rules::plain::IsWin(whole, 0, shapes);
  });
}

void Waits(State& state, Setting& setting) {
  const rules::WaitFinder finder(setting.game, setting.options, setting.round.deal);
  OverAll(state, setting.Hands(), [&](const rules::Hand& hand) {
    std::int64_t sum = 0;
    finder.ForEach(rules::Seat::k1, hand, {}, [&](const rules::Wait& wait) {
      for (const auto* judged : {&wait.by_self_draw, &wait.by_discard, &wait.by_robbed_kong}) {
        if (*judged) sum += Value((*judged)->worth);
      }
    });
    return sum;
  });
}

// Every kind tried with the fast is-win, and one evaluation, of a self-draw, for each that wins.
void WaitsByTrying(State& state, Setting& setting) {
  const rules::Shapes shapes = setting.game.shapes(setting.options);
  Win win;
  win.seat = rules::Seat::k1;
  const WinQuestion question{.win = &win, .deal = &setting.round.deal, .winners = 1};
  OverAll(state, setting.Hands(), [&](const rules::Hand& hand) {
    std::int64_t sum = 0;
    rules::TileCounts whole = hand.concealed;
    for (rules::Tile tile : tiles::kAllKinds) {
      if (whole[tile] >= setting.play.wall[tile]) continue;
      whole.Add(tile);
      if (rules::IsWin(whole, hand.melds, {}, shapes)) {
        win.hand = hand;
        win.tile = tile;
        sum += Value(rules::Judge(setting.game, setting.options, setting.round, question).worth);
      }
      whole.Remove(tile);
    }
    return sum;
  });
}

using Runner = void (*)(State&, Setting&);

void Compare(const std::string& name, Setting& setting, benchmark::Counter target, Runner ours,
             Runner reference) {
  const auto add = [&](const std::string& which, auto run) {
    benchmark::RegisterBenchmark((name + which).c_str(), run)->Unit(benchmark::kMillisecond);
  };
  add("/ours", [=, &setting](State& state) {
    ours(state, setting);
    state.counters["target"] = target;
  });
  add("/reference", [=, &setting](State& state) { reference(state, setting); });
}

// Settings, and benchmarks that use them, for every game.
std::vector<Setting*> RegisterAll() {
  std::vector<Setting*> settings;
  const auto add = [&](const rules::Variant& game, std::map<std::string, std::string> texts) {
    settings.push_back(new Setting(game, texts));
    return settings.back();
  };
  for (const rules::Variant* game : All()) {
    const std::string id(game->info().id);
    Setting& setting = *add(*game, {});
    Compare("P2/" + id, setting, 2, [](State& s, Setting& of) { Judging(s, of, 0); }, PlainIsWin);
    Compare("P3/" + id, setting, 1.5, Waits, WaitsByTrying);
    for (const rules::OptionDef& option : game->options()) {
      if (option.name != "wild") continue;
      Compare(
          "P2/" + id + "/wild", *add(*game, {{"wild", "white"}}), 0.1,
          [](State& s, Setting& of) { Judging(s, of, kWildTiles); }, PlainIsWin);
    }
  }
  return settings;
}

[[maybe_unused]] const std::vector<Setting*> kSettings = RegisterAll();

}  // namespace
}  // namespace mj::variants
