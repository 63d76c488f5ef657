// Predicates on a reading that several games' pattern tables share, and how a table is counted.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <utility>

#include "libs/rules/variant.h"

namespace mj::rules {

// ------------------------------------------------------------------------------- kinds, as masks

inline constexpr KindMask kCharacterKinds = KindMask{0x1FF};
inline constexpr KindMask kDotKinds = kCharacterKinds << 9;
inline constexpr KindMask kBambooKinds = kCharacterKinds << 18;
inline constexpr KindMask kWindKinds = KindMask{0xF} << 27;
inline constexpr KindMask kDragonKinds = KindMask{0x7} << 31;
inline constexpr KindMask kHonourKinds = kWindKinds | kDragonKinds;
inline constexpr KindMask kTerminalKinds =
    KindMask{0x101} | KindMask{0x101} << 9 | KindMask{0x101} << 18;

// Suits (without honours) of which the reading has tiles.
inline int SuitCount(const Reading& reading) {
  return int{(reading.kinds & kCharacterKinds) != 0} + int{(reading.kinds & kDotKinds) != 0} +
         int{(reading.kinds & kBambooKinds) != 0};
}
inline bool HasHonours(const Reading& reading) { return (reading.kinds & kHonourKinds) != 0; }
inline bool HasTerminals(const Reading& reading) { return (reading.kinds & kTerminalKinds) != 0; }
// Whether every tile is a terminal or an honour (幺九).
inline bool OnlyTerminalsOrHonours(const Reading& reading) {
  return (reading.kinds & ~(kTerminalKinds | kHonourKinds)) == 0;
}
// Triplets and kongs of these kinds.
inline int CountTriplets(const Reading& reading, KindMask kinds) {
  return std::popcount(reading.triplets & kinds) + std::popcount(reading.second_triplets & kinds);
}

// ------------------------------------------------------------------------------------ predicates

// Each has the signature of Pattern::applies. What they say of tiles is said of the tiles as read.

inline bool IsConcealedHand(const WinQuestion& question, const Reading&) {  // 门前清
  return question.win->hand.is_concealed();
}
inline bool IsLastTile(const WinQuestion& question, const Reading&) {  // 海底捞月
  return question.win->flags.last_tile;
}
inline bool IsKongReplacement(const WinQuestion& question, const Reading&) {  // 杠上开花
  return question.win->flags.kong_replacement;
}
inline bool IsHeavenly(const WinQuestion& question, const Reading&) {
  return question.win->flags.heavenly;
}
inline bool IsEarthly(const WinQuestion& question, const Reading&) {
  return question.win->flags.earthly;
}

// Four triplets or kongs and a pair.
inline bool IsAllTriplets(const WinQuestion&, const Reading& reading) {
  return CountTriplets(reading, ~KindMask{0}) == 4;
}
// Four sequences and a pair.
inline bool IsAllSequences(const WinQuestion&, const Reading& reading) {
  return reading.shape == Shape::kStandard && reading.triplets == 0;
}
// Honours and one suit, both present.
inline bool IsHalfFlush(const WinQuestion&, const Reading& reading) {
  return SuitCount(reading) == 1 && HasHonours(reading);
}
// One suit, no honours.
inline bool IsFullFlush(const WinQuestion&, const Reading& reading) {
  return SuitCount(reading) == 1 && !HasHonours(reading);
}
inline bool IsAllHonours(const WinQuestion&, const Reading& reading) {
  return SuitCount(reading) == 0;
}
inline bool IsHalfFlushTriplets(const WinQuestion& question, const Reading& reading) {
  return IsHalfFlush(question, reading) && IsAllTriplets(question, reading);
}
inline bool IsFullFlushTriplets(const WinQuestion& question, const Reading& reading) {
  return IsFullFlush(question, reading) && IsAllTriplets(question, reading);
}
// Of each of these kinds one: with wild tiles a hand may hold a triplet of the same kind twice, or a
// pair besides it.
inline int KindsOfTriplets(const Reading& reading, KindMask kinds) {
  return std::popcount(reading.triplets & kinds);
}
inline bool HasThreeDragonTriplets(const WinQuestion&, const Reading& reading) {
  return KindsOfTriplets(reading, kDragonKinds) == 3;
}
// The pair is of the fourth wind.
inline bool HasThreeWindTripletsAndPair(const WinQuestion&, const Reading& reading) {
  return KindsOfTriplets(reading, kWindKinds) == 3 && reading.pair.is_wind() &&
         (reading.triplets & MaskOf(reading.pair)) == 0;
}
inline bool HasFourWindTriplets(const WinQuestion&, const Reading& reading) {
  return KindsOfTriplets(reading, kWindKinds) == 4;
}
inline bool IsThirteenOrphans(const WinQuestion&, const Reading& reading) {
  return reading.shape == Shape::kThirteenOrphans;
}
inline bool IsSevenPairs(const WinQuestion&, const Reading& reading) {
  return reading.shape == Shape::kSevenPairs;
}
template <int kFourAlikes>
bool IsSevenPairsWith(const WinQuestion&, const Reading& reading) {
  return reading.shape == Shape::kSevenPairs && reading.four_alikes == kFourAlikes;
}

// ------------------------------------------------------------------------------ counting a table

// The rows with these ids. REQUIRES: the table has them all.
template <std::size_t kRows>
constexpr RowMask RowsOf(const Pattern (&table)[kRows], std::span<const RuleId> ids) {
  static_assert(kRows <= kMaxPatterns);
  RowMask rows = 0;
  for (std::size_t row = 0; row < kRows; ++row) {
    for (RuleId id : ids) rows |= RowMask{table[row].id == id} << row;
  }
  return rows;
}
template <std::size_t kRows>
constexpr RowMask RowsOf(const Pattern (&table)[kRows], std::initializer_list<RuleId> ids) {
  return RowsOf(table, std::span<const RuleId>(ids.begin(), ids.size()));
}

// The rows that have this role.
template <std::size_t kRows>
constexpr RowMask RowsOf(const Pattern (&table)[kRows], PatternRole role) {
  RowMask rows = 0;
  for (std::size_t row = 0; row < kRows; ++row) rows |= RowMask{table[row].role == role} << row;
  return rows;
}

// The rows of a table that apply to the reading, without those that another of them implies. The
// table is a constant, so that its predicates are called without looking at it.
template <const auto& kTable>
RowMask CountRows(const WinQuestion& question, const Reading& reading) {
  RowMask applying = 0;
  RowMask implied = 0;
  const auto count = [&]<std::size_t kRow>(std::integral_constant<std::size_t, kRow>) {
    constexpr const Pattern& kPattern = kTable[kRow];
    if constexpr (kPattern.applies != nullptr) {
      const RowMask applies{kPattern.applies(question, reading)};
      applying |= applies << kRow;
      if constexpr (!kPattern.implies.empty()) {
        constexpr RowMask kImplied = RowsOf(kTable, kPattern.implies);
        implied |= (~applies + 1) & kImplied;  // all of them, or none
      }
    }
  };
  [&]<std::size_t... kRow>(std::index_sequence<kRow...>) {
    (count(std::integral_constant<std::size_t, kRow>{}), ...);
  }(std::make_index_sequence<std::size(kTable)>{});
  return applying & ~implied;
}

// Calls `visit(const Pattern&)` for these rows, in the table's order.
template <std::size_t kRows, typename Visit>
void ForEachRow(const Pattern (&table)[kRows], RowMask rows, Visit&& visit) {
  for (; rows != 0; rows &= rows - 1) visit(table[std::countr_zero(rows)]);
}

// The values of some rows of a table, joined to one number by `Join`: worked out beforehand for
// every choice among eight rows, so that no loop is needed whose end cannot be guessed.
template <const auto& kTable, typename Join>
class JoinedValues {
 public:
  static std::int64_t Of(RowMask rows) {
    std::int64_t joined = kOfByte[0][rows & 0xFF];
    for (std::size_t byte = 1; byte < kBytes; ++byte) {
      joined = Join{}(joined, kOfByte[byte][rows >> (8 * byte) & 0xFF]);
    }
    return joined;
  }

 private:
  static constexpr std::size_t kBytes = (std::size(kTable) + 7) / 8;

  static constexpr auto kOfByte = [] {
    std::array<std::array<std::int64_t, 256>, kBytes> of_byte{};
    for (std::size_t byte = 0; byte < kBytes; ++byte) {
      for (std::size_t rows = 0; rows < 256; ++rows) {
        std::int64_t joined = Join::kOfNone;
        for (std::size_t row = 8 * byte; row < std::min(8 * byte + 8, std::size(kTable)); ++row) {
          if ((rows >> (row % 8) & 1) != 0) joined = Join{}(joined, kTable[row].value);
        }
        of_byte[byte][rows] = joined;
      }
    }
    return of_byte;
  }();
};

struct Sum {
  static constexpr std::int64_t kOfNone = 0;
  constexpr std::int64_t operator()(std::int64_t a, std::int64_t b) const { return a + b; }
};
struct Product {
  static constexpr std::int64_t kOfNone = 1;
  constexpr std::int64_t operator()(std::int64_t a, std::int64_t b) const { return a * b; }
};

// Whether the table stands in the order of its ids, so that rows are in that order too.
template <std::size_t kRows>
constexpr bool IsSortedById(const Pattern (&table)[kRows]) {
  for (std::size_t row = 1; row < kRows; ++row) {
    if (!(table[row - 1].id < table[row].id)) return false;
  }
  return true;
}

}  // namespace mj::rules
