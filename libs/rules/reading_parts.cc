#include "libs/rules/reading_parts.h"

#include <bit>
#include <cstring>

namespace mj::rules::internal {
namespace {

constexpr std::uint64_t kOnes = 0x0101'0101'0101'0101;

// The kinds of which `is(counts)` sets the lowest bit: it is given eight counts, a byte each.
template <typename Is>
KindMask KindsThat(const TileCounts& counts, Is&& is) {
  static_assert(std::endian::native == std::endian::little);
  const auto gather = [&](std::uint64_t eight) {
    return ((is(eight) & kOnes) * 0x0102'0408'1020'4080) >> 56;
  };
  const auto& bytes = counts.by_index();
  KindMask kinds = gather(bytes[32] | std::uint64_t{bytes[33]} << 8) << 32;
  for (std::size_t i = 0; i < 32; i += 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, bytes.data() + i, sizeof eight);
    kinds |= gather(eight) << i;
  }
  return kinds;
}

}  // namespace

constinit const Reading kFourBlankSets = [] {
  Reading reading;
  while (reading.sets.push_back({})) {
  }
  return reading;
}();

KindMask KindsOf(const TileCounts& counts) {
  return KindsThat(counts, [](std::uint64_t eight) {
    eight |= eight >> 4;
    eight |= eight >> 2;
    return eight | eight >> 1;
  });
}

KindMask OddKinds(const TileCounts& counts) {
  return KindsThat(counts, [](std::uint64_t eight) { return eight; });
}

int FourAlikes(const TileCounts& counts) {
  int alikes = 0;
  for (const std::uint8_t count : counts.by_index()) alikes += count / 4;
  return alikes;
}

void AddMelds(Reading& reading, const Melds& melds) {
  for (std::size_t i = 0; i < melds.size(); ++i) {
    const Meld& meld = melds[i].meld;
    const KindMask kind = MaskOf(meld.tile);
    reading.sets[i] = {.kind = meld.is_chow() ? Set::Kind::kSequence : Set::Kind::kTriplet,
                       .tile = meld.tile,
                       .kong = meld.is_kong(),
                       .melded = true};
    AddTo(reading.tiles, meld);
    reading.kinds |= meld.is_chow() ? 7 * kind : kind;
    if (meld.is_chow()) continue;
    reading.second_triplets |= reading.triplets & kind;
    reading.triplets |= kind;
  }
}

}  // namespace mj::rules::internal
