#include "libs/rules/waits.h"

#include <algorithm>
#include <array>
#include <bit>

#include "libs/rules/natural_readings.h"
#include "libs/rules/reading_parts.h"

namespace mj::rules {
namespace {

using internal::HandKeys;
using internal::SuitForm;
using internal::SuitTable;

// Sets and a pair: one suit gets the tile, and is right with it if the others are right already.
// `full` has the kinds of which there are four, and none can be added to a key.
KindMask StandardWaits(const HandKeys& keys, KindMask full) {
  const SuitTable& table = SuitTable::Get();
  const std::uint32_t sum = table.SumOfKinds(keys);
  // One tile mends one suit: the usual case, left early.
  if (sum > SuitTable::kNeither + SuitTable::kSetsAndPair) return 0;
  KindMask waits = 0;
  for (int suit = 0; suit < internal::kSuits; ++suit) {
    const std::uint32_t others = sum - table.KindOf(keys[suit]);
    if (others > SuitTable::kSetsAndPair) continue;
    const SuitForm& form = suit < 3 ? internal::kNumberSuit : internal::kHonourSuit;
    for (int rank = 0; rank < form.ranks; ++rank) {
      const Tile tile = Tile::At(9 * suit + rank);
      if ((full & MaskOf(tile)) != 0) continue;
      const std::uint32_t with = keys[suit] + internal::KeyWeight(form, rank);
      if (others + table.KindOf(with) == SuitTable::kSetsAndPair) waits |= MaskOf(tile);
    }
  }
  return waits;
}

KindMask OrphanWaits(const TileCounts& concealed) {
  const KindMask kinds = internal::KindsOf(concealed);
  if ((kinds & ~internal::kOrphanKinds) != 0) return 0;
  const int missing = std::popcount(internal::kOrphanKinds & ~kinds);
  if (missing == 0) return internal::kOrphanKinds;
  return missing == 1 ? internal::kOrphanKinds & ~kinds : 0;
}

// With wild tiles, or more than four alike: every kind is tried.
KindMask WaitsByTrying(const TileCounts& concealed, const Melds& melds, std::optional<Tile> wild,
                       Shapes shapes) {
  KindMask waits = 0;
  TileCounts whole = concealed;
  for (Tile tile : tiles::kAllKinds) {
    if (concealed[tile] >= tiles::kCopies) continue;
    whole.Add(tile);
    if (IsWin(whole, melds, wild, shapes)) waits |= MaskOf(tile);
    whole.Remove(tile);
  }
  return waits;
}

int Held(const Hand& hand, Tile tile) {
  int held = hand.concealed[tile];
  for (const CalledMeld& called : hand.melds) {
    const Meld& meld = called.meld;
    const int above = tile.index() - meld.tile.index();
    if (meld.is_chow()) {
      held += above >= 0 && above < 3 ? 1 : 0;
    } else if (above == 0) {
      held += meld.size();
    }
  }
  return held;
}

void TakeBetter(std::optional<Judgement>& best, const Reading& reading, const Worth& worth) {
  if (worth.no_win || (best && !Beats(worth, best->worth))) return;
  best = Judgement{.reading = reading, .worth = worth};
}

}  // namespace

KindMask KindsWaitedFor(const TileCounts& concealed, const Melds& melds, std::optional<Tile> wild,
                        Shapes shapes) {
  const HandKeys keys(concealed);
  if (wild || !keys.valid()) return WaitsByTrying(concealed, melds, wild, shapes);
  const KindMask full = internal::FourKinds(concealed);
  KindMask waits = shapes.standard ? StandardWaits(keys, full) : 0;
  if (melds.empty() && shapes.seven_pairs) {
    const KindMask odd = internal::OddKinds(concealed);
    if (std::has_single_bit(odd)) waits |= odd;
  }
  if (melds.empty() && shapes.thirteen_orphans && !keys.has_middle()) {
    waits |= OrphanWaits(concealed);
  }
  return waits & ~full;
}

WaitFinder::WaitFinder(const Variant& variant, const Options& options, const Deal& deal)
    : variant_(variant),
      options_(options),
      shapes_(variant.shapes(options)),
      wall_(variant.play(options).wall) {
  round_.deal = deal;
}

void WaitFinder::Find(Seat seat, const Hand& hand, const TileCounts& seen, WaitSink& sink) const {
  const std::optional<Tile> wild = round_.deal.wild;
  KindMask waits = KindsWaitedFor(hand.concealed, hand.melds, wild, shapes_);
  if (waits == 0) return;
  Win win;
  win.seat = seat;
  win.hand = hand;
  for (; waits != 0; waits &= waits - 1) {
    win.tile = Tile::At(std::countr_zero(waits));
    const int left = wall_[win.tile] - Held(hand, win.tile);
    if (left <= 0) continue;
    Wait wait;
    wait.tile = win.tile;
    wait.unseen = std::max(0, left - seen[win.tile]);
    internal::ForEachReadingWith(hand.concealed, win.tile, hand.melds, wild, shapes_,
                                 [&](const Reading& reading) { Appraise(win, reading, wait); });
    sink.Take(wait);
  }
}

// One reading serves all three ways of winning.
void WaitFinder::Appraise(Win& win, const Reading& reading, Wait& wait) const {
  const WinQuestion question{.win = &win, .deal = &round_.deal, .winners = 1};
  const auto appraise = [&](WinWay way, std::optional<Judgement>& best) {
    win.way = way;
    win.from = way == WinWay::kSelfDraw ? std::nullopt : std::optional(Before(win.seat));
    TakeBetter(best, reading, variant_.Appraise(question, reading, round_, options_));
  };
  appraise(WinWay::kSelfDraw, wait.by_self_draw);
  appraise(WinWay::kDiscard, wait.by_discard);
  appraise(WinWay::kRobbedKong, wait.by_robbed_kong);
}

}  // namespace mj::rules
