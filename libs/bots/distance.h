// How far a hand is from winning.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "libs/rules/reading.h"
#include "libs/tiles/tile.h"

namespace mj::bots {

// Of which sets a hand is to be made.
enum class Sets : std::uint8_t { kAny, kSequences, kTriplets };

// How many tiles a hand still misses: 0 it wins, 1 it waits, more otherwise. A tile counts as
// missing whether or not one is left to draw, but never a fifth of its kind, unless wild tiles are
// in play: one that is yet to be drawn could stand for it.
//
// Answers are exact. They rest on what each suit can give, which is remembered once computed: an
// object grows with what it is asked, to 21 MB at the very most (as much again for hands with wild
// tiles, and for each restriction of the sets). Results do not depend on what was asked before. Not
// thread-safe; one for each thread.
class Distances {
 public:
  // REQUIRES: `concealed` and `melds` make 13 or 14 tiles (a meld counts three).
  int Missing(const tiles::TileCounts& concealed, int melds, std::optional<tiles::Tile> wild,
              rules::Shapes shapes);

 private:
  friend class Nearby;

  // What a suit can give: the fewest tiles missing for `sets` sets with or without a pair.
  struct Needs {
    std::array<std::array<std::uint8_t, 5>, 2> missing;  // [pair][sets]
  };
  // No sets and no pair miss nothing.
  static constexpr Needs kUnknown = {{{{1}, {}}}};
  // A suit's tiles by number: its counts as digits to the base 5; the honours' behind the others'.
  using Key = std::size_t;
  static constexpr std::size_t kPageKeys = 3125;  // 5^5
  using Page = std::array<Needs, kPageKeys>;
  struct Memo {
    std::vector<std::unique_ptr<Page>> pages;
    int most_alike;  // how many of a kind a winning hand can hold
    Sets sets;
  };
  // For hands of each kind of sets, by its number.
  struct Memos {
    explicit Memos(int most_alike)
        : of{Memo{{}, most_alike, Sets::kAny}, Memo{{}, most_alike, Sets::kSequences},
             Memo{{}, most_alike, Sets::kTriplets}} {}
    std::array<Memo, 3> of;
  };

  static const Needs& NeedsOf(Memo& memo, Key key);
  static Needs Compute(Key key, const Memo& memo);

  Memos plain_{tiles::kCopies};
  // With wild tiles, one still to be drawn too, a hand may hold more of a kind than exist.
  Memos wild_{2 * tiles::kCopies};
};

// One hand, and what it misses with one tile more or less: for little more than Missing asked once.
class Nearby {
 public:
  // As for Distances::Missing, but that `concealed` may lack tiles: then it is how many are missing
  // for a hand that is made of these and of others. `distances` outlives it.
  Nearby(Distances& distances, const tiles::TileCounts& concealed, int melds,
         std::optional<tiles::Tile> wild, rules::Shapes shapes, Sets sets = Sets::kAny);

  int Missing() const;
  // REQUIRES: the hand has fewer than four of `tile`.
  int With(tiles::Tile tile) const;
  // REQUIRES: the hand has `tile`.
  int Without(tiles::Tile tile) const;

 private:
  using Needs = Distances::Needs;
  static constexpr std::size_t kSuits = 4;

  int Changed(tiles::Tile tile, int by) const;
  int Total(int standard, int pairs, int singles, int orphans, bool orphan_pair, int wilds) const;
  int Join(const Needs& suit, const Needs& others) const;
  Needs Merge(const Needs& a, const Needs& b) const;

  Distances::Memo& memo_;
  std::optional<tiles::Tile> wild_;
  rules::Shapes shapes_;
  std::size_t sets_;           // still to be made
  tiles::TileCounts natural_;  // without wild tiles
  int wilds_ = 0;
  std::array<Distances::Key, kSuits> keys_{};
  std::array<Needs, kSuits> needs_{};
  std::array<Needs, kSuits> others_{};  // of the three other suits together
  int pairs_ = 0;                       // seven pairs: four alike are two
  int singles_ = 0;
  int orphans_ = 0;       // kinds of terminals and honours
  int orphan_pairs_ = 0;  // …of which there are two or more
};

}  // namespace mj::bots
