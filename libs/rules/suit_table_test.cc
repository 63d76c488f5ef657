// The tables against the plainest counting of one suit.
#include "libs/rules/suit_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "libs/rules/deficit_table.h"
#include "libs/rules/division_table.h"
#include "tests/support/counts.h"
#include "tests/support/random.h"

namespace mj::rules::internal {
namespace {

// Sets off the lowest tile; with `pair`, a pair at some time too. Any count of a rank.
bool IsComplete(const SuitForm& form, RankCounts counts, bool pair, int sets) {
  std::size_t lowest = 0;
  const auto ranks = static_cast<std::size_t>(form.ranks);
  while (lowest < ranks && counts[lowest] == 0) ++lowest;
  if (lowest == ranks) return !pair;
  const auto less = [&](std::initializer_list<std::size_t> of, int n) {
    RankCounts rest = counts;
    for (std::size_t rank : of) rest[rank] = static_cast<std::uint8_t>(rest[rank] - n);
    return rest;
  };
  if (pair && counts[lowest] >= 2 && IsComplete(form, less({lowest}, 2), false, sets)) return true;
  if (sets == 0) return false;
  if (counts[lowest] >= 3 && IsComplete(form, less({lowest}, 3), pair, sets - 1)) return true;
  return form.sequences && lowest + 2 < ranks && counts[lowest + 1] > 0 && counts[lowest + 2] > 0 &&
         IsComplete(form, less({lowest, lowest + 1, lowest + 2}, 1), pair, sets - 1);
}

// Every key, or in the short run every hundredth: a prime, so that all ranks take part.
void ForEachKey(const SuitForm& form, const std::function<void(const RankCounts&)>& visit) {
  std::uint32_t all = 1;
  for (int i = 0; i < form.ranks; ++i) all *= 5;
  const std::uint32_t step = testing::LongRun() ? 1 : 101;
  for (std::uint32_t key = 0; key < all; key += step) {
    RankCounts counts{};
    std::uint32_t digits = key;
    for (int i = form.ranks - 1; i >= 0; --i, digits /= 5) {
      counts[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(digits % 5);
    }
    visit(counts);
  }
}

TEST(SuitTableTest, KnowsForEveryKeyWhetherItIsComplete) {
  const SuitTable& table = SuitTable::Get();
  for (const SuitForm& form : {kNumberSuit, kHonourSuit}) {
    ForEachKey(form, [&](const RankCounts& counts) {
      const auto kind = table.KindOf(KeyOf(form, counts));
      ASSERT_EQ(kind == SuitTable::kSets, IsComplete(form, counts, false, 4));
      ASSERT_EQ(kind == SuitTable::kSetsAndPair, IsComplete(form, counts, true, 4));
    });
  }
}

TEST(SuitTableTest, TheTablesTakeNoMoreThanFourMiB) {
  EXPECT_LE(sizeof(SuitTable) + sizeof(DivisionTable) + sizeof(DeficitTable), 4u << 20);
}

TEST(SuitTableTest, KeysOfAHandAreThoseOfItsSuits) {
  testing::Random random(1);
  for (std::int64_t i = 0; i < testing::Count(200'000); ++i) {
    tiles::TileCounts counts;
    std::array<RankCounts, kSuits> suits{};
    const int most = random.OneIn(4) ? 9 : 4;
    for (int n = random.Below(24); n > 0; --n) {
      const Tile tile = Tile::At(random.Below(tiles::kKindCount));
      auto& count = suits[static_cast<std::size_t>(tile.index() / 9)]
                         [static_cast<std::size_t>(tile.index() % 9)];
      const int more = 1 + random.Below(most);
      if (count + more > most) continue;
      count = static_cast<std::uint8_t>(count + more);
      counts.Add(tile, more);
    }
    bool four_at_most = true, even = true, middle = false;
    for (Tile tile : tiles::kAllKinds) {
      four_at_most &= counts[tile] <= 4;
      even &= counts[tile] % 2 == 0;
      middle |= counts.Has(tile) && !tile.is_terminal_or_honour();
    }
    const Tile one = Tile::At(random.Below(tiles::kKindCount));
    tiles::TileCounts without = counts;
    if (counts.Has(one)) without.Remove(one);
    for (const HandKeys& keys :
         {HandKeys(counts), counts.Has(one) ? HandKeys(without, one) : HandKeys(counts)}) {
      ASSERT_EQ(keys.valid(), four_at_most);
      ASSERT_EQ(keys.all_even(), even);
      ASSERT_EQ(keys.has_middle(), middle);
      if (!four_at_most) continue;
      for (int suit = 0; suit < kSuits; ++suit) {
        ASSERT_EQ(keys[suit], KeyOf(suit < 3 ? kNumberSuit : kHonourSuit,
                                    suits[static_cast<std::size_t>(suit)]));
      }
    }
  }
}

TEST(SuitTableTest, CountsThatAreFarTooManyAreNoKeys) {
  for (int count : {5, 7, 8, 100, 127, 128, 132, 133, 251, 255}) {
    for (Tile tile : tiles::kAllKinds) {
      tiles::TileCounts counts;
      counts.Add(tile, count);
      EXPECT_FALSE(HandKeys(counts).valid()) << count;
    }
  }
}

TEST(DivisionTableTest, EveryDivisionIsOfItsKeyAndNoneComesTwice) {
  const SuitTable& suits = SuitTable::Get();
  const DivisionTable& table = DivisionTable::Get();
  std::size_t divisions = 0;
  for (const SuitForm& form : {kNumberSuit, kHonourSuit}) {
    std::uint32_t all = 1;
    for (int i = 0; i < form.ranks; ++i) all *= 5;
    for (std::uint32_t i = 0; i < all; ++i) {
      const std::uint32_t key = form.first_key + 2 * i;
      if (suits.KindOf(key) == SuitTable::kNeither) continue;
      std::set<std::pair<PackedSets, int>> seen;
      for (const Division* division = &table.First(key); division != nullptr;
           division = table.Next(*division)) {
        ++divisions;
        std::uint32_t sum = 0;
        std::uint16_t kinds = 0, triplets = 0;
        if (suits.KindOf(key) == SuitTable::kSetsAndPair) {
          sum += 2 * KeyWeight(form, division->pair);
          kinds |= static_cast<std::uint16_t>(1 << division->pair);
        }
        for (int k = 0; k < 4; ++k) {
          const PackedSets set = division->sets >> (8 * k) & 0xFF;
          const auto rank = static_cast<int>(set & ~kSequence);
          if (k >= division->set_count) {
            ASSERT_EQ(set, 0u);
          } else if ((set & kSequence) != 0) {
            for (int r = rank; r < rank + 3; ++r) sum += KeyWeight(form, r);
            kinds |= static_cast<std::uint16_t>(7 << rank);
          } else {
            sum += 3 * KeyWeight(form, rank);
            kinds |= static_cast<std::uint16_t>(1 << rank);
            triplets |= static_cast<std::uint16_t>(1 << rank);
          }
        }
        ASSERT_EQ(form.first_key + sum, key);
        ASSERT_EQ(division->kinds, kinds);
        ASSERT_EQ(division->triplets, triplets);
        ASSERT_TRUE(seen.insert({division->sets, division->pair}).second);
      }
    }
  }
  EXPECT_EQ(divisions, 24'031u) << "as many as there are places";
}

// The least number of tiles that make it complete, found by trying.
int Deficits(const SuitForm& form, RankCounts& counts, bool pair, int most, int first = 0) {
  if (IsComplete(form, counts, pair, pair ? 4 : 5)) return 0;
  if (most == 0) return 1;  // more than there may be
  int least = most + 1;
  for (int rank = first; rank < form.ranks; ++rank) {
    auto& count = counts[static_cast<std::size_t>(rank)];
    ++count;
    least = std::min(least, 1 + Deficits(form, counts, pair, most - 1, rank));
    --count;
  }
  return least;
}

TEST(DeficitTableTest, KnowsWhatIsLacking) {
  const DeficitTable& table = DeficitTable::Get();
  testing::Random random(2);
  for (std::int64_t i = 0; i < testing::Count(100'000); ++i) {
    const SuitForm& form = random.OneIn(4) ? kHonourSuit : kNumberSuit;
    RankCounts counts{};
    int tiles = random.Below(14);
    for (int tries = 0; tries < 40 && tiles > 0; ++tries) {
      auto& count = counts[static_cast<std::size_t>(random.Below(form.ranks))];
      if (count == 4) continue;
      ++count;
      --tiles;
    }
    constexpr int kMost = 3;
    const Deficit known = table.Of(KeyOf(form, counts));
    EXPECT_EQ(std::min(known.to_sets, kMost + 1), Deficits(form, counts, false, kMost));
    EXPECT_EQ(std::min(known.to_sets_and_pair, kMost + 1), Deficits(form, counts, true, kMost));
  }
}

}  // namespace
}  // namespace mj::rules::internal
