#include "libs/rules/reading.h"

#include <array>

namespace mj::rules {
namespace {

constexpr std::array<Tile, 13> kOrphans = [] {
  std::array<Tile, 13> orphans{};
  std::size_t n = 0;
  for (Tile tile : tiles::kAllKinds) {
    if (tile.is_terminal_or_honour()) orphans[n++] = tile;
  }
  return orphans;
}();

// Depth-first over the concealed tiles, lowest first: the lowest natural tile left must stand in
// the pair or in a set, so each division is found once (without wild tiles).
class Reader {
 public:
  Reader(const TileCounts& concealed, const Melds& melds, std::optional<Tile> wild,
         internal::ReadingSink& sink)
      : left_(concealed), melds_(melds), sink_(sink) {
    if (wild) {
      wild_count_ = left_[*wild];
      left_.Remove(*wild, wild_count_);
    }
    for (const CalledMeld& called : melds) AddTo(melded_tiles_, called.meld);
  }

  bool Standard() {
    reading_ = Reading{};
    reading_.tiles = melded_tiles_;
    for (const CalledMeld& called : melds_) {
      const Meld& meld = called.meld;
      reading_.sets.push_back({.kind = meld.is_chow() ? Set::Kind::kSequence : Set::Kind::kTriplet,
                               .tile = meld.tile,
                               .kong = meld.is_kong(),
                               .melded = true});
    }
    return Divide(0, wild_count_, false);
  }

  bool SevenPairs() {
    if (!melds_.empty()) return true;
    reading_ = Reading{};
    reading_.shape = Shape::kSevenPairs;
    int wild = wild_count_;
    for (Tile tile : tiles::kAllKinds) {
      int count = left_[tile];
      if (count % 2 == 1) {
        if (wild-- == 0) return true;
        ++count;
      }
      reading_.tiles.Add(tile, count);
    }
    return PairsOfWild(0, wild / 2);
  }

  bool ThirteenOrphans() {
    if (!melds_.empty()) return true;
    int missing = 0;
    int natural = 0;
    std::optional<Tile> twice;
    for (Tile tile : kOrphans) {
      const int count = left_[tile];
      natural += count;
      if (count == 0) ++missing;
      if (count == 2) {
        if (twice) return true;
        twice = tile;
      }
      if (count > 2) return true;
    }
    if (natural + wild_count_ != kHandTiles + 1) return true;
    for (Tile tile : kOrphans) {
      // Fourteen tiles over thirteen kinds: the wild ones fill the gaps, and the pair if need be.
      if (twice ? tile != *twice : missing + 1 != wild_count_) continue;
      reading_ = Reading{};
      reading_.shape = Shape::kThirteenOrphans;
      for (Tile orphan : kOrphans) reading_.tiles.Add(orphan);
      reading_.tiles.Add(tile);
      reading_.pair = tile;
      if (!sink_.Take(reading_)) return false;
    }
    return true;
  }

 private:
  // Adds `pairs` pairs of wild tiles, of any kinds from `first` on.
  bool PairsOfWild(int first, int pairs) {
    if (pairs == 0) {
      reading_.four_alikes = 0;
      for (Tile tile : tiles::kAllKinds) reading_.four_alikes += reading_.tiles[tile] / 4;
      return sink_.Take(reading_);
    }
    for (int i = first; i < tiles::kKindCount; ++i) {
      const Tile tile = Tile::At(i);
      reading_.tiles.Add(tile, 2);
      const bool go_on = PairsOfWild(i, pairs - 1);
      reading_.tiles.Remove(tile, 2);
      if (!go_on) return false;
    }
    return true;
  }

  bool TakeSet(Set::Kind kind, Tile tile, int from, int wild, bool paired) {
    const Reading saved = reading_;
    reading_.sets.push_back({.kind = kind, .tile = tile});
    AddTo(reading_.tiles,
          Meld{kind == Set::Kind::kSequence ? MeldKind::kChow : MeldKind::kPung, tile});
    const bool go_on = Divide(from, wild, paired);
    reading_ = saved;
    return go_on;
  }

  bool TakePair(Tile tile, int from, int wild) {
    const Reading saved = reading_;
    reading_.pair = tile;
    reading_.tiles.Add(tile, 2);
    const bool go_on = Divide(from, wild, true);
    reading_ = saved;
    return go_on;
  }

  // What is left of the concealed tiles, from kind `from` on, with `wild` wild tiles.
  // False as soon as the sink wants no more.
  bool Divide(int from, int wild, bool paired) {
    while (from < tiles::kKindCount && !left_.Has(Tile::At(from))) ++from;
    if (from == tiles::kKindCount) return OnlyWild(0, wild, paired);

    const Tile lowest = Tile::At(from);
    const int count = left_[lowest];
    if (!paired) {
      for (int natural = count >= 2 ? 2 : 1; natural >= 1; --natural) {
        if (2 - natural > wild) break;
        left_.Remove(lowest, natural);
        const bool go_on = TakePair(lowest, from, wild - (2 - natural));
        left_.Add(lowest, natural);
        if (!go_on) return false;
      }
    }
    if (reading_.sets.size() == 4) return true;
    for (int natural = count >= 3 ? 3 : count; natural >= 1; --natural) {
      if (3 - natural > wild) break;
      left_.Remove(lowest, natural);
      const bool go_on = TakeSet(Set::Kind::kTriplet, lowest, from, wild - (3 - natural), paired);
      left_.Add(lowest, natural);
      if (!go_on) return false;
    }
    if (lowest.is_honour()) return true;
    // `lowest` in a sequence, at any of its places: the places below it are wild.
    for (int start = from; start >= from - 2 && start >= 0; --start) {
      if (from - start > wild) break;
      const Tile first = Tile::At(start);
      if (first.suit() != lowest.suit() || !first.starts_chow()) continue;
      if (!Sequence(first, from, from, wild, paired)) return false;
    }
    return true;
  }

  // Fills the places of the sequence on `first`, from kind `place` up, with what is there or wild.
  bool Sequence(Tile first, int place, int from, int wild, bool paired) {
    if (place == from) wild -= from - first.index();
    if (place == first.index() + 3) {
      return TakeSet(Set::Kind::kSequence, first, from, wild, paired);
    }
    const Tile tile = Tile::At(place);
    if (left_.Has(tile)) {
      left_.Remove(tile);
      const bool go_on = Sequence(first, place + 1, from, wild, paired);
      left_.Add(tile);
      if (!go_on || place == from) return go_on;
    }
    if (place == from || wild == 0) return true;
    return Sequence(first, place + 1, from, wild - 1, paired);
  }

  // Nothing natural is left: what is missing is all wild.
  bool OnlyWild(int from, int wild, bool paired) {
    const int sets = 4 - static_cast<int>(reading_.sets.size());
    if (wild != 3 * sets + (paired ? 0 : 2)) return true;
    if (sets == 0) {
      if (paired) return sink_.Take(reading_);
      for (Tile tile : tiles::kAllKinds) {
        reading_.pair = tile;
        reading_.tiles.Add(tile, 2);
        const bool go_on = sink_.Take(reading_);
        reading_.tiles.Remove(tile, 2);
        if (!go_on) return false;
      }
      return true;
    }
    const Reading saved = reading_;
    for (int i = from; i < tiles::kKindCount; ++i) {
      const Tile tile = Tile::At(i);
      for (Set::Kind kind : {Set::Kind::kTriplet, Set::Kind::kSequence}) {
        if (kind == Set::Kind::kSequence && !tile.starts_chow()) continue;
        reading_.sets.push_back({.kind = kind, .tile = tile});
        AddTo(reading_.tiles,
              Meld{kind == Set::Kind::kSequence ? MeldKind::kChow : MeldKind::kPung, tile});
        const bool go_on = OnlyWild(i, wild - 3, paired);
        reading_ = saved;
        if (!go_on) return false;
      }
    }
    return true;
  }

  TileCounts left_;  // natural concealed tiles not yet placed
  const Melds& melds_;
  internal::ReadingSink& sink_;
  int wild_count_ = 0;
  TileCounts melded_tiles_;
  Reading reading_;
};

}  // namespace

namespace internal {

void ReadAll(const TileCounts& concealed, const Melds& melds, std::optional<Tile> wild,
             Shapes shapes, ReadingSink& sink) {
  Reader reader(concealed, melds, wild, sink);
  if (shapes.standard && !reader.Standard()) return;
  if (shapes.seven_pairs && !reader.SevenPairs()) return;
  if (shapes.thirteen_orphans && !reader.ThirteenOrphans()) return;
}

bool IsRareWin(const TileCounts& concealed, const Melds& melds, std::optional<Tile> wild,
               Shapes shapes) {
  struct Sink final : ReadingSink {
    bool Take(const Reading&) override {
      found = true;
      return false;
    }
    bool found = false;
  } sink;
  ReadAll(concealed, melds, wild, shapes, sink);
  return sink.found;
}

}  // namespace internal

}  // namespace mj::rules
