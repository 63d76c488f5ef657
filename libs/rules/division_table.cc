#include "libs/rules/division_table.h"

#include "libs/rules/suit_divider.h"

namespace mj::rules::internal {
namespace {

Division FromParts(const SuitParts& parts) {
  Division division;
  division.set_count = static_cast<std::uint8_t>(parts.set_count);
  if (parts.pair >= 0) division.pair = static_cast<std::uint8_t>(parts.pair);
  for (int i = 0; i < kNumberSuit.ranks; ++i) {
    const int occurs = parts.counts[static_cast<std::size_t>(i)] > 0 ? 1 : 0;
    division.kinds |= static_cast<std::uint16_t>(occurs << i);
  }
  for (std::size_t i = 0; i < division.set_count; ++i) {
    const SuitParts::Part& part = parts.sets[i];
    division.sets |= (part.rank | (part.sequence ? kSequence : 0)) << (8 * i);
    if (!part.sequence) division.triplets |= static_cast<std::uint16_t>(1 << part.rank);
  }
  return division;
}

}  // namespace

DivisionTable::DivisionTable() : suits_(SuitTable::Get()) {
  std::size_t end = suits_.complete_keys();  // behind what has its place
  for (const SuitForm& form : {kNumberSuit, kHonourSuit}) {
    ForEachDivision(form, {}, [&](const SuitParts& parts) {
      std::size_t place = suits_.Rank(KeyOf(form, parts.counts));
      // Nothing at all has one division as well, which has to be told from a free place: it is
      // the only one without kinds, and comes only once.
      if (divisions_[place].kinds != 0) {
        while (divisions_[place].next_place != 0) place = divisions_[place].next_place;
        divisions_[place].next_place = static_cast<std::uint16_t>(end);
        place = end++;
      }
      divisions_[place] = FromParts(parts);
    });
  }
}

}  // namespace mj::rules::internal
