#include "libs/bots/goals.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>

#include "libs/rules/score.h"

namespace mj::bots {
namespace {

using rules::CalledMeld;
using rules::Hand;
using rules::KindMask;
using rules::MaskOf;
using rules::Melds;
using rules::Units;
using rules::Win;
using rules::WinWay;
using tiles::Suit;
using tiles::Tile;
using tiles::TileCounts;

constexpr std::array kSuits = {Suit::kCharacters, Suit::kDots, Suit::kBamboo};
constexpr KindMask kSuitMask = 0x1FF;
constexpr KindMask kHonourMask = KindMask{0x7F} << 27;
constexpr rules::Shapes kSetsAndPair = {
    .standard = true, .seven_pairs = false, .thirteen_orphans = false};
constexpr rules::Shapes kPairs = {
    .standard = false, .seven_pairs = true, .thirteen_orphans = false};
constexpr rules::Shapes kOrphans = {
    .standard = false, .seven_pairs = false, .thirteen_orphans = true};

KindMask MaskOfSuit(Suit suit) { return kSuitMask << (9 * static_cast<int>(suit)); }

KindMask Outer() {
  KindMask outer = 0;
  for (Tile tile : tiles::kAllKinds) outer |= tile.is_terminal_or_honour() ? MaskOf(tile) : 0;
  return outer;
}

KindMask KindsOf(const tiles::Meld& meld) {
  return (meld.is_chow() ? KindMask{7} : KindMask{1}) << meld.tile.index();
}

// The middle of a suit first: outer tiles make patterns of their own.
constexpr std::array kTripletRanks = {5, 4, 6, 3, 7, 2, 8, 1, 9};
constexpr std::array kSequenceRanks = {3, 5, 2, 6, 4, 7, 1};
// Winds before dragons: a pung of these may count.
constexpr std::array kHonourRanks = {4, 3, 2, 1, 5, 6, 7};

// Makes a hand of one sort that is nothing more than that.
class Example {
 public:
  Example(const Goal& goal, KindMask wall, const Melds& melds) : goal_(goal), wall_(wall) {
    hand_.melds = melds;
    for (const CalledMeld& called : melds) tiles::AddTo(used_, called.meld);
  }

  // Its concealed tiles, the winning one among them; nothing where there is none.
  std::optional<Hand> Make() {
    if (goal_.shapes.seven_pairs) return Pairs();
    if (goal_.shapes.thirteen_orphans) return Orphans();
    bool triplet = false;
    for (const CalledMeld& called : hand_.melds) triplet |= !called.meld.is_chow();
    for (std::size_t sets = hand_.melds.size(); sets < 4; ++sets) {
      const bool sequence = goal_.sets == Sets::kSequences || (goal_.sets == Sets::kAny && triplet);
      triplet = true;
      if (!(sequence ? AddSequence() : AddTriplet())) return std::nullopt;
    }
    if (!AddPair()) return std::nullopt;
    return hand_;
  }

  Tile last() const { return last_; }

 private:
  bool Allowed(Tile tile) const { return (goal_.kinds & wall_ & MaskOf(tile)) != 0; }
  bool Free(Tile tile, int n) const { return Allowed(tile) && used_[tile] + n <= tiles::kCopies; }
  void Take(Tile tile, int n) {
    used_.Add(tile, n);
    hand_.concealed.Add(tile, n);
    last_ = tile;
  }

  // Another suit each time, where there is one.
  Suit NextSuit() { return kSuits[turn_++ % kSuits.size()]; }

  bool AddSequence() {
    for (std::size_t tried = 0; tried < kSuits.size(); ++tried) {
      const Suit suit = NextSuit();
      for (const int rank : kSequenceRanks) {
        const Tile low = Tile::Of(suit, rank);
        if (used_.Has(low)) continue;
        bool free = true;
        for (int i = 0; i < 3; ++i) free &= Free(Tile::At(low.index() + i), 1);
        if (!free) continue;
        for (int i = 0; i < 3; ++i) Take(Tile::At(low.index() + i), 1);
        return true;
      }
    }
    return false;
  }

  bool AddTriplet() {
    for (std::size_t tried = 0; tried < kSuits.size(); ++tried) {
      const Suit suit = NextSuit();
      for (const int rank : kTripletRanks) {
        if (TakeIfFree(Tile::Of(suit, rank), 3)) return true;
      }
    }
    return AddHonours(3);
  }

  bool AddHonours(int n) {
    for (const int rank : kHonourRanks) {
      if (TakeIfFree(Tile::Of(Suit::kHonours, rank), n)) return true;
    }
    return false;
  }

  bool AddPair() {
    // A flush with honours has some; a free hand needs none.
    const bool one_suit = std::popcount(goal_.kinds & wall_ & ~kHonourMask) <= 9;
    if (one_suit && AddHonours(2)) return true;
    for (std::size_t tried = 0; tried < kSuits.size(); ++tried) {
      const Suit suit = NextSuit();
      for (std::size_t i = kTripletRanks.size(); i-- > 0;) {
        if (TakeIfFree(Tile::Of(suit, kTripletRanks[i]), 2)) return true;
      }
    }
    return AddHonours(2);
  }

  bool TakeIfFree(Tile tile, int n) {
    if (used_.Has(tile) || !Free(tile, n)) return false;
    Take(tile, n);
    return true;
  }

  // As far apart as they can be.
  std::optional<Hand> Pairs() {
    if (!hand_.melds.empty()) return std::nullopt;
    const KindMask kinds = goal_.kinds & wall_;
    const int count = std::popcount(kinds);
    if (count < 7) return std::nullopt;
    int at = 0;
    int taken = 0;
    for (Tile tile : tiles::kAllKinds) {
      if ((kinds & MaskOf(tile)) == 0) continue;
      if (taken < 7 && at++ == taken * (count - 1) / 6) {
        Take(tile, 2);
        ++taken;
      }
    }
    return hand_;
  }

  std::optional<Hand> Orphans() {
    const KindMask outer = Outer();
    if (!hand_.melds.empty() || (outer & ~wall_) != 0) return std::nullopt;
    for (Tile tile : tiles::kAllKinds) {
      if ((outer & MaskOf(tile)) != 0) Take(tile, 1);
    }
    Take(last_, 1);
    return hand_;
  }

  const Goal& goal_;
  const KindMask wall_;
  Hand hand_;
  TileCounts used_;
  Tile last_;
  std::size_t turn_ = 0;
};

bool SameShapes(const rules::Shapes& a, const rules::Shapes& b) {
  return a.standard == b.standard && a.seven_pairs == b.seven_pairs &&
         a.thirteen_orphans == b.thirteen_orphans;
}

// Whether whatever makes `narrow` makes `wide` too.
bool Holds(const Goal& wide, const Goal& narrow) {
  return SameShapes(wide.shapes, narrow.shapes) && (narrow.kinds & ~wide.kinds) == 0 &&
         (wide.sets == Sets::kAny || wide.sets == narrow.sets);
}

bool FitsIn(const Goal& goal, const Melds& melds) {
  for (const CalledMeld& called : melds) {
    if ((KindsOf(called.meld) & ~goal.kinds) != 0) return false;
    if (goal.sets == (called.meld.is_chow() ? Sets::kTriplets : Sets::kSequences)) return false;
  }
  return melds.empty() || goal.standard();
}

}  // namespace

Units Brings(const rules::Variant& game, const rules::Options& options, const rules::Deal& deal,
             const Win& win) {
  const rules::Judgement judged = rules::JudgeClaim(game, options, deal, win);
  if (!judged.legal()) return 0;
  rules::Transfers transfers;
  game.PayWin({.win = &win, .deal = &deal, .winners = 1}, judged.worth, options, transfers);
  Units sum = 0;
  for (const rules::Transfer& transfer : transfers) {
    sum += transfer.to == win.seat ? transfer.units : 0;
  }
  return sum;
}

GoalFinder::GoalFinder(const rules::Variant& game, const rules::Options& options)
    : game_(game), options_(options) {
  const TileCounts wall = game.play(options).wall;
  for (Tile tile : tiles::kAllKinds) wall_ |= wall.Has(tile) ? MaskOf(tile) : 0;
  const rules::Shapes shapes = game.shapes(options);
  const auto add = [&](KindMask kinds, Sets sets, rules::Shapes shape, int ease) {
    all_.push_back({.kinds = kinds, .sets = sets, .shapes = shape, .ease = ease});
  };
  // Wider ones first.
  constexpr KindMask kEvery = (KindMask{1} << tiles::kKindCount) - 1;
  add(kEvery, Sets::kAny, kSetsAndPair, 100);
  add(kEvery, Sets::kSequences, kSetsAndPair, 90);
  add(kEvery, Sets::kTriplets, kSetsAndPair, 70);
  if (shapes.seven_pairs) add(kEvery, Sets::kAny, kPairs, 100);
  if (shapes.thirteen_orphans) add(kEvery, Sets::kAny, kOrphans, 100);
  add(Outer(), Sets::kTriplets, kSetsAndPair, 45);
  for (const bool honours : {true, false}) {
    for (Suit suit : kSuits) {
      const KindMask kinds = MaskOfSuit(suit) | (honours ? kHonourMask : 0);
      if (std::popcount(kinds & ~kHonourMask & wall_) < 9) continue;
      add(kinds, Sets::kAny, kSetsAndPair, honours ? 60 : 50);
      add(kinds, Sets::kTriplets, kSetsAndPair, honours ? 50 : 45);
      if (shapes.seven_pairs) add(kinds, Sets::kAny, kPairs, honours ? 60 : 45);
    }
  }
  last_meld_costs_ = AskForLastMeld();
}

Units GoalFinder::AskForLastMeld() const {
  constexpr rules::Seat kGiver = rules::Seat::k0;
  Win win;
  win.seat = rules::Seat::k1;
  for (Tile tile : tiles::kAllKinds) {
    if ((wall_ & MaskOf(tile)) == 0) continue;
    win.tile = tile;
    if (!win.hand.melds.push_back({{tiles::MeldKind::kPung, tile}, kGiver})) break;
  }
  win.hand.concealed.Add(win.tile);
  const rules::PlayRules play = game_.play(options_);
  if (play.kill) win.killed = kGiver;
  rules::Deal deal;
  if (play.winds) {
    deal.round_wind = tiles::kEast;
    deal.seat_winds.emplace(std::array{tiles::kEast, tiles::kSouth, tiles::kWest, tiles::kNorth});
  }
  const rules::Judgement judged = rules::JudgeClaim(game_, options_, deal, win);
  if (!judged.legal()) return 0;
  rules::Transfers transfers;
  game_.PayWin({.win = &win, .deal = &deal, .winners = 1}, judged.worth, options_, transfers);
  if (transfers.size() != 1 || transfers[0].from != kGiver) return 0;
  return transfers[0].units * 2 / 3;
}

bool GoalFinder::Appraise(const rules::Deal& deal, rules::Seat seat, const Melds& melds,
                          Goal& goal) const {
  if (!FitsIn(goal, melds)) return false;
  // Wild tiles stand for others: an example does without.
  const KindMask wall = deal.wild ? wall_ & ~MaskOf(*deal.wild) : wall_;
  Example example(goal, goal.shapes.thirteen_orphans ? wall_ : wall, melds);
  const std::optional<Hand> made = example.Make();
  if (!made) return false;
  Win win;
  win.seat = seat;
  win.hand = *made;
  win.tile = example.last();
  win.hand.concealed.Remove(win.tile);
  goal.self_drawn = Brings(game_, options_, deal, win);
  win.way = WinWay::kDiscard;
  win.from = rules::Before(seat);
  goal.on_discard = Brings(game_, options_, deal, win);
  return goal.self_drawn > 0 || goal.on_discard > 0;
}

Goals GoalFinder::For(const rules::Deal& deal, rules::Seat seat, const Melds& melds) const {
  Goals goals;
  for (const Goal& one : all_) {
    Goal goal = one;
    if (!Appraise(deal, seat, melds, goal)) continue;
    const bool no_better = std::any_of(goals.begin(), goals.end(), [&](const Goal& wide) {
      return Holds(wide, goal) && goal.self_drawn <= wide.self_drawn &&
             goal.on_discard <= wide.on_discard;
    });
    if (!no_better) goals.push_back(goal);
  }
  return goals;
}

Units GoalFinder::UsualOnDiscard(const rules::Deal& deal, rules::Seat seat,
                                 const Melds& melds) const {
  Units least = 0;
  for (const Goal& one : all_) {
    if (!one.standard()) continue;
    Goal goal = one;
    if (!Appraise(deal, seat, melds, goal) || goal.on_discard == 0) continue;
    if (least == 0 || goal.on_discard < least) least = goal.on_discard;
  }
  return least;
}

}  // namespace mj::bots
