#include "libs/rules/completing.h"

#include <bit>
#include <cstdint>

#include "libs/rules/reading_parts.h"
#include "libs/rules/suit_table.h"

namespace mj::rules {
namespace {

using internal::HandKeys;
using internal::SuitTable;

constexpr KindMask kEveryKind = (KindMask{1} << tiles::kKindCount) - 1;

// The kinds of a suit that make it what the three others leave to be made.
KindMask Standard(const TileCounts& concealed, const HandKeys& keys) {
  const SuitTable& table = SuitTable::Get();
  const std::uint32_t sum = table.SumOfKinds(keys);
  // No kind mends two suits. The usual case, left early.
  constexpr std::uint32_t kMost = SuitTable::kSetsAndPair + SuitTable::kNeither;
  if (sum > kMost) return 0;
  KindMask kinds = 0;
  for (int suit = 0; suit < internal::kSuits; ++suit) {
    const std::uint32_t others = sum - table.KindOf(keys[suit]);
    if (others > SuitTable::kSetsAndPair) continue;
    const std::uint32_t wanted = SuitTable::kSetsAndPair - others;
    const bool honours = suit == internal::kSuits - 1;
    const internal::SuitForm& form = honours ? internal::kHonourSuit : internal::kNumberSuit;
    for (int rank = 0; rank < form.ranks; ++rank) {
      const Tile tile = Tile::At(9 * suit + rank);
      if (concealed.Has(tile, tiles::kCopies)) continue;
      if (table.KindOf(keys[suit] + internal::KeyWeight(form, rank)) == wanted) {
        kinds |= MaskOf(tile);
      }
    }
  }
  return kinds;
}

}  // namespace

KindMask CompletingKinds(const TileCounts& concealed, const Melds& melds,
                         const std::optional<Tile>& wild, const Shapes& shapes) {
  if (wild && concealed.Has(*wild)) return kEveryKind;
  const HandKeys keys(concealed);
  if (!keys.valid()) return kEveryKind;
  KindMask kinds = shapes.standard ? Standard(concealed, keys) : 0;
  if (wild) kinds |= MaskOf(*wild);
  if (!melds.empty()) return kinds;
  if (shapes.seven_pairs) {
    const KindMask odd = internal::OddKinds(concealed);
    if (std::has_single_bit(odd)) kinds |= odd;
  }
  if (shapes.thirteen_orphans && !keys.has_middle()) kinds |= internal::kOrphanKinds;
  return kinds;
}

}  // namespace mj::rules
