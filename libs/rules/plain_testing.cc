#include "libs/rules/plain_testing.h"

#include <algorithm>
#include <tuple>

namespace mj::rules::plain {
namespace {

// Whether the tiles from kind `from` on are `sets` sets and nothing else.
bool AreSets(TileCounts& left, int sets, int from) {
  while (from < tiles::kKindCount && !left.Has(Tile::At(from))) ++from;
  if (sets == 0 || from == tiles::kKindCount) return sets == 0 && from == tiles::kKindCount;
  const Tile lowest = Tile::At(from);
  if (left.Has(lowest, 3)) {
    left.Remove(lowest, 3);
    const bool wins = AreSets(left, sets - 1, from);
    left.Add(lowest, 3);
    if (wins) return true;
  }
  if (!lowest.starts_chow()) return false;
  const Tile second = Tile::At(from + 1), third = Tile::At(from + 2);
  if (!left.Has(second) || !left.Has(third)) return false;
  left.Remove(lowest), left.Remove(second), left.Remove(third);
  const bool wins = AreSets(left, sets - 1, from);
  left.Add(lowest), left.Add(second), left.Add(third);
  return wins;
}

bool IsStandard(TileCounts& tiles, int melds) {
  for (Tile pair : tiles::kAllKinds) {
    if (!tiles.Has(pair, 2)) continue;
    tiles.Remove(pair, 2);
    const bool wins = AreSets(tiles, 4 - melds, 0);
    tiles.Add(pair, 2);
    if (wins) return true;
  }
  return false;
}

bool IsSevenPairs(const TileCounts& tiles) {
  int pairs = 0;
  for (Tile tile : tiles::kAllKinds) {
    if (tiles[tile] % 2 != 0) return false;
    pairs += tiles[tile] / 2;
  }
  return pairs == 7;
}

bool IsThirteenOrphans(const TileCounts& tiles) {
  for (Tile tile : tiles::kAllKinds) {
    if (tile.is_terminal_or_honour() != tiles.Has(tile)) return false;
  }
  return tiles.total() == 14;
}

}  // namespace

bool IsWin(TileCounts tiles, int melds, Shapes shapes) {
  if (shapes.standard && IsStandard(tiles, melds)) return true;
  if (melds > 0) return false;
  return (shapes.seven_pairs && IsSevenPairs(tiles)) ||
         (shapes.thirteen_orphans && IsThirteenOrphans(tiles));
}

bool IsWinWithWild(TileCounts naturals, int wild, int melds, Shapes shapes) {
  if (wild == 0) return IsWin(naturals, melds, shapes);
  for (Tile tile : tiles::kAllKinds) {
    naturals.Add(tile);
    if (IsWinWithWild(naturals, wild - 1, melds, shapes)) return true;
    naturals.Remove(tile);
  }
  return false;
}

namespace {

// Collects readings of natural tiles.
class Reader {
 public:
  Reader(const TileCounts& tiles, const Melds& melds, std::vector<Reading>& readings)
      : left_(tiles), melds_(melds), readings_(readings) {}

  void Standard() {
    for (Tile pair : tiles::kAllKinds) {
      if (!left_.Has(pair, 2)) continue;
      left_.Remove(pair, 2);
      Sets(pair);
      left_.Add(pair, 2);
    }
  }

  void SevenPairs() {
    if (!melds_.empty() || !IsSevenPairs(left_)) return;
    Reading reading;
    reading.shape = Shape::kSevenPairs;
    reading.tiles = left_;
    for (Tile tile : tiles::kAllKinds) reading.four_alikes += left_[tile] / 4;
    Put(reading);
  }

  void ThirteenOrphans() {
    if (!melds_.empty() || !IsThirteenOrphans(left_)) return;
    Reading reading;
    reading.shape = Shape::kThirteenOrphans;
    reading.tiles = left_;
    for (Tile tile : tiles::kAllKinds) {
      if (left_[tile] == 2) reading.pair = tile;
    }
    Put(reading);
  }

 private:
  void Sets(Tile pair) {
    Tile lowest;
    while (lowest.index() < tiles::kKindCount - 1 && !left_.Has(lowest)) {
      lowest = Tile::At(lowest.index() + 1);
    }
    if (melds_.size() + sets_.size() == 4) {
      if (left_.empty()) PutStandard(pair);
      return;
    }
    for (Set::Kind kind : {Set::Kind::kTriplet, Set::Kind::kSequence}) {
      if (kind == Set::Kind::kSequence && !lowest.starts_chow()) continue;
      TileCounts set;
      AddTo(set, {kind == Set::Kind::kTriplet ? MeldKind::kPung : MeldKind::kChow, lowest});
      bool there = true;
      for (Tile tile : tiles::kAllKinds) there &= left_[tile] >= set[tile];
      if (!there) continue;
      for (Tile tile : tiles::kAllKinds) left_.Remove(tile, set[tile]);
      sets_.push_back({.kind = kind, .tile = lowest});
      Sets(pair);
      sets_.pop_back();
      left_ += set;
    }
  }

  void PutStandard(Tile pair) {
    Reading reading;
    reading.pair = pair;
    reading.tiles.Add(pair, 2);
    for (const CalledMeld& called : melds_) {
      reading.sets.push_back(
          {.kind = called.meld.is_chow() ? Set::Kind::kSequence : Set::Kind::kTriplet,
           .tile = called.meld.tile,
           .kong = called.meld.is_kong(),
           .melded = true});
      AddTo(reading.tiles, called.meld);
    }
    std::vector<Set> concealed = sets_;
    std::sort(concealed.begin(), concealed.end(), [](const Set& a, const Set& b) {
      if (a.tile != b.tile) return a.tile < b.tile;
      return a.kind == Set::Kind::kTriplet && b.kind == Set::Kind::kSequence;
    });
    for (const Set& set : concealed) {
      reading.sets.push_back(set);
      AddTo(reading.tiles,
            {set.kind == Set::Kind::kTriplet ? MeldKind::kPung : MeldKind::kChow, set.tile});
    }
    for (const Set& set : reading.sets) {
      if (set.kind != Set::Kind::kTriplet) continue;
      auto& mask =
          (reading.triplets & MaskOf(set.tile)) != 0 ? reading.second_triplets : reading.triplets;
      mask |= MaskOf(set.tile);
    }
    Put(reading);
  }

  void Put(Reading reading) {
    for (Tile tile : tiles::kAllKinds) {
      if (reading.tiles.Has(tile)) reading.kinds |= MaskOf(tile);
    }
    if (std::find(readings_.begin(), readings_.end(), reading) == readings_.end()) {
      readings_.push_back(reading);
    }
  }

  TileCounts left_;
  const Melds& melds_;
  std::vector<Set> sets_;
  std::vector<Reading>& readings_;
};

void ReadWithWild(const TileCounts& naturals, int wild, int first, const Melds& melds,
                  Shapes shapes, std::vector<Reading>& readings) {
  if (wild == 0) {
    Reader reader(naturals, melds, readings);
    if (shapes.standard) reader.Standard();
    if (shapes.seven_pairs) reader.SevenPairs();
    if (shapes.thirteen_orphans) reader.ThirteenOrphans();
    return;
  }
  for (int kind = first; kind < tiles::kKindCount; ++kind) {
    TileCounts more = naturals;
    more.Add(Tile::At(kind));
    ReadWithWild(more, wild - 1, kind, melds, shapes, readings);
  }
}

}  // namespace

std::vector<Reading> Readings(const TileCounts& naturals, int wild, const Melds& melds,
                              Shapes shapes) {
  std::vector<Reading> readings;
  ReadWithWild(naturals, wild, 0, melds, shapes, readings);
  return readings;
}

Worth BestOf(const std::vector<Reading>& readings, const Variant& variant, const Options& options,
             const FinishedRound& round, const WinQuestion& question) {
  NoWin furthest = NoWin::kNotAWinningShape;
  std::vector<Worth> legal;
  for (const Reading& reading : readings) {
    const Worth worth = variant.Appraise(question, reading, round, options);
    if (worth.no_win) {
      furthest = std::max(furthest, *worth.no_win);
    } else {
      legal.push_back(worth);
    }
  }
  if (legal.empty()) {
    Worth none;
    none.no_win = furthest;
    return none;
  }
  const auto key = [](const Worth& worth) {
    std::vector<RuleId> ids(worth.patterns.begin(), worth.patterns.end());
    const auto count = static_cast<std::int64_t>(ids.size()) - (worth.chicken ? 1 : 0);
    return std::tuple(-worth.share, -count, -worth.before_limit, ids);
  };
  return *std::min_element(legal.begin(), legal.end(),
                           [&](const Worth& a, const Worth& b) { return key(a) < key(b); });
}

}  // namespace mj::rules::plain
