#include "libs/bots/distance.h"

#include <algorithm>

namespace mj::bots {
namespace {

using tiles::Tile;
using tiles::TileCounts;

constexpr std::size_t kSuitSize = 9;
constexpr std::size_t kHonours = 7;
constexpr std::size_t kHonourSuitAt = 3;      // the honours are the fourth suit
constexpr std::size_t kSuitKeys = 1'953'125;  // 5^9
constexpr std::size_t kHonourKeys = 78'125;   // 5^7
constexpr int kFar = 15;                      // more than any hand misses; fits into four bits
constexpr int kPairs = 7;

constexpr auto kWeights = [] {
  std::array<std::size_t, kSuitSize> weights{};
  std::size_t weight = 1;
  for (std::size_t& one : weights) {
    one = weight;
    weight *= 5;
  }
  return weights;
}();

std::size_t SuitOf(Tile tile) { return static_cast<std::size_t>(tile.index()) / kSuitSize; }
std::size_t WeightOf(Tile tile) {
  return kWeights[static_cast<std::size_t>(tile.index()) % kSuitSize];
}

// Rank by rank: how many triplets, sequences beginning here, and whether the pair. Three equal
// sequences are three triplets, so two of a kind are enough.
template <typename Needs>
Needs NumberSuit(const std::array<int, kSuitSize>& counts, int most_alike, Sets of) {
  const int most_triplets = of == Sets::kSequences ? 0 : most_alike / 3;
  const std::size_t most_sequences = of == Sets::kTriplets ? 0 : 2;
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
        for (std::size_t begun = 0; begun <= (rank <= 6 ? most_sequences : 0); ++begun) {
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

template <typename Needs>
Needs HonourSuit(const std::array<int, kSuitSize>& counts, int most_alike, Sets of) {
  const int most_triplets = of == Sets::kSequences ? 0 : most_alike / 3;
  Needs needs{};
  for (auto& by_sets : needs.missing) by_sets.fill(kFar);
  needs.missing[0][0] = 0;
  for (std::size_t kind = 0; kind < kHonours; ++kind) {
    const int held = counts[kind];
    const Needs before = needs;
    for (std::size_t pair = 0; pair < 2; ++pair) {
      for (int triplets = 0; triplets <= most_triplets; ++triplets) {
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

}  // namespace

int Distances::Missing(const TileCounts& concealed, int melds, std::optional<Tile> wild,
                       rules::Shapes shapes) {
  return Nearby(*this, concealed, melds, wild, shapes).Missing();
}

const Distances::Needs& Distances::NeedsOf(Memo& memo, Key key) {
  static_assert((kSuitKeys + kHonourKeys) % kPageKeys == 0);
  if (memo.pages.empty()) memo.pages.resize((kSuitKeys + kHonourKeys) / kPageKeys);
  std::unique_ptr<Page>& page = memo.pages[key / kPageKeys];
  if (page == nullptr) {
    page = std::make_unique<Page>();
    page->fill(kUnknown);
  }
  Needs& needs = (*page)[key % kPageKeys];
  if (needs.missing[0][0] != 0) needs = Compute(key, memo);
  return needs;
}

Distances::Needs Distances::Compute(Key key, const Memo& memo) {
  const bool honours = key >= kSuitKeys;
  std::size_t digits = honours ? key - kSuitKeys : key;
  std::array<int, kSuitSize> counts{};
  for (int& count : counts) {
    count = static_cast<int>(digits % 5);
    digits /= 5;
  }
  return honours ? HonourSuit<Needs>(counts, memo.most_alike, memo.sets)
                 : NumberSuit<Needs>(counts, memo.most_alike, memo.sets);
}

Nearby::Nearby(Distances& distances, const TileCounts& concealed, int melds,
               std::optional<Tile> wild, rules::Shapes shapes, Sets sets)
    : memo_((wild ? distances.wild_ : distances.plain_).of[static_cast<std::size_t>(sets)]),
      wild_(wild),
      shapes_(shapes),
      sets_(static_cast<std::size_t>(4 - melds)),
      natural_(concealed) {
  if (melds > 0) shapes_.seven_pairs = shapes_.thirteen_orphans = false;
  if (wild) {
    wilds_ = concealed[*wild];
    natural_.Remove(*wild, wilds_);
  }
  keys_[kHonourSuitAt] = kSuitKeys;
  for (Tile tile : tiles::kAllKinds) {
    const int held = natural_[tile];
    if (held == 0) continue;
    keys_[SuitOf(tile)] += WeightOf(tile) * static_cast<std::size_t>(held);
    pairs_ += held / 2;
    singles_ += held % 2;
    if (!tile.is_terminal_or_honour()) continue;
    ++orphans_;
    orphan_pairs_ += held >= 2 ? 1 : 0;
  }
  for (std::size_t suit = 0; suit < kSuits; ++suit) {
    needs_[suit] = Distances::NeedsOf(memo_, keys_[suit]);
  }
  const Needs first = Merge(needs_[0], needs_[1]);
  const Needs last = Merge(needs_[2], needs_[3]);
  others_ = {Merge(needs_[1], last), Merge(needs_[0], last), Merge(first, needs_[3]),
             Merge(first, needs_[2])};
}

int Nearby::Missing() const {
  return Total(Join(needs_[0], others_[0]), pairs_, singles_, orphans_, orphan_pairs_ > 0, wilds_);
}

int Nearby::With(Tile tile) const { return Changed(tile, 1); }
int Nearby::Without(Tile tile) const { return Changed(tile, -1); }

int Nearby::Changed(Tile tile, int by) const {
  if (tile == wild_) {
    return Total(Join(needs_[0], others_[0]), pairs_, singles_, orphans_, orphan_pairs_ > 0,
                 wilds_ + by);
  }
  const std::size_t suit = SuitOf(tile);
  const Distances::Key key = by > 0 ? keys_[suit] + WeightOf(tile) : keys_[suit] - WeightOf(tile);
  const int standard = Join(Distances::NeedsOf(memo_, key), others_[suit]);
  const int before = natural_[tile];
  const int after = before + by;
  int orphans = orphans_;
  int orphan_pairs = orphan_pairs_;
  if (tile.is_terminal_or_honour()) {
    orphans += (after > 0 ? 1 : 0) - (before > 0 ? 1 : 0);
    orphan_pairs += (after > 1 ? 1 : 0) - (before > 1 ? 1 : 0);
  }
  return Total(standard, pairs_ + after / 2 - before / 2, singles_ + after % 2 - before % 2,
               orphans, orphan_pairs > 0, wilds_);
}

int Nearby::Total(int standard, int pairs, int singles, int orphans, bool orphan_pair,
                  int wilds) const {
  int missing = shapes_.standard ? standard : kFar + 1;
  if (shapes_.seven_pairs) {
    const int open = kPairs - pairs;
    // A pair that begins with nothing misses two tiles.
    missing = std::min(missing, open + std::max(0, open - singles));
  }
  if (shapes_.thirteen_orphans) {
    missing = std::min(missing, 13 - orphans + (orphan_pair ? 0 : 1));
  }
  // Whatever is missing, a wild tile can stand for it.
  return std::max(0, missing - wilds);
}

// All sets and the pair, of a suit and the three others.
int Nearby::Join(const Needs& suit, const Needs& others) const {
  int best = kFar + 1;
  for (std::size_t of_suit = 0; of_suit <= sets_; ++of_suit) {
    const std::size_t rest = sets_ - of_suit;
    best = std::min({best, others.missing[1][rest] + suit.missing[0][of_suit],
                     others.missing[0][rest] + suit.missing[1][of_suit]});
  }
  return std::min(best, kFar);
}

Nearby::Needs Nearby::Merge(const Needs& a, const Needs& b) const {
  Needs both{};
  for (std::size_t n = 0; n <= sets_; ++n) {
    int plain = kFar;
    int paired = kFar;
    for (std::size_t of_a = 0; of_a <= n; ++of_a) {
      const std::size_t rest = n - of_a;
      plain = std::min(plain, a.missing[0][of_a] + b.missing[0][rest]);
      paired = std::min({paired, a.missing[1][of_a] + b.missing[0][rest],
                         a.missing[0][of_a] + b.missing[1][rest]});
    }
    both.missing[0][n] = static_cast<std::uint8_t>(plain);
    both.missing[1][n] = static_cast<std::uint8_t>(paired);
  }
  return both;
}

}  // namespace mj::bots
