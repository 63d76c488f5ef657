// The ways in which fourteen tiles can be read as a winning hand.
#pragma once

#include <cstdint>
#include <optional>

#include "libs/rules/hand.h"
#include "libs/rules/suit_table.h"

namespace mj::rules {

enum class Shape : std::uint8_t {
  kStandard,         // four sets and a pair
  kSevenPairs,       // four alike may be two pairs
  kThirteenOrphans,  // one of each terminal and honour, and one of them twice
};

// Which shapes a game plays.
struct Shapes {
  bool standard = true;
  bool seven_pairs = false;
  bool thirteen_orphans = false;
};

// A sequence or a triplet within a reading; kongs are triplets here.
struct Set {
  enum class Kind : std::uint8_t { kSequence, kTriplet };
  Kind kind = Kind::kTriplet;
  Tile tile;  // the lowest of a sequence
  bool kong = false;
  bool melded = false;  // lies beside the hand (a concealed kong too)

  bool operator==(const Set&) const = default;
};

// Some kinds: a bit at each one's index.
using KindMask = std::uint64_t;
constexpr KindMask MaskOf(Tile tile) { return KindMask{1} << tile.index(); }

// One way to read a hand. Tiles are what they are read as: a wild tile that stands for 5m is 5m.
struct Reading {
  Shape shape = Shape::kStandard;
  InlineVector<Set, 4> sets;  // kStandard: the melds in their order, then the concealed sets
  Tile pair;                  // kStandard: the pair; kThirteenOrphans: the kind held twice
  TileCounts tiles;           // everything, melds included (a kong counts four)
  int four_alikes = 0;        // kSevenPairs: kinds of which there are four

  // What the above comes to, for predicates.
  KindMask kinds = 0;            // of which there are any tiles
  KindMask triplets = 0;         // of which there is a triplet or kong
  KindMask second_triplets = 0;  // of which there is one more, with wild tiles

  bool operator==(const Reading&) const = default;
};

// Calls `visit(const Reading&)` for every reading of `concealed` (the winning tile included) and
// `melds` in one of `shapes`. The same reading may be visited more than once when wild tiles
// stand in; the order is fixed. Visits none when the tiles do not win.
//
//   wild   the kind that stands for any tile in the concealed part, a fifth of a kind too, or for
//          itself (JY-50); none when the game has none.
//
// REQUIRES: concealed.total() + 3 × melds.size() == 14, and at most four wild tiles.
// Does not allocate.
template <typename Visit>
void ForEachReading(const TileCounts& concealed, const Melds& melds, std::optional<Tile> wild,
                    Shapes shapes, Visit&& visit);

// Whether there is any reading. Same requirement; does not allocate.
bool IsWin(const TileCounts& concealed, const Melds& melds, std::optional<Tile> wild,
           Shapes shapes);

namespace internal {

// IsWin where its short cut does not do.
bool IsRareWin(const TileCounts& concealed, const Melds& melds, std::optional<Tile> wild,
               Shapes shapes);

class ReadingSink {
 public:
  // Whether to go on.
  virtual bool Take(const Reading& reading) = 0;

 protected:
  ~ReadingSink() = default;
};
void ReadAll(const TileCounts& concealed, const Melds& melds, std::optional<Tile> wild,
             Shapes shapes, ReadingSink& sink);

}  // namespace internal

template <typename Visit>
void ForEachReading(const TileCounts& concealed, const Melds& melds, std::optional<Tile> wild,
                    Shapes shapes, Visit&& visit) {
  struct Sink final : internal::ReadingSink {
    explicit Sink(Visit& v) : visit(v) {}
    bool Take(const Reading& reading) override {
      visit(reading);
      return true;
    }
    Visit& visit;
  };
  Sink sink(visit);
  internal::ReadAll(concealed, melds, wild, shapes, sink);
}

// Four look-ups, and no branch that depends on an ordinary hand: every second one would be guessed
// wrong. Inline by order, since a call costs a third of it.
[[gnu::always_inline]] inline bool IsWin(const TileCounts& concealed, const Melds& melds,
                                         std::optional<Tile> wild, Shapes shapes) {
  using internal::SuitTable;
  const internal::HandKeys keys(concealed);
  const bool has_wild = wild && concealed.Has(*wild);
  if (!keys.valid() || !keys.has_middle() || has_wild) [[unlikely]] {
    return internal::IsRareWin(concealed, melds, wild, shapes);
  }
  const bool standard = SuitTable::Get().SumOfKinds(keys) == SuitTable::kSetsAndPair;
  const bool even = keys.all_even();
  const bool whole = melds.empty();
  return (shapes.standard & standard) | (shapes.seven_pairs & even & whole);
}

}  // namespace mj::rules
