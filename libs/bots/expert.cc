#include "libs/bots/expert.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "libs/bots/mix.h"
#include "libs/rules/score.h"

namespace mj::bots {
namespace {

using round::Choice;
using round::TileSet;
using rules::Hand;
using rules::KindMask;
using rules::MaskOf;
using rules::MeldKind;
using rules::Seat;
using rules::Units;
using rules::WinWay;
using tiles::Tile;
using tiles::TileCounts;

// A chance, in millionths; those that come again are of one turn of the table: an own draw and three
// throws of others.
using Chance = std::int64_t;
constexpr Chance kOne = 1'000'000;
constexpr Chance kThousandth = 1'000;

constexpr int kFarthest = 9;  // what misses more is no aim

// How tiles come, in quarters of an own draw.
constexpr int kByDraw = 4, kByPung = 6, kByChow = 2, kByWin = 7;

// The chance to come one tile nearer, in thousandths, by how many are missing: of a hand that may call,
// and of pairs, which may not. Less than what useful tiles alone would make it: not every step leaves as
// good a hand. The last step is for wins on another's tile; by self-draw alone it is less.
constexpr std::array<Chance, kFarthest + 1> kNearer = {0,   170, 110, 149, 187,
                                                       220, 242, 259, 275, 275};
constexpr std::array<Chance, kFarthest + 1> kNearerPairs = {0,   100, 60,  94,  127,
                                                            160, 187, 209, 220, 220};
constexpr Chance kLastByDraw = 75;
constexpr Chance kLastByDrawPairs = 40;

// How the round comes to its end by others: nobody wins in its first turns, then it gets likelier with
// each one. In thousandths a turn; faster where discards may be won on.
constexpr int kQuietTurns = 3, kRisingTurns = 9;
constexpr Chance kRiseOnDiscards = 25, kRiseByDraw = 18;
constexpr std::size_t kMostTurns = 20;

// The chance of a usual hand for the goal to make its `steps`-th last step, in one turn.
Chance ChanceOf(const Goal& goal, std::size_t steps) {
  const bool calls = goal.standard();
  if (steps == 1 && goal.on_discard == 0) {
    return (calls ? kLastByDraw : kLastByDrawPairs) * kThousandth;
  }
  const Chance usual = (calls ? kNearer : kNearerPairs)[steps];
  return usual * kThousandth * (steps == 1 ? 100 : goal.ease) / 100;
}

TileCounts Of(const TileCounts& counts, KindMask kinds) {
  TileCounts own;
  for (Tile tile : tiles::kAllKinds) {
    if ((kinds & MaskOf(tile)) != 0 && counts.Has(tile)) own.Add(tile, counts[tile]);
  }
  return own;
}

}  // namespace

struct Expert::Scene {
  Scene(const Sight& seen, const Dangers& feared, const Goals& aims)
      : sight(seen), dangers(feared), goals(aims) {}

  const Sight& sight;
  const Dangers& dangers;
  Goals goals;  // with the melds that lie then
  std::int64_t unseen = 1;

  // Turns that are still to come, at most, and for each of them that nobody else ends the round in it.
  std::size_t turns = 0;
  std::array<Chance, kMostTurns> lasts;
  // By goal, steps and turn: that so many steps are made from that turn on, each with its usual chance.
  using Reach = std::array<std::array<std::int32_t, kMostTurns + 1>, kFarthest + 1>;
  std::array<Reach, kMostGoals> reach;  // filled as far as there are goals and turns

  // That what comes with the chance `each` a turn comes, and what it leads to with the chance
  // `then(turn)`.
  template <typename Then>
  Chance Comes(Chance each, Then&& then) const {
    Chance comes = 0;
    Chance open = kOne;  // it has not come, and the round goes on
    for (std::size_t turn = 0; turn < turns; ++turn) {
      open = open * lasts[turn] / kOne;
      comes += open * each / kOne * then(turn + 1) / kOne;
      open = open * (kOne - each) / kOne;
    }
    return comes;
  }
};

Expert::Expert(const rules::Variant& game, const rules::Options& options, std::uint64_t seed,
               Distances& distances)
    : game_(game),
      options_(options),
      play_(game.play(options)),
      shapes_(game.shapes(options)),
      seed_(seed),
      distances_(distances),
      goals_(game, options) {}

Expert::Scene Expert::At(const Sight& sight, const Dangers& dangers,
                         const rules::Melds& melds) const {
  Scene scene(sight, dangers, goals_.For(sight.view.deal, sight.seat, melds));
  const KindMask wild = sight.view.deal.wild ? MaskOf(*sight.view.deal.wild) : 0;
  for (Goal& goal : scene.goals) goal.kinds |= wild;
  scene.unseen = std::max(1, sight.unseen.total());
  int turn = 0;  // how often it has thrown
  for (const round::Thrown& thrown : sight.view.river) turn += thrown.seat == sight.seat ? 1 : 0;
  const bool on_discards =
      std::any_of(scene.goals.begin(), scene.goals.end(), [](const Goal& goal) {
        return goal.sets != Sets::kTriplets && goal.on_discard > 0 && goal.ease >= 90;
      });
  const Chance rise = on_discards ? kRiseOnDiscards : kRiseByDraw;
  scene.turns =
      std::min<std::size_t>(kMostTurns, sight.view.left / std::size_t{rules::kSeatCount} + 1);
  for (std::size_t i = 0; i < scene.turns; ++i, ++turn) {
    const Chance ends = std::clamp<Chance>(turn - kQuietTurns, 0, kRisingTurns) * rise;
    scene.lasts[i] = kOne - ends * kThousandth;
  }
  for (std::size_t i = 0; i < scene.goals.size(); ++i) {
    const Goal& goal = scene.goals[i];
    Scene::Reach& reach = scene.reach[i];
    reach[0].fill(static_cast<std::int32_t>(kOne));
    for (std::size_t steps = 1; steps < reach.size(); ++steps) {
      const Chance each = ChanceOf(goal, steps);
      reach[steps][scene.turns] = 0;
      for (std::size_t at = scene.turns; at-- > 0;) {
        const Chance made = each * reach[steps - 1][at + 1] + (kOne - each) * reach[steps][at + 1];
        reach[steps][at] = static_cast<std::int32_t>(made / kOne * scene.lasts[at] / kOne);
      }
    }
  }
  return scene;
}

Choice Expert::Choose(const Sight& sight) {
  const Dangers dangers(sight, goals_);
  const Scene scene = At(sight, dangers, sight.hand.melds);
  return sight.offer.pass ? OnClaim(scene) : OnTurn(scene);
}

Choice Expert::OnTurn(const Scene& scene) {
  const Sight& sight = scene.sight;
  auto [discard, best] = BestDiscard(scene, sight.hand, sight.offer.discards);
  Choice choice = Choice::Discard(discard);
  const auto consider = [&](const Choice& kong, const Hand& after, MeldKind kind, Tile tile) {
    const Scene then = At(sight, scene.dangers, after.melds);
    const Expected value = Resting(then, after) + KongPays(scene, kind, tile, sight.seat);
    if (value < best) return;
    best = value;
    choice = kong;
  };
  for (Tile tile : sight.offer.concealed_kongs) {
    consider(Choice::ConcealedKong(tile),
             WithMeld(Without(sight.hand, tile, tiles::kCopies), MeldKind::kConcealedKong, tile,
                      sight.seat),
             MeldKind::kConcealedKong, tile);
  }
  for (Tile tile : sight.offer.added_kongs) {
    consider(Choice::AddedKong(tile), Without(sight.hand, tile), MeldKind::kAddedKong, tile);
  }
  return choice;
}

Choice Expert::OnClaim(const Scene& scene) {
  const Sight& sight = scene.sight;
  if (!sight.offer.tile) return Choice::Pass();
  const Tile tile = *sight.offer.tile;
  const Seat from = sight.view.actor.value_or(sight.seat);
  Expected best = Resting(scene, sight.hand);
  Choice choice = Choice::Pass();
  const auto take = [&](const Choice& call, Expected value) {
    if (value <= best) return;
    best = value;
    choice = call;
  };
  if (sight.offer.discard_kong) {
    const Hand konged = WithMeld(Without(sight.hand, tile, 3), MeldKind::kDiscardKong, tile, from);
    take(Choice::DiscardKong(tile), Resting(At(sight, scene.dangers, konged.melds), konged) +
                                        KongPays(scene, MeldKind::kDiscardKong, tile, from));
  }
  const auto call = [&](const Choice& called, const Hand& hand) {
    const Scene then = At(sight, scene.dangers, hand.melds);
    take(called, BestDiscard(then, hand, KindsOf(hand)).second);
  };
  if (sight.offer.pung) {
    call(Choice::Pung(), WithMeld(Without(sight.hand, tile, 2), MeldKind::kPung, tile, from));
  }
  for (const round::Offer::Chow& chow : sight.offer.chows) {
    call(Choice::Chow(chow.low, chow.high),
         WithMeld(Without(Without(sight.hand, chow.low), chow.high), MeldKind::kChow,
                  std::min(tile, chow.low), from));
  }
  return choice;
}

Expected Expert::KongPays(const Scene& scene, MeldKind kind, Tile tile, Seat from) const {
  const Seat seat = scene.sight.seat;
  rules::FinishedRound round;
  round.deal = scene.sight.view.deal;
  round.kongs.push_back(
      {.seat = seat,
       .kind = kind,
       .tile = tile,
       .from = kind == MeldKind::kDiscardKong ? std::optional(from) : std::nullopt,
       .paid_by = std::nullopt});
  rules::Transfers transfers;
  game_.PayKongs(round, options_, transfers);
  Units sum = 0;
  for (const rules::Transfer& transfer : transfers) {
    sum += transfer.to == seat ? transfer.units : 0;
  }
  // A wall that runs out may pay none.
  return kExpectedUnit * sum * 4 / 5;
}

Expected Expert::Waiting(const Scene& scene, const Hand& hand, const Nearby& around) {
  std::int64_t weight = 0;
  std::int64_t brings = 0;
  rules::Win win;
  win.seat = scene.sight.seat;
  win.hand = hand;
  for (Tile tile : tiles::kAllKinds) {
    const int unseen = scene.sight.unseen[tile];
    if (unseen == 0 || around.With(tile) > 0) continue;
    win.tile = tile;
    win.way = WinWay::kSelfDraw;
    win.from.reset();
    const Units drawn = Brings(game_, options_, scene.sight.view.deal, win);
    win.way = WinWay::kDiscard;
    win.from = rules::Before(win.seat);
    const Units thrown = Brings(game_, options_, scene.sight.view.deal, win);
    weight += unseen * ((drawn > 0 ? kByDraw : 0) + (thrown > 0 ? kByWin : 0));
    brings += unseen * (kByDraw * drawn + kByWin * thrown);
  }
  if (weight == 0) return 0;
  const Chance each = weight * kOne / (kByDraw * scene.unseen);
  const Chance wins = scene.Comes(std::min(kOne, each), [](std::size_t) { return kOne; });
  return kExpectedUnit * brings / weight * wins / kOne;
}

Expected Expert::Value(const Scene& scene, std::size_t at, const Hand& hand, const TileCounts& own,
                       const Nearby& around, int missing) {
  if (missing > kFarthest) return 0;
  if (missing <= 1) return Waiting(scene, hand, around);
  const Goal& goal = scene.goals[at];
  const bool calls = goal.standard();
  std::int64_t useful = 0;
  for (Tile tile : tiles::kAllKinds) {
    const int unseen = scene.sight.unseen[tile];
    if (unseen == 0 || (goal.kinds & MaskOf(tile)) == 0) continue;
    if (around.With(tile) >= missing) continue;
    int ways = kByDraw;
    if (calls && tile != scene.sight.view.deal.wild) {
      if (goal.sets != Sets::kSequences && own.Has(tile, 2)) ways += kByPung;
      if (goal.sets != Sets::kTriplets && play_.chow && !tile.is_honour()) ways += kByChow;
    }
    useful += unseen * ways;
  }
  // The first step by what is left, the others by what is usual.
  const Chance first = std::min(kOne, useful * kOne / (kByDraw * scene.unseen));
  const auto& then = scene.reach[at][static_cast<std::size_t>(missing - 1)];
  const Chance chance = scene.Comes(first, [&](std::size_t turn) { return then[turn]; });
  const Expected brings =
      goal.on_discard > 0 ? kExpectedUnit * (kByDraw * goal.self_drawn + kByWin * goal.on_discard) /
                                (kByDraw + kByWin)
                          : kExpectedUnit * goal.self_drawn;
  return brings * chance / kOne;
}

Expected Expert::Resting(const Scene& scene, const Hand& hand) {
  const int melds = static_cast<int>(hand.melds.size());
  const auto wild = scene.sight.view.deal.wild;
  Expected best = 0;
  Expected all = 0;
  const auto add = [&](Expected value) {
    best = std::max(best, value);
    all += value;
  };
  const Nearby whole(distances_, hand.concealed, melds, wild, shapes_);
  if (whole.Missing() <= 1) add(Waiting(scene, hand, whole));
  for (std::size_t goal_at = 0; goal_at < scene.goals.size(); ++goal_at) {
    const Goal& goal = scene.goals[goal_at];
    const TileCounts own = Of(hand.concealed, goal.kinds);
    const Nearby around(distances_, own, melds, wild, goal.shapes, goal.sets);
    const int missing = around.Missing();
    if (missing <= 1 && whole.Missing() <= 1) continue;
    add(Value(scene, goal_at, hand, own, around, missing));
  }
  return best + (all - best) / 8;
}

std::pair<Tile, Expected> Expert::BestDiscard(const Scene& scene, const Hand& hand,
                                              TileSet discards) {
  const int melds = static_cast<int>(hand.melds.size());
  const auto wild = scene.sight.view.deal.wild;
  std::array<Expected, tiles::kKindCount> best{};
  std::array<Expected, tiles::kKindCount> all{};
  const auto add = [&](Tile tile, Expected value) {
    const auto at = static_cast<std::size_t>(tile.index());
    best[at] = std::max(best[at], value);
    all[at] += value;
  };

  std::array<bool, tiles::kKindCount> waits{};
  const Nearby whole(distances_, hand.concealed, melds, wild, shapes_);
  for (Tile tile : discards) {
    if (whole.Without(tile) > 1) continue;
    waits[static_cast<std::size_t>(tile.index())] = true;
    const Hand rest = Without(hand, tile);
    add(tile, Waiting(scene, rest, Nearby(distances_, rest.concealed, melds, wild, shapes_)));
  }
  for (std::size_t goal_at = 0; goal_at < scene.goals.size(); ++goal_at) {
    const Goal& goal = scene.goals[goal_at];
    const TileCounts own = Of(hand.concealed, goal.kinds);
    const Nearby around(distances_, own, melds, wild, goal.shapes, goal.sets);
    int least = kFarthest + 1;
    std::array<int, tiles::kKindCount> missing{};
    for (Tile tile : discards) {
      int& after = missing[static_cast<std::size_t>(tile.index())];
      after = own.Has(tile) ? around.Without(tile) : around.Missing();
      least = std::min(least, after);
    }
    if (least > kFarthest) continue;
    Expected of_strangers = -1;  // all that are not of the goal's kinds leave the same
    for (Tile tile : discards) {
      const auto at = static_cast<std::size_t>(tile.index());
      if (missing[at] > least + 1 || (missing[at] <= 1 && waits[at])) continue;
      if (!own.Has(tile)) {
        if (of_strangers < 0 || missing[at] <= 1) {
          of_strangers = Value(scene, goal_at, Without(hand, tile), own, around, missing[at]);
        }
        add(tile, of_strangers);
        continue;
      }
      TileCounts rest = own;
      rest.Remove(tile);
      add(tile, Value(scene, goal_at, Without(hand, tile), rest,
                      Nearby(distances_, rest, melds, wild, goal.shapes, goal.sets), missing[at]));
    }
  }

  Tile thrown;
  Expected most = 0;
  std::uint64_t most_mix = 0;
  bool any = false;
  for (Tile tile : discards) {
    const auto at = static_cast<std::size_t>(tile.index());
    const Expected value = best[at] + (all[at] - best[at]) / 8 - scene.dangers.Of(tile);
    const std::uint64_t mix = Mix(
        seed_ ^ Mix(scene.sight.view.ask->decision * 64u + static_cast<unsigned>(tile.index())));
    if (any && (value < most || (value == most && mix < most_mix))) continue;
    any = true;
    thrown = tile;
    most = value;
    most_mix = mix;
  }
  return {thrown, most};
}

}  // namespace mj::bots
