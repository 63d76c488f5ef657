// Whether the tiles of one suit are sets, or sets and a pair, worked out once for all.
//
// A suit's tiles are numbered by a key: the counts of its ranks, 0 to 4 each, as the digits of a
// number to the base five, doubled, since each has two bits of the table. The honours have keys of
// their own behind those of a suit. Whether a hand is sets and a pair is then four look-ups.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "libs/tiles/tile.h"

namespace mj::rules::internal {

inline constexpr int kSuits = 4;
// Where the honours' keys begin: at the first whole word behind the suits' 5^9.
inline constexpr std::uint32_t kFirstHonourKey = (2 * 1'953'125 + 63) / 64 * 64;
inline constexpr std::uint32_t kKeyWords = (kFirstHonourKey + 2 * 78'125 + 63) / 64;  // 5^7

// A suit as the tables see it. The honours are a suit without sequences.
struct SuitForm {
  int ranks = 9;
  bool sequences = true;
  std::uint32_t first_key = 0;
};
inline constexpr SuitForm kNumberSuit = {.ranks = 9, .sequences = true, .first_key = 0};
inline constexpr SuitForm kHonourSuit = {
    .ranks = 7, .sequences = false, .first_key = kFirstHonourKey};

using RankCounts = std::array<std::uint8_t, 9>;  // how many there are of each rank of a suit

// What one more tile of this rank (less one) adds to a key.
inline constexpr std::array<std::uint32_t, 9> kKeyWeights = {781'250, 156'250, 31'250, 6'250, 1'250,
                                                             250,     50,      10,     2};
constexpr std::uint32_t KeyWeight(const SuitForm& form, int rank) {
  return kKeyWeights[static_cast<std::size_t>(9 - form.ranks) + static_cast<std::size_t>(rank)];
}
// REQUIRES: at most four of each rank.
constexpr std::uint32_t KeyOf(const SuitForm& form, const RankCounts& counts) {
  std::uint32_t digits = 0;
  for (int i = 0; i < form.ranks; ++i) digits = digits * 5 + counts[static_cast<std::size_t>(i)];
  return form.first_key + 2 * digits;
}

// The keys of a hand's suits, and what else a glance at its counts tells.
class HandKeys {
 public:
  explicit HandKeys(const tiles::TileCounts& counts);
  // Of these and one more.
  HandKeys(const tiles::TileCounts& counts, tiles::Tile one_more);

  // Whether no kind occurs more than four times; otherwise there are no keys.
  bool valid() const { return over_four_ == 0; }
  // REQUIRES: valid(), 0 <= suit < kSuits.
  std::uint32_t operator[](int suit) const { return keys_[static_cast<std::size_t>(suit)]; }
  bool all_even() const { return odd_ == 0; }
  // Whether there is any tile that is neither a terminal nor an honour.
  bool has_middle() const { return middle_ != 0; }

 private:
  // Eight neighbouring counts, a byte each, the first in the lowest.
  static std::uint64_t Eight(const tiles::TileCounts& counts, std::size_t first) {
    static_assert(std::endian::native == std::endian::little);
    std::uint64_t word = 0;
    std::memcpy(&word, counts.by_index().data() + first, sizeof word);
    return word;
  }
  // Of each suit the ranks from 1 to 8, and the nines; of the honours all, behind the nine of bamboo.
  void SetAll(std::uint64_t characters, std::uint64_t dots, std::uint64_t bamboo,
              std::uint64_t honours, std::uint64_t nine_characters, std::uint64_t nine_dots,
              std::uint64_t nine_bamboo);

  std::array<std::uint32_t, kSuits> keys_;
  std::uint64_t odd_;
  std::uint64_t middle_;
  std::uint64_t over_four_;
};

// For every key, whether its tiles are complete. 0.6 MiB, and filled in under a millisecond, at
// first use; thread-safe and read-only from then on.
class SuitTable {
 public:
  static const SuitTable& Get() {
    static const SuitTable table;
    return table;
  }

  // Added up over four suits this is kSetsAndPair for sets and one pair, and for nothing else.
  enum Kind : std::uint32_t { kSets = 0, kSetsAndPair = 1, kNeither = 2 };

  // As a number. REQUIRES: a key.
  std::uint32_t KindOf(std::uint32_t key) const {
    return static_cast<std::uint32_t>(kinds_[key / 64] >> (key % 64)) & 3;
  }
  std::uint32_t SumOfKinds(const HandKeys& keys) const {
    return KindOf(keys[0]) + KindOf(keys[1]) + KindOf(keys[2]) + KindOf(keys[3]);
  }

  // How many keys below this one are complete: numbers these without gaps.
  std::size_t Rank(std::uint32_t key) const {
    const std::uint64_t below = (std::uint64_t{1} << (key % 64)) - 1;
    const std::uint64_t complete = ~kinds_[key / 64] & kHighBits;
    return ranks_[key / 64] + static_cast<std::size_t>(std::popcount(complete & below));
  }
  // How many keys are complete.
  std::size_t complete_keys() const { return complete_keys_; }

 private:
  static constexpr std::uint64_t kHighBits = 0xAAAA'AAAA'AAAA'AAAA;

  SuitTable();

  std::array<std::uint64_t, kKeyWords> kinds_;  // two bits for each key
  std::array<std::uint16_t, kKeyWords> ranks_;  // of each word's first key
  std::size_t complete_keys_ = 0;
};

// Inline by order: most of what IsWin does.
[[gnu::always_inline]] inline HandKeys::HandKeys(const tiles::TileCounts& counts) {
  SetAll(Eight(counts, 0), Eight(counts, 9), Eight(counts, 18), Eight(counts, 26),
         counts.by_index()[8], counts.by_index()[17], counts.by_index()[26]);
}

[[gnu::always_inline]] inline HandKeys::HandKeys(const tiles::TileCounts& counts,
                                                 tiles::Tile one_more) {
  // Added to the words, since a word that was just written by bytes is slow to read.
  const auto index = static_cast<unsigned>(one_more.index());
  const auto in_eight = [index](unsigned first) {
    const unsigned place = index - first;
    return std::uint64_t{place < 8} << (8 * place % 64);  // no branch: it would be guessed wrong
  };
  SetAll(Eight(counts, 0) + in_eight(0), Eight(counts, 9) + in_eight(9),
         Eight(counts, 18) + in_eight(18), Eight(counts, 26) + in_eight(26),
         counts.by_index()[8] + std::uint64_t{index == 8},
         counts.by_index()[17] + std::uint64_t{index == 17},
         counts.by_index()[26] + std::uint64_t{index == 26});
}

[[gnu::always_inline]] inline void HandKeys::SetAll(std::uint64_t characters, std::uint64_t dots,
                                                    std::uint64_t bamboo, std::uint64_t honours,
                                                    std::uint64_t nine_characters,
                                                    std::uint64_t nine_dots,
                                                    std::uint64_t nine_bamboo) {
  // Makes one number of eight digits, a byte each, the first the highest, and doubles it: digits
  // are joined to pairs, these to fours, and these to eight.
  const auto join = [](std::uint64_t digits) {
    const std::uint64_t pairs = digits * 5 + (digits >> 8);
    constexpr std::uint64_t kPairs = 0x0000'00FF'0000'00FF;
    constexpr std::uint64_t kFirst = 2 * (25 + (std::uint64_t{15'625} << 32));
    constexpr std::uint64_t kSecond = 2 * (1 + (std::uint64_t{625} << 32));
    return static_cast<std::uint32_t>(
        ((pairs & kPairs) * kFirst + ((pairs >> 16) & kPairs) * kSecond) >> 32);
  };
  keys_[0] = join(characters) * 5 + 2 * static_cast<std::uint32_t>(nine_characters);
  keys_[1] = join(dots) * 5 + 2 * static_cast<std::uint32_t>(nine_dots);
  keys_[2] = join(bamboo) * 5 + 2 * static_cast<std::uint32_t>(nine_bamboo);
  keys_[3] = join(honours & ~std::uint64_t{0xFF}) + kFirstHonourKey;

  constexpr std::uint64_t kOnes = 0x0101'0101'0101'0101;
  const std::uint64_t any = characters | dots | bamboo | honours | nine_characters | nine_dots;
  odd_ = any & kOnes;
  middle_ = (characters | dots | bamboo) >> 8;
  // Adding 0x7B sets the highest bit of a byte above four, unless it was set before.
  constexpr std::uint64_t kAdd = 0x7B * kOnes;
  over_four_ = ((characters + kAdd) | (dots + kAdd) | (bamboo + kAdd) | (honours + kAdd) |
                (nine_characters + kAdd) | (nine_dots + kAdd) | any) &
               (0x80 * kOnes);
}

}  // namespace mj::rules::internal
