#include "libs/rules/waits.h"

#include <algorithm>
#include <bit>

#include "libs/rules/completing.h"
#include "libs/rules/natural_readings.h"

namespace mj::rules {
namespace {

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
  KindMask waits = 0;
  TileCounts whole = concealed;
  for (KindMask left = CompletingKinds(concealed, melds, wild, shapes); left != 0;
       left &= left - 1) {
    const Tile tile = Tile::At(std::countr_zero(left));
    if (concealed.Has(tile, tiles::kCopies)) continue;
    whole.Add(tile);
    if (IsWin(whole, melds, wild, shapes)) waits |= MaskOf(tile);
    whole.Remove(tile);
  }
  return waits;
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
    const int held = Held(hand, win.tile);
    const int left = wall_[win.tile] - held;
    if (left <= 0) continue;
    // A kong takes all four, and wild tiles never make one.
    const bool may_rob = held == 0 && win.tile != wild;
    Wait wait;
    wait.tile = win.tile;
    wait.unseen = std::max(0, left - seen[win.tile]);
    internal::ForEachReadingWith(
        hand.concealed, win.tile, hand.melds, wild, shapes_,
        [&](const Reading& reading) { Appraise(win, reading, may_rob, wait); });
    sink.Take(wait);
  }
}

// One reading serves all three ways of winning.
void WaitFinder::Appraise(Win& win, const Reading& reading, bool may_rob, Wait& wait) const {
  const WinQuestion question{.win = &win, .deal = &round_.deal, .winners = 1};
  const auto appraise = [&](WinWay way, std::optional<Judgement>& best) {
    win.way = way;
    win.from = way == WinWay::kSelfDraw ? std::nullopt : std::optional(Before(win.seat));
    TakeBetter(best, reading, variant_.Appraise(question, reading, round_, options_));
  };
  appraise(WinWay::kSelfDraw, wait.by_self_draw);
  appraise(WinWay::kDiscard, wait.by_discard);
  if (may_rob) appraise(WinWay::kRobbedKong, wait.by_robbed_kong);
}

}  // namespace mj::rules
