// How somebody plays who weighs what each hand is worth.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "libs/bots/danger.h"
#include "libs/bots/distance.h"
#include "libs/bots/goals.h"
#include "libs/bots/sight.h"

namespace mj::bots {

// For every sort of hand that the game pays for: how likely it is made before somebody else wins, times
// what it brings. Throws what leaves the most, less what the throw itself may cost; calls what brings
// more than it takes. Integers throughout, so that it chooses the same everywhere. Not thread-safe.
class Expert {
 public:
  // `game` and `distances` outlive it.
  Expert(const rules::Variant& game, const rules::Options& options, std::uint64_t seed,
         Distances& distances);

  round::Choice Choose(const Sight& sight);

 private:
  struct Scene;  // a decision: the sight, the goals, how long the round may last

  // What a hand between its turns is expected to bring.
  Expected Resting(const Scene& scene, const rules::Hand& hand);
  // The best of `discards`, and what it leaves, the throw's own cost taken off.
  std::pair<tiles::Tile, Expected> BestDiscard(const Scene& scene, const rules::Hand& hand,
                                               round::TileSet discards);
  // `own`: the hand's tiles of the goal's kinds, which miss `missing`.
  Expected Value(const Scene& scene, std::size_t goal_at, const rules::Hand& hand,
                 const tiles::TileCounts& own, const Nearby& around, int missing);
  Expected Waiting(const Scene& scene, const rules::Hand& hand, const Nearby& around);
  Expected KongPays(const Scene& scene, rules::MeldKind kind, tiles::Tile tile,
                    rules::Seat from) const;

  round::Choice OnTurn(const Scene& scene);
  round::Choice OnClaim(const Scene& scene);
  Scene At(const Sight& sight, const Dangers& dangers, const rules::Melds& melds) const;

  const rules::Variant& game_;
  rules::Options options_;
  rules::PlayRules play_;
  rules::Shapes shapes_;
  std::uint64_t seed_;
  Distances& distances_;
  GoalFinder goals_;
};

}  // namespace mj::bots
