// What sorts of hands a game pays for, found out by asking it.
#pragma once

#include <cstddef>

#include "libs/bots/distance.h"
#include "libs/rules/variant.h"

namespace mj::bots {

// What `win` would bring its seat, in units from all who pay; 0 where it is none.
rules::Units Brings(const rules::Variant& game, const rules::Options& options,
                    const rules::Deal& deal, const rules::Win& win);

// A sort of hand to play for, and what a usual one of it brings.
struct Goal {
  rules::KindMask kinds = 0;  // of which it is made, besides wild tiles
  Sets sets = Sets::kAny;
  rules::Shapes shapes;
  int ease = 100;  // how much of a free hand's useful tiles it finds, in percent
  rules::Units self_drawn = 0;
  rules::Units on_discard = 0;

  bool standard() const { return shapes.standard; }
};
inline constexpr std::size_t kMostGoals = 32;
using Goals = rules::InlineVector<Goal, kMostGoals>;

// Knows no game by name: it makes a hand of each sort and asks the game what it is worth.
// Immutable. Does not allocate after it is made.
class GoalFinder {
 public:
  // `game` outlives it.
  GoalFinder(const rules::Variant& game, const rules::Options& options);

  // What a seat with these melds can play for. Without what brings nothing, and what brings no more
  // than a sort with fewer demands.
  Goals For(const rules::Deal& deal, rules::Seat seat, const rules::Melds& melds) const;

  // What a usual win on another's tile brings a seat with these melds: the least that any usual sort
  // brings; 0 where none may win so.
  rules::Units UsualOnDiscard(const rules::Deal& deal, rules::Seat seat,
                              const rules::Melds& melds) const;

  // What giving somebody a fourth meld costs when it then wins by itself: two further shares of a usual
  // win, in games where whoever gave it pays for all three (GD-64, SG-43); else 0.
  rules::Units last_meld_costs() const { return last_meld_costs_; }

 private:
  rules::Units AskForLastMeld() const;
  bool Appraise(const rules::Deal& deal, rules::Seat seat, const rules::Melds& melds,
                Goal& goal) const;

  const rules::Variant& game_;
  rules::Options options_;
  rules::KindMask wall_ = 0;
  Goals all_;
  rules::Units last_meld_costs_ = 0;
};

}  // namespace mj::bots
