#include "libs/rules/completing.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

#include "libs/rules/suit_table.h"

namespace mj::rules {
namespace {

using internal::HandKeys;
using internal::SuitTable;

constexpr std::uint64_t Bit(Tile tile) { return std::uint64_t{1} << tile.index(); }
constexpr std::uint64_t kEveryKind = (std::uint64_t{1} << tiles::kKindCount) - 1;
constexpr std::uint64_t kTerminalsAndHonours = [] {
  std::uint64_t kinds = 0;
  for (Tile tile : tiles::kAllKinds) {
    if (tile.is_terminal_or_honour()) kinds |= Bit(tile);
  }
  return kinds;
}();

// The kinds of a suit that make it what the three others leave to be made.
std::uint64_t Standard(const TileCounts& concealed, const HandKeys& keys) {
  const SuitTable& table = SuitTable::Get();
  std::array<std::uint32_t, internal::kSuits> is{};
  std::uint32_t sum = 0;
  for (int suit = 0; suit < internal::kSuits; ++suit) {
    const auto i = static_cast<std::size_t>(suit);
    is[i] = table.KindOf(keys[suit]);
    sum += is[i];
  }
  // No kind mends two suits. The usual case, left early.
  constexpr std::uint32_t kMost = SuitTable::kSetsAndPair + SuitTable::kNeither;
  if (sum > kMost) return 0;
  std::uint64_t kinds = 0;
  for (int suit = 0; suit < internal::kSuits; ++suit) {
    const std::uint32_t others = sum - is[static_cast<std::size_t>(suit)];
    if (others > SuitTable::kSetsAndPair) continue;
    const std::uint32_t wanted = SuitTable::kSetsAndPair - others;
    const bool honours = suit == internal::kSuits - 1;
    const internal::SuitForm& form = honours ? internal::kHonourSuit : internal::kNumberSuit;
    for (int rank = 0; rank < form.ranks; ++rank) {
      const Tile tile = Tile::At(9 * suit + rank);
      if (concealed.Has(tile, tiles::kCopies)) continue;
      if (table.KindOf(keys[suit] + internal::KeyWeight(form, rank)) == wanted) {
        kinds |= Bit(tile);
      }
    }
  }
  return kinds;
}

// The kind that has no partner, when there is just one.
std::uint64_t SevenPairs(const TileCounts& concealed) {
  constexpr std::uint64_t kOnes = 0x0101'0101'0101'0101;
  const auto odd_of_eight = [&](std::size_t first) {
    std::uint64_t word = 0;
    std::memcpy(&word, concealed.by_index().data() + first, sizeof word);
    return std::popcount(word & kOnes);
  };
  static_assert(tiles::kKindCount == 34);
  const int odd = odd_of_eight(0) + odd_of_eight(8) + odd_of_eight(16) + odd_of_eight(24) +
                  (concealed.by_index()[32] & 1) + (concealed.by_index()[33] & 1);
  if (odd != 1) return 0;
  for (Tile tile : tiles::kAllKinds) {
    if (concealed[tile] % 2 == 1) return Bit(tile);
  }
  return 0;
}

}  // namespace

std::uint64_t CompletingKinds(const TileCounts& concealed, const Melds& melds,
                              const std::optional<Tile>& wild, const Shapes& shapes) {
  if (wild && concealed.Has(*wild)) return kEveryKind;
  const HandKeys keys(concealed);
  if (!keys.valid()) return kEveryKind;
  std::uint64_t kinds = shapes.standard ? Standard(concealed, keys) : 0;
  if (wild) kinds |= Bit(*wild);
  if (!melds.empty()) return kinds;
  if (shapes.seven_pairs) kinds |= SevenPairs(concealed);
  if (shapes.thirteen_orphans && !keys.has_middle()) kinds |= kTerminalsAndHonours;
  return kinds;
}

}  // namespace mj::rules
