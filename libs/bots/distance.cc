#include "libs/bots/distance.h"

#include <algorithm>

namespace mj::bots {
namespace {

using tiles::Tile;
using tiles::TileCounts;

constexpr int kSuitSize = 9;
constexpr std::size_t kSuitHands = 1953125;  // 5^9
constexpr int kFar = 15;                     // more than any hand misses; fits into four bits
constexpr int kPairs = 7;

int SevenPairs(const TileCounts& natural) {
  int pairs = 0;
  int singles = 0;
  for (Tile tile : tiles::kAllKinds) {
    pairs += natural[tile] / 2;
    singles += natural[tile] % 2;
  }
  const int open = kPairs - pairs;
  // A pair that begins with nothing misses two tiles.
  return open + std::max(0, open - singles);
}

int ThirteenOrphans(const TileCounts& natural) {
  int kinds = 0;
  bool twice = false;
  for (Tile tile : tiles::kAllKinds) {
    if (!tile.is_terminal_or_honour() || !natural.Has(tile)) continue;
    ++kinds;
    twice = twice || natural.Has(tile, 2);
  }
  return 13 - kinds + (twice ? 0 : 1);
}

}  // namespace

Distances::Distances() {
  // With wild tiles, one still to be drawn too, a hand may hold more of a kind than exist.
  wild_.most_alike = 2 * tiles::kCopies;
}

int Distances::Missing(const TileCounts& concealed, int melds, std::optional<Tile> wild,
                       rules::Shapes shapes) {
  TileCounts natural = concealed;
  const int wilds = wild ? concealed[*wild] : 0;
  if (wilds > 0) natural.Remove(*wild, wilds);
  int missing = kFar + 1;
  if (shapes.standard) missing = Standard(natural, melds, wild.has_value());
  if (melds == 0 && shapes.seven_pairs) missing = std::min(missing, SevenPairs(natural));
  if (melds == 0 && shapes.thirteen_orphans) missing = std::min(missing, ThirteenOrphans(natural));
  // Whatever is missing, a wild tile can stand for it.
  return std::max(0, missing - wilds);
}

int Distances::Standard(const TileCounts& natural, int melds, bool wild) {
  Memo& memo = wild ? wild_ : plain_;
  const int sets = 4 - melds;
  Needs all = HonourNeeds(natural, memo.most_alike);
  for (int suit = 0; suit < 3; ++suit) {
    const Needs more = SuitNeeds(memo, natural, suit);
    Needs both;
    for (std::size_t n = 0; n <= static_cast<std::size_t>(sets); ++n) {
      int plain = kFar;
      int paired = kFar;
      for (std::size_t of_more = 0; of_more <= n; ++of_more) {
        const std::size_t rest = n - of_more;
        plain = std::min(plain, all.missing[0][rest] + more.missing[0][of_more]);
        paired = std::min({paired, all.missing[1][rest] + more.missing[0][of_more],
                           all.missing[0][rest] + more.missing[1][of_more]});
      }
      both.missing[0][n] = static_cast<std::uint8_t>(plain);
      both.missing[1][n] = static_cast<std::uint8_t>(paired);
    }
    all = both;
  }
  return all.missing[1][static_cast<std::size_t>(sets)];
}

Distances::Needs Distances::SuitNeeds(Memo& memo, const TileCounts& counts, int suit) const {
  std::array<int, kSuitSize> of_suit{};
  std::size_t index = 0;
  for (int i = 0; i < kSuitSize; ++i) {
    of_suit[static_cast<std::size_t>(i)] = counts[Tile::At(suit * kSuitSize + i)];
    index = index * 5 + static_cast<std::size_t>(of_suit[static_cast<std::size_t>(i)]);
  }
  if (memo.packed.empty()) memo.packed.resize(kSuitHands);
  std::uint64_t& packed = memo.packed[index];
  constexpr std::uint64_t kKnown = std::uint64_t{1} << 63;
  if (packed == 0) {
    const Needs needs = ComputeSuit(of_suit, memo.most_alike);
    packed = kKnown;
    for (std::size_t i = 0; i < 10; ++i) {
      packed |= std::uint64_t{needs.missing[i / 5][i % 5]} << (4 * i);
    }
    return needs;
  }
  Needs needs;
  for (std::size_t i = 0; i < 10; ++i) {
    needs.missing[i / 5][i % 5] = static_cast<std::uint8_t>(packed >> (4 * i) & 0xf);
  }
  return needs;
}

// Rank by rank: how many triplets, sequences beginning here, and whether the pair. Three equal
// sequences are three triplets, so two of a kind are enough.
Distances::Needs Distances::ComputeSuit(const std::array<int, 9>& counts, int most_alike) {
  const int most_triplets = most_alike / 3;
  // [sequences begun one rank below][two ranks below]
  using Row = std::array<std::array<Needs, 3>, 3>;
  constexpr auto kNothing = [] {
    Needs nothing{};
    for (auto& by_sets : nothing.missing) by_sets.fill(kFar);
    return nothing;
  }();
  Row row;
  for (auto& by_first : row) by_first.fill(kNothing);
  row[0][0].missing[0][0] = 0;

  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    Row next;
    for (auto& by_first : next) by_first.fill(kNothing);
    for (std::size_t one = 0; one < 3; ++one) {
      for (std::size_t two = 0; two < 3; ++two) {
        for (std::size_t begun = 0; begun < (rank <= 6 ? 3u : 1u); ++begun) {
          for (int triplets = 0; triplets <= most_triplets; ++triplets) {
            for (std::size_t pair = 0; pair < 2; ++pair) {
              const int wanted = static_cast<int>(one + two + begun + 2 * pair) + 3 * triplets;
              if (wanted > most_alike) continue;
              const int cost = std::max(0, wanted - counts[rank]);
              const std::size_t more = begun + static_cast<std::size_t>(triplets);
              for (std::size_t had = pair; had < 2; ++had) {  // the pair is made once
                for (std::size_t sets = 0; sets + more <= 4; ++sets) {
                  const int missing = row[one][two].missing[had - pair][sets] + cost;
                  std::uint8_t& best = next[begun][one].missing[had][sets + more];
                  best = static_cast<std::uint8_t>(std::min<int>(best, missing));
                }
              }
            }
          }
        }
      }
    }
    row = next;
  }
  return row[0][0];
}

Distances::Needs Distances::HonourNeeds(const TileCounts& counts, int most_alike) {
  Needs needs{};
  for (auto& by_sets : needs.missing) by_sets.fill(kFar);
  needs.missing[0][0] = 0;
  for (int i = 3 * kSuitSize; i < tiles::kKindCount; ++i) {
    const int held = counts[Tile::At(i)];
    const Needs before = needs;
    for (std::size_t pair = 0; pair < 2; ++pair) {
      for (int triplets = 0; triplets <= most_alike / 3; ++triplets) {
        const int wanted = 3 * triplets + 2 * static_cast<int>(pair);
        if (wanted == 0 || wanted > most_alike) continue;
        const int cost = std::max(0, wanted - held);
        const auto more = static_cast<std::size_t>(triplets);
        for (std::size_t had = pair; had < 2; ++had) {
          for (std::size_t sets = 0; sets + more <= 4; ++sets) {
            const int missing = before.missing[had - pair][sets] + cost;
            std::uint8_t& best = needs.missing[had][sets + more];
            best = static_cast<std::uint8_t>(std::min<int>(best, missing));
          }
        }
      }
    }
  }
  return needs;
}

}  // namespace mj::bots
