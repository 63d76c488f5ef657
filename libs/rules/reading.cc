#include "libs/rules/reading.h"

#include "libs/rules/natural_readings.h"
#include "libs/rules/reading_parts.h"
#include "libs/rules/wild_search.h"

namespace mj::rules::internal {
namespace {

int WildAmong(const TileCounts& concealed, std::optional<Tile> wild) {
  return wild ? concealed[*wild] : 0;
}

TileCounts WithoutWild(TileCounts concealed, std::optional<Tile> wild) {
  if (wild) concealed.Remove(*wild, concealed[*wild]);
  return concealed;
}

}  // namespace

void ReadAll(const TileCounts& concealed, const Melds& melds, std::optional<Tile> wild,
             Shapes shapes, ReadingSink& sink) {
  const HandKeys keys(concealed);
  const int wild_count = WildAmong(concealed, wild);
  if (wild_count > 0 || !keys.valid()) {
    return ReadWithWild(WithoutWild(concealed, wild), wild_count, melds, shapes, sink);
  }
  NaturalReadings readings(concealed, {}, keys, melds, shapes);
  for (; readings.has(); readings.Advance()) {
    if (!sink.Take(readings.Get())) return;
  }
}

bool IsRareWin(const TileCounts& concealed, const Melds& melds, std::optional<Tile> wild,
               Shapes shapes) {
  const HandKeys keys(concealed);
  const int wild_count = WildAmong(concealed, wild);
  if (wild_count > 0 || !keys.valid()) {
    return IsWinWithWild(WithoutWild(concealed, wild), wild_count, melds, shapes);
  }
  const bool whole = melds.empty();
  return (shapes.standard && SuitTable::Get().SumOfKinds(keys) == SuitTable::kSetsAndPair) ||
         (whole && shapes.seven_pairs && keys.all_even()) ||
         (whole && shapes.thirteen_orphans && KindsOf(concealed) == kOrphanKinds);
}

}  // namespace mj::rules::internal
