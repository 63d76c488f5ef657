#include "libs/rules/natural_readings.h"

namespace mj::rules::internal {

// The next combination of divisions; the last suit turns fastest.
bool NaturalReadings::Turn() {
  for (int suit = kSuits; suit-- > 0;) {
    const Division*& at = at_[static_cast<std::size_t>(suit)];
    at = DivisionTable::Get().Next(*at);
    if (at != nullptr) return true;
    at = &DivisionTable::Get().First(keys_[suit]);
  }
  return false;
}

Reading NaturalReadings::Other() const {
  Reading reading;
  SetTiles(reading);
  reading.kinds = KindsOf(reading.tiles);
  if (pairs_) {
    reading.shape = Shape::kSevenPairs;
    reading.four_alikes = FourAlikes(reading.tiles);
    return reading;
  }
  reading.shape = Shape::kThirteenOrphans;
  for (Tile tile : tiles::kAllKinds) {
    if (reading.tiles.Has(tile, 2)) reading.pair = tile;
  }
  return reading;
}

bool NaturalReadings::HasEveryOrphan() const {
  KindMask kinds = KindsOf(concealed_);
  if (one_more_) kinds |= MaskOf(*one_more_);
  return kinds == kOrphanKinds;
}

}  // namespace mj::rules::internal
