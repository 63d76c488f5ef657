// Readings of hands without wild tiles, from the tables.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "libs/rules/division_table.h"
#include "libs/rules/reading.h"
#include "libs/rules/reading_parts.h"
#include "libs/rules/suit_table.h"

namespace mj::rules::internal {

// Goes through the readings of a hand, each once: four sets and a pair first, every division of
// each suit beside every one of the others, then seven pairs, then thirteen orphans. Keeps
// references to what it is given. Inline, since judging a hand is little more than this.
//
//   for (NaturalReadings readings(...); readings.has(); readings.Advance()) Use(readings.Get());
class NaturalReadings {
 public:
  // The hand's tiles are `concealed` and, where it is given, one more.
  // REQUIRES: keys.valid(), and they are of all these.
  NaturalReadings(const TileCounts& concealed, std::optional<Tile> one_more, const HandKeys& keys,
                  const Melds& melds, Shapes shapes);

  // Whether there is a reading left.
  bool has() const { return standard_ | pairs_ | orphans_; }
  // REQUIRES: has().
  [[gnu::always_inline]] Reading Get() const { return standard_ ? Standard() : Other(); }
  // REQUIRES: has().
  void Advance() {
    if (standard_) {
      standard_ = several_ != 0 && Turn();
    } else if (pairs_) {
      pairs_ = false;
    } else {
      orphans_ = false;
    }
  }

 private:
  void SetTiles(Reading& reading) const {
    reading.tiles = concealed_;
    if (one_more_) reading.tiles.Add(*one_more_);
  }
  Reading Standard() const;
  Reading Other() const;
  bool HasEveryOrphan() const;
  bool Turn();

  const TileCounts& concealed_;
  const std::optional<Tile> one_more_;
  const HandKeys& keys_;
  const Melds& melds_;
  // Whether there is one left of each shape.
  bool standard_ = false;
  bool pairs_ = false;
  bool orphans_ = false;
  // Of four sets and a pair: the suit of the pair, whether any suit has several divisions, and the
  // division of each that is next.
  std::uint32_t paired_;
  std::uint32_t several_;
  std::array<const Division*, kSuits> at_;
};

[[gnu::always_inline]] inline NaturalReadings::NaturalReadings(const TileCounts& concealed,
                                                               std::optional<Tile> one_more,
                                                               const HandKeys& keys,
                                                               const Melds& melds, Shapes shapes)
    : concealed_(concealed), one_more_(one_more), keys_(keys), melds_(melds) {
  const SuitTable& suits = SuitTable::Get();
  const std::array<std::uint32_t, kSuits> kind = {suits.KindOf(keys[0]), suits.KindOf(keys[1]),
                                                  suits.KindOf(keys[2]), suits.KindOf(keys[3])};
  const bool whole = melds.empty();
  pairs_ = shapes.seven_pairs && whole && keys.all_even();
  orphans_ = shapes.thirteen_orphans && whole && !keys.has_middle() && HasEveryOrphan();
  if (!shapes.standard || kind[0] + kind[1] + kind[2] + kind[3] != SuitTable::kSetsAndPair) return;
  paired_ = kind[1] + 2 * kind[2] + 3 * kind[3];
  const DivisionTable& table = DivisionTable::Get();
  several_ = 0;
  std::size_t sets = melds.size();
  for (int suit = 0; suit < kSuits; ++suit) {
    const Division& division = table.First(keys[suit]);
    at_[static_cast<std::size_t>(suit)] = &division;
    several_ |= division.next_place;
    sets += division.set_count;
  }
  standard_ = sets == 4;  // as always, if the hand has the tiles that it should
}

[[gnu::always_inline]] inline Reading NaturalReadings::Standard() const {
  KindMask kinds = 0;
  KindMask triplets = 0;
  std::uint64_t sets = 0;
  std::size_t end = 8 * melds_.size();
  for (std::uint32_t suit = 0; suit < kSuits; ++suit) {
    const Division& division = *at_[suit];
    sets |= std::uint64_t{division.SetsAt(9 * suit)} << end;
    end += 8 * std::size_t{division.set_count};
    kinds |= KindMask{division.kinds} << (9 * suit);
    triplets |= KindMask{division.triplets} << (9 * suit);
  }
  // Field by field, where it stays: a copy of what was just written in other pieces stalls.
  Reading reading = kFourBlankSets;
  for (Set& set : reading.sets) {
    set = UnpackedSet(static_cast<PackedSets>(sets & 0xFF));
    sets >>= 8;
  }
  reading.pair = Tile::At(static_cast<int>(9 * paired_ + at_[paired_]->pair));
  reading.kinds = kinds;
  reading.triplets = triplets;
  SetTiles(reading);
  if (!melds_.empty()) AddMelds(reading, melds_);
  return reading;
}

// ForEachReading of these tiles and one more.
template <typename Visit>
void ForEachReadingWith(const TileCounts& concealed, Tile one_more, const Melds& melds,
                        std::optional<Tile> wild, Shapes shapes, Visit&& visit) {
  const HandKeys keys(concealed, one_more);
  if (!keys.valid() || (wild && (one_more == *wild || concealed.Has(*wild)))) {
    TileCounts whole = concealed;
    whole.Add(one_more);
    return ForEachReading(whole, melds, wild, shapes, visit);
  }
  NaturalReadings readings(concealed, one_more, keys, melds, shapes);
  for (; readings.has(); readings.Advance()) visit(readings.Get());
}

}  // namespace mj::rules::internal
