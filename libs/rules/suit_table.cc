#include "libs/rules/suit_table.h"

#include "libs/rules/suit_divider.h"

namespace mj::rules::internal {

SuitTable::SuitTable() {
  kinds_.fill(kHighBits);  // kNeither
  for (const SuitForm& form : {kNumberSuit, kHonourSuit}) {
    ForEachDivision(form, {}, [&](const SuitParts& parts) {
      const std::uint32_t key = KeyOf(form, parts.counts);
      const std::uint64_t kind = parts.pair < 0 ? kSets : kSetsAndPair;
      std::uint64_t& word = kinds_[key / 64];
      word &= ~(std::uint64_t{3} << (key % 64));
      word |= kind << (key % 64);
    });
  }
  for (std::size_t word = 0; word < kKeyWords; ++word) {
    ranks_[word] = static_cast<std::uint16_t>(complete_keys_);
    complete_keys_ += static_cast<std::size_t>(std::popcount(~kinds_[word] & kHighBits));
  }
}

}  // namespace mj::rules::internal
