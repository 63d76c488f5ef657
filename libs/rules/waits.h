// What a hand waits for, and what each tile would be worth, without allocations: for many hands.
// ListWaits (score.h) is the same for one.
#pragma once

#include <optional>

#include "libs/rules/score.h"

namespace mj::rules {

// The kinds of which one more would complete the hand. A fifth of a kind is not asked for.
// REQUIRES: concealed.total() + 3 × melds.size() == 13, and at most three wild tiles. Does not
// allocate.
KindMask KindsWaitedFor(const TileCounts& concealed, const Melds& melds, std::optional<Tile> wild,
                        Shapes shapes);

// Looks for the waits of hands of one deal. The game has to outlive it; any thread may use it.
class WaitFinder {
 public:
  WaitFinder(const Variant& variant, const Options& options, const Deal& deal);

  // Calls `visit(const Wait&)` for every kind that completes the hand and of which there is a
  // further tile, whether or not it may be won in some way, in the order of kinds. First-turn flags
  // and kong replacements are not assumed, and nobody else wins on the tile.
  //   seen   visible tiles outside this hand: discards, others' melds, the indicator
  // REQUIRES: hand.concealed.total() == hand.resting_tiles(). Does not allocate.
  template <typename Visit>
  void ForEach(Seat seat, const Hand& hand, const TileCounts& seen, Visit&& visit) const {
    struct Sink final : WaitSink {
      explicit Sink(Visit& v) : visit(v) {}
      void Take(const Wait& wait) override { visit(wait); }
      Visit& visit;
    };
    Sink sink(visit);
    Find(seat, hand, seen, sink);
  }

 private:
  class WaitSink {
   public:
    virtual void Take(const Wait& wait) = 0;

   protected:
    ~WaitSink() = default;
  };

  void Find(Seat seat, const Hand& hand, const TileCounts& seen, WaitSink& sink) const;
  void Appraise(Win& win, const Reading& reading, bool may_rob, Wait& wait) const;

  const Variant& variant_;
  const Options options_;
  const Shapes shapes_;
  const TileCounts wall_;
  FinishedRound round_;  // of which only the deal is known
};

}  // namespace mj::rules
