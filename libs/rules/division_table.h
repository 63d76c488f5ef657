// How the tiles of one suit can be divided, worked out once for all.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "libs/rules/reading.h"
#include "libs/rules/suit_table.h"

namespace mj::rules::internal {

// Up to four sets, a byte each, the first in the lowest: a kind's index, and kSequence for a
// sequence. What lies behind the last is 0.
using PackedSets = std::uint32_t;
inline constexpr PackedSets kSequence = 0x80;
inline constexpr PackedSets kOfEach = 0x0101'0101;

inline Set UnpackedSet(PackedSets set) {
  return {.kind = (set & kSequence) != 0 ? Set::Kind::kSequence : Set::Kind::kTriplet,
          .tile = Tile::At(static_cast<int>(set & ~kSequence))};
}

// One way to divide one suit into sets, or sets and a pair. Kinds count from the suit's first.
struct Division {
  PackedSets sets = 0;           // lowest first
  std::uint16_t kinds = 0;       // that occur: a bit for each
  std::uint16_t triplets = 0;    // of which there is a triplet
  std::uint8_t set_count = 0;    // in `sets`
  std::uint8_t pair = 0;         // the kind of the pair, where there is one
  std::uint16_t next_place = 0;  // in the table: another division of the same tiles; 0: none

  // `sets` in the suit whose first kind is this one.
  PackedSets SetsAt(std::uint32_t first) const {
    const std::uint64_t used = (std::uint64_t{1} << (8 * set_count)) - 1;
    return sets + first * (kOfEach & static_cast<PackedSets>(used));
  }
};

// Every division of every key. Not half a MiB, filled in about a millisecond at first use;
// thread-safe and read-only from then on.
class DivisionTable {
 public:
  static const DivisionTable& Get() {
    static const DivisionTable table;
    return table;
  }

  // REQUIRES: the key is complete. Divisions of the same tiles follow each other as SuitDivider
  // finds them.
  const Division& First(std::uint32_t key) const { return divisions_[suits_.Rank(key)]; }
  // Null behind the last.
  const Division* Next(const Division& division) const {
    return division.next_place == 0 ? nullptr : &divisions_[division.next_place];
  }

 private:
  static constexpr std::size_t kDivisions = 24'031;  // 23,533 of a suit and 498 of the honours

  DivisionTable();

  const SuitTable& suits_;
  std::array<Division, kDivisions> divisions_;  // the first of each key, by rank; then the others
};

}  // namespace mj::rules::internal
