// A player that plays sensibly and sees what a player sees.
#pragma once

#include <cstdint>
#include <optional>

#include "libs/bots/distance.h"
#include "libs/bots/expert.h"
#include "libs/bots/sight.h"
#include "libs/bots/strength.h"
#include "libs/round/view.h"
#include "libs/rules/variant.h"

namespace mj::bots {

// Takes every win. Of medium strength it throws what leaves the fewest tiles missing, then the most
// useful tiles unseen; calls only what brings the win nearer; makes kongs that do not take it further
// away. A hand that waits only for tiles with which the game allows no win counts as not waiting. How
// a weak one plays: beginner.h; a strong one: expert.h.
//
// It sees nothing but the SeatView, and chooses the same for the same view and seed: the seed
// decides between equals alone. Knows no game by name: it asks the game that is played.
class Bot {
 public:
  // `game` and `distances` outlive the bot; several bots of one thread may share `distances`.
  Bot(const rules::Variant& game, const rules::Options& options, std::uint64_t seed,
      Distances& distances, Strength strength = Strength::kMedium);

  // One of the choices of `view.ask`. REQUIRES: view.ask, and a choice in it.
  round::Choice Choose(const round::SeatView& view);

  // The shapes that a medium one plays for: the game's, without seven pairs where only some of these win.
  rules::Shapes aims() const { return shapes_; }

 private:
  // How good a resting hand is: fewer missing, then more useful tiles left.
  struct Value {
    int missing = 99;
    int useful = 0;
    bool operator==(const Value&) const = default;
    bool Beats(const Value& other) const {
      return missing != other.missing ? missing < other.missing : useful > other.useful;
    }
  };

  Nearby Around(const Sight& sight, const rules::Hand& hand);
  Value Judge(const Sight& sight, const rules::Hand& resting);
  bool MayWin(const Sight& sight, const rules::Hand& waiting, tiles::Tile tile,
              rules::WinWay way) const;
  // The best of `discards` from `hand`, and what it leaves.
  std::pair<tiles::Tile, Value> BestDiscard(const Sight& sight, const rules::Hand& hand,
                                            round::TileSet discards);
  round::Choice OnTurn(const Sight& sight);
  round::Choice OnClaim(const Sight& sight);

  const rules::Variant& game_;
  rules::Options options_;
  rules::PlayRules play_;
  rules::Shapes shapes_;
  std::uint64_t seed_;
  Distances& distances_;
  Strength strength_;
  std::optional<Expert> expert_;  // a strong one's
};

}  // namespace mj::bots
