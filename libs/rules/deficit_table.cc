#include "libs/rules/deficit_table.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "libs/rules/suit_divider.h"

namespace mj::rules::internal {
namespace {

// Each key's two deficits while the table is filled: that to sets in the lower half of a byte, that
// to sets and a pair in the higher.
using Unpacked = std::vector<std::uint8_t>;
constexpr int kFar = Deficit::kMost + 1;

// The lesser of each of sixteen numbers below eight, half a byte each.
std::uint64_t LesserHalves(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t kHigh = 0x8888'8888'8888'8888;
  const std::uint64_t not_less = ((a | kHigh) - b) & kHigh;  // where a >= b
  const std::uint64_t take_b = not_less - (not_less >> 3);
  return a ^ ((a ^ b) & take_b);
}

// Each of `count` bytes becomes at most that of `more`, which has a tile more, and one.
// REQUIRES: count >= 8; the stretches do not overlap.
void Lower(std::uint8_t* bytes, const std::uint8_t* more, std::size_t count) {
  constexpr std::uint64_t kOnes = 0x1111'1111'1111'1111;
  for (std::size_t i = 0; i < count; i += 8) {
    const std::size_t at = std::min(i, count - 8);  // the last eight may be done twice
    std::uint64_t ours = 0, theirs = 0;
    std::memcpy(&ours, bytes + at, 8);
    std::memcpy(&theirs, more + at, 8);
    ours = LesserHalves(ours, theirs + kOnes);
    std::memcpy(bytes + at, &ours, 8);
  }
}

// A hand may lack any tiles of any complete one. Taking them away is done rank by rank: the last
// two ranks for each complete hand, the others for the whole table at once.
void Fill(const SuitForm& form, Unpacked& deficits) {
  // Four of a kind, and four wild tiles. Five sets are more than a hand has, but without them what
  // lacks one tile to sets and a pair might lack much more to sets.
  constexpr PartLimits kLimits = {.alike = 8, .sets_without_pair = 5};
  const auto last = static_cast<std::size_t>(form.ranks - 1);
  ForEachDivision(form, kLimits, [&](const SuitParts& parts) {
    RankCounts held{};  // of a hand that lacks nothing but what is over four
    int lacks = 0;
    for (std::size_t rank = 0; rank <= last; ++rank) {
      held[rank] = std::min<std::uint8_t>(parts.counts[rank], tiles::kCopies);
      lacks += parts.counts[rank] - held[rank];
    }
    const int half = parts.pair < 0 ? 0 : 4;
    const std::uint32_t place = KeyOf(form, held) / 2;
    for (std::uint32_t a = 0; a <= held[last - 1]; ++a) {
      for (std::uint32_t b = 0; b <= held[last]; ++b) {
        std::uint8_t& byte = deficits[place - 5 * a - b];
        const int deficit = std::min(lacks + static_cast<int>(a + b), kFar);
        if (((byte >> half) & 0xF) <= deficit) continue;
        byte = static_cast<std::uint8_t>((byte & (0xF0 >> half)) | deficit << half);
      }
    }
  });
  std::uint8_t* const table = deficits.data() + form.first_key / 2;
  std::size_t all = 1;
  for (int rank = 0; rank < form.ranks; ++rank) all *= 5;
  for (std::size_t weight = 25; weight < all; weight *= 5) {
    for (std::size_t block = 0; block < all; block += 5 * weight) {
      for (std::size_t digit = 4; digit-- > 0;) {
        std::uint8_t* const bytes = table + block + digit * weight;
        Lower(bytes, bytes + weight, weight);
      }
    }
  }
}

}  // namespace

DeficitTable::DeficitTable() {
  Unpacked deficits(packed_.size() * 2, kFar | kFar << 4);
  Fill(kNumberSuit, deficits);
  Fill(kHonourSuit, deficits);
  const auto pack = [](std::uint8_t deficit) {
    const int to_sets = deficit & 0xF;
    const int to_sets_and_pair = deficit >> 4;
    return to_sets << 1 | (to_sets_and_pair < to_sets ? 1 : 0);
  };
  for (std::size_t i = 0; i < packed_.size(); ++i) {
    packed_[i] = static_cast<std::uint8_t>(pack(deficits[2 * i]) | pack(deficits[2 * i + 1]) << 4);
  }
}

}  // namespace mj::rules::internal
