#include "libs/rules/wild_search.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "libs/rules/deficit_table.h"
#include "libs/rules/division_table.h"
#include "libs/rules/reading_parts.h"

namespace mj::rules::internal {
namespace {

// Tiles of one suit: half a byte for each rank, and their key, where there is one.
struct Stock {
  std::uint64_t tiles;
  std::uint32_t key;
  bool overfull;  // more than four of a rank: there is no key

  int operator[](int rank) const { return static_cast<int>(tiles >> (4 * rank) & 0xF); }
  void Change(const SuitForm& form, int rank, int n) {
    overfull |= (*this)[rank] + n > tiles::kCopies;
    tiles += static_cast<std::uint64_t>(n) << (4 * rank);
    key += static_cast<std::uint32_t>(n) * KeyWeight(form, rank);
  }
};

int Least(const Deficit& lack, bool pair) { return pair ? lack.to_sets_and_pair : lack.to_sets; }

// One suit, and all that wild tiles can make of it.
class WildSuit {
 public:
  static constexpr int kMostWild = 4;

  // `key` is the suit's, if none of its ranks is overfull. REQUIRES: called once, first.
  void SetNaturals(const TileCounts& naturals, int suit, std::uint32_t key) {
    form_ = suit == kSuits - 1 ? kHonourSuit : kNumberSuit;
    first_ = 9 * suit;
    for (int rank = 0; rank < form_.ranks; ++rank) {
      const int count = naturals[Tile::At(first_ + rank)];
      naturals_.tiles |= static_cast<std::uint64_t>(count) << (4 * rank);
      naturals_.overfull |= count > tiles::kCopies;
      total_ += count;
    }
    naturals_.key = key;
    lack_ = LackOf(naturals_);
  }

  const SuitForm& form() const { return form_; }
  int first() const { return first_; }
  bool overfull() const { return naturals_.overfull; }
  // What it lacks; nothing is known of an overfull one.
  const Deficit& lack() const { return lack_; }

  // Ways to make the suit complete with so many wild tiles, with the pair in it or without.
  struct Completions {
    std::uint16_t begin;
    std::uint16_t end;
    std::int8_t wild;
    bool pair;
  };

  // Finds the completions with up to `most` wild tiles. REQUIRES: called at most twice, for each
  // `pair` once.
  void Complete(bool pair, int most) {
    for (int wild = Least(lack_, pair); wild <= std::min(most, kMostWild); ++wild) {
      if ((total_ + wild) % 3 != (pair ? 2 : 0)) continue;  // no sets have so many tiles
      const auto begin = end_;
      Add(naturals_, pair, wild, 0);
      if (begin == end_) continue;
      groups_[group_count_++] = {begin, end_, static_cast<std::int8_t>(wild), pair};
    }
  }

  std::span<const Completions> completions() const { return {groups_.data(), group_count_}; }
  std::span<const Stock> StocksOf(const Completions& group) const {
    return {stocks_.data() + group.begin, stocks_.data() + group.end};
  }

 private:
  // Up to four of nine ranks, as often as one likes: 1 + 9 + 45 + 165 + 495. How many there are
  // tells whether they can hold the pair, so that none stands here twice.
  static constexpr std::size_t kMostStocks = 715;

  static Deficit LackOf(const Stock& stock) {
    return stock.overfull ? Deficit{} : DeficitTable::Get().Of(stock.key);
  }
  // Exact but for overfull ones: five of a rank hold a triplet or the pair, so that the rest is
  // complete without it.
  bool MayBeComplete(const Stock& stock, bool pair) const {
    const SuitTable& table = SuitTable::Get();
    const auto kind = pair ? SuitTable::kSetsAndPair : SuitTable::kSets;
    if (!stock.overfull) return table.KindOf(stock.key) == kind;
    int rank = 0;
    while (stock[rank] <= tiles::kCopies && rank < form_.ranks - 1) ++rank;
    const Stock but_triplet = Without(stock, rank, 3);
    if (but_triplet.overfull || table.KindOf(but_triplet.key) == kind) return true;
    if (!pair) return false;
    const Stock but_pair = Without(stock, rank, 2);
    return but_pair.overfull || table.KindOf(but_pair.key) == SuitTable::kSets;
  }

  Stock Without(Stock stock, int rank, int n) const {
    stock.Change(form_, rank, -n);
    // Half a byte above four.
    constexpr std::uint64_t kOnes = 0x1'1111'1111;
    stock.overfull = ((stock.tiles + 3 * kOnes) & 8 * kOnes) != 0;
    return stock;
  }

  // Adds wild tiles of ranks from `from` on.
  void Add(const Stock& stock, bool pair, int wild, int from) {
    if (wild == 0) {
      if (MayBeComplete(stock, pair)) stocks_[end_++] = stock;
      return;
    }
    for (int rank = from; rank < form_.ranks; ++rank) {
      Stock more = stock;
      more.Change(form_, rank, 1);
      if (wild > 1 && Least(LackOf(more), pair) >= wild) continue;
      Add(more, pair, wild - 1, rank);
    }
  }

  SuitForm form_;
  int first_ = 0;  // kind
  Stock naturals_{};
  int total_ = 0;  // of the naturals
  Deficit lack_;
  std::array<Completions, 2 * (kMostWild + 1)> groups_;  // the first `group_count_`
  std::size_t group_count_ = 0;
  std::array<Stock, kMostStocks> stocks_;  // the first `end_`
  std::uint16_t end_ = 0;
};

// Four sets and a pair. Wild tiles are given to the suits in every way that makes them all
// complete, and how these divide is looked up: so every reading is found once.
class StandardSearch {
 public:
  StandardSearch(const TileCounts& naturals, int wild, const Melds& melds, ReadingSink& sink)
      : wild_(wild), melds_(melds), sink_(sink) {
    const HandKeys keys(naturals);
    for (int i = kSuits - 1; i >= 0; --i) {
      At(i).SetNaturals(naturals, i, keys[i]);
      From(i) = Together(At(i).lack(), From(i + 1));
      exact_ &= !At(i).overfull();
    }
  }

  // Whether there is any reading, if Exact(); if not, whether there may be.
  bool Feasible() const { return from_[0].to_sets_and_pair <= wild_; }
  // Whether no kind occurs more than four times.
  bool Exact() const { return exact_; }

  // False when the sink wants no more.
  bool Run() {
    if (!Feasible()) return true;
    Deficit before;  // what the suits before lack
    before.to_sets_and_pair = kNever;
    for (int i = 0; i < kSuits; ++i) {
      const Deficit others = Together(before, From(i + 1));
      At(i).Complete(true, wild_ - others.to_sets);
      At(i).Complete(false, wild_ - others.to_sets_and_pair);
      before = Together(before, At(i).lack());
    }
    reading_ = kFourBlankSets;
    AddMelds(reading_, melds_);
    melded_ = reading_;
    return Continue(0, {.wild = wild_, .sets = melds_.size(), .paired = false});
  }

 private:
  static constexpr int kNever = 100;  // lacked by no suits at all to have a pair

  // How far the search has got, between suits.
  struct Progress {
    int wild = 0;  // left
    std::size_t sets = 0;
    bool paired = false;
  };

  static Deficit Together(const Deficit& a, const Deficit& b) {
    return {.to_sets = a.to_sets + b.to_sets,
            .to_sets_and_pair =
                std::min(a.to_sets_and_pair + b.to_sets, a.to_sets + b.to_sets_and_pair)};
  }

  WildSuit& At(int i) { return suits_[static_cast<std::size_t>(i)]; }
  // What this suit and those behind it lack together.
  Deficit& From(int i) { return from_[static_cast<std::size_t>(i)]; }

  // Goes on with suit `i`: with the pair in it, if there is none yet, and without.
  bool Continue(int i, const Progress& progress) {
    if (i == kSuits) return Emit(progress);
    const WildSuit& suit = At(i);
    for (const WildSuit::Completions& group : suit.completions()) {
      if (group.pair && progress.paired) continue;
      Progress next = progress;
      next.paired |= group.pair;
      next.wild -= group.wild;
      if (next.wild < Least(From(i + 1), !next.paired)) continue;
      for (const Stock& stock : suit.StocksOf(group)) {
        if (!Divide(i, stock, group.pair, next)) return false;
      }
    }
    return true;
  }

  bool Divide(int i, const Stock& stock, bool pair, Progress next) {
    if (stock.overfull) return OverfullRank(i, 0, stock, pair, next);
    const DivisionTable& table = DivisionTable::Get();
    const Division* division = &table.First(stock.key);
    const std::size_t sets = next.sets;
    next.sets += division->set_count;
    if (next.sets > 4) return true;
    const int first = At(i).first();
    for (; division != nullptr; division = table.Next(*division)) {
      PackedSets packed = division->SetsAt(static_cast<std::uint32_t>(first));
      for (std::size_t k = sets; k < next.sets; ++k, packed >>= 8) {
        reading_.sets[k] = UnpackedSet(packed & 0xFF);
      }
      if (pair) reading_.pair = Tile::At(first + division->pair);
      if (!Continue(i + 1, next)) return false;
    }
    return true;
  }

  // The same where no table helps: rank by rank, at each first the pair, then triplets, then
  // sequences. `pair`: it is still to be taken.
  bool OverfullRank(int i, int rank, const Stock& left, bool pair, const Progress& next) {
    const WildSuit& suit = At(i);
    if (rank == suit.form().ranks) return pair || Continue(i + 1, next);
    if (pair && left[rank] >= 2) {
      Stock rest = left;
      rest.Change(suit.form(), rank, -2);
      reading_.pair = Tile::At(suit.first() + rank);
      if (!OverfullTriplets(i, rank, rest, false, next)) return false;
    }
    return OverfullTriplets(i, rank, left, pair, next);
  }

  bool OverfullTriplets(int i, int rank, const Stock& left, bool pair, const Progress& next) {
    const WildSuit& suit = At(i);
    if (next.sets < 4 && left[rank] >= 3) {
      Stock rest = left;
      rest.Change(suit.form(), rank, -3);
      Progress with = next;
      reading_.sets[with.sets++] = {.kind = Set::Kind::kTriplet,
                                    .tile = Tile::At(suit.first() + rank)};
      if (!OverfullTriplets(i, rank, rest, pair, with)) return false;
    }
    return OverfullSequences(i, rank, left, pair, next);
  }

  bool OverfullSequences(int i, int rank, const Stock& left, bool pair, const Progress& next) {
    const WildSuit& suit = At(i);
    if (next.sets < 4 && suit.form().sequences && rank + 2 < suit.form().ranks && left[rank] > 0 &&
        left[rank + 1] > 0 && left[rank + 2] > 0) {
      Stock rest = left;
      for (int k = rank; k < rank + 3; ++k) rest.Change(suit.form(), k, -1);
      Progress with = next;
      reading_.sets[with.sets++] = {.kind = Set::Kind::kSequence,
                                    .tile = Tile::At(suit.first() + rank)};
      if (!OverfullSequences(i, rank, rest, pair, with)) return false;
    }
    return left[rank] > 0 || OverfullRank(i, rank + 1, left, pair, next);
  }

  bool Emit(const Progress& progress) {
    if (progress.sets < 4 || !progress.paired || progress.wild > 0) return true;
    reading_.tiles = melded_.tiles;
    reading_.tiles.Add(reading_.pair, 2);
    reading_.kinds = melded_.kinds | MaskOf(reading_.pair);
    reading_.triplets = melded_.triplets;
    reading_.second_triplets = melded_.second_triplets;
    for (std::size_t k = melds_.size(); k < 4; ++k) {
      const Set& set = reading_.sets[k];
      const KindMask kind = MaskOf(set.tile);
      if (set.kind == Set::Kind::kSequence) {
        AddTo(reading_.tiles, {MeldKind::kChow, set.tile});
        reading_.kinds |= 7 * kind;
      } else {
        AddTo(reading_.tiles, {MeldKind::kPung, set.tile});
        reading_.kinds |= kind;
        reading_.second_triplets |= reading_.triplets & kind;
        reading_.triplets |= kind;
      }
    }
    return sink_.Take(reading_);
  }

  const int wild_;
  const Melds& melds_;
  ReadingSink& sink_;
  bool exact_ = true;
  std::array<WildSuit, kSuits> suits_;
  std::array<Deficit, kSuits + 1> from_ = {
      {{}, {}, {}, {}, {.to_sets = 0, .to_sets_and_pair = kNever}}};
  Reading reading_;
  Reading melded_;  // what the melds come to
};

// Pairs of what there is, single tiles with a wild one each, and pairs of wild ones.
class PairsSearch {
 public:
  PairsSearch(const TileCounts& naturals, int wild, ReadingSink& sink)
      : naturals_(naturals),
        single_(OddKinds(naturals)),
        wild_(wild - std::popcount(single_)),
        sink_(sink) {}

  bool Feasible() const { return wild_ >= 0; }

  bool Run() {
    if (!Feasible()) return true;
    reading_.shape = Shape::kSevenPairs;
    reading_.tiles = naturals_;
    for (KindMask left = single_; left != 0; left &= left - 1) {
      reading_.tiles.Add(Tile::At(std::countr_zero(left)));
    }
    reading_.kinds = KindsOf(reading_.tiles);
    reading_.four_alikes = FourAlikes(reading_.tiles);
    return WildPairs(0, wild_ / 2);
  }

 private:
  // Adds pairs of wild tiles, of any kinds from `first` on.
  bool WildPairs(int first, int pairs) {
    if (pairs == 0) return sink_.Take(reading_);
    const Reading before = reading_;
    for (int i = first; i < tiles::kKindCount; ++i) {
      const Tile tile = Tile::At(i);
      reading_.four_alikes += (reading_.tiles[tile] + 2) / 4 - reading_.tiles[tile] / 4;
      reading_.tiles.Add(tile, 2);
      reading_.kinds |= MaskOf(tile);
      const bool go_on = WildPairs(i, pairs - 1);
      reading_.four_alikes = before.four_alikes;
      reading_.tiles.Remove(tile, 2);
      reading_.kinds = before.kinds;
      if (!go_on) return false;
    }
    return true;
  }

  const TileCounts& naturals_;
  const KindMask single_;  // kinds of which one lacks its other
  const int wild_;         // what is left of the wild tiles when these have got it
  Reading reading_;
  ReadingSink& sink_;
};

// One of each, and any one of them twice.
class OrphansSearch {
 public:
  OrphansSearch(const TileCounts& naturals, ReadingSink& sink) : sink_(sink) {
    if ((KindsOf(naturals) & ~kOrphanKinds) != 0) return;
    feasible_ = true;
    for (Tile tile : tiles::kAllKinds) {
      if (naturals[tile] < 2) continue;
      if (twice_ || naturals[tile] > 2) feasible_ = false;
      twice_ = tile;
    }
  }

  // Fourteen tiles, of which naturals and wild ones are all: the wild ones fill the gaps.
  bool Feasible() const { return feasible_; }

  bool Run() {
    if (!feasible_) return true;
    Reading reading;
    reading.shape = Shape::kThirteenOrphans;
    reading.kinds = kOrphanKinds;
    for (Tile tile : tiles::kAllKinds) {
      if ((MaskOf(tile) & kOrphanKinds) != 0) reading.tiles.Add(tile);
    }
    for (Tile tile : tiles::kAllKinds) {
      if (twice_ ? tile != *twice_ : !reading.tiles.Has(tile)) continue;
      reading.tiles.Add(tile);
      reading.pair = tile;
      const bool go_on = sink_.Take(reading);
      reading.tiles.Remove(tile);
      if (!go_on) return false;
    }
    return true;
  }

 private:
  ReadingSink& sink_;
  bool feasible_ = false;
  std::optional<Tile> twice_;
};

}  // namespace

void ReadWithWild(const TileCounts& naturals, int wild, const Melds& melds, Shapes shapes,
                  ReadingSink& sink) {
  if (shapes.standard && !StandardSearch(naturals, wild, melds, sink).Run()) return;
  if (!melds.empty()) return;
  if (shapes.seven_pairs && !PairsSearch(naturals, wild, sink).Run()) return;
  if (shapes.thirteen_orphans) OrphansSearch(naturals, sink).Run();
}

bool IsWinWithWild(const TileCounts& naturals, int wild, const Melds& melds, Shapes shapes) {
  struct Sink final : ReadingSink {
    bool Take(const Reading&) override {
      found = true;
      return false;
    }
    bool found = false;
  } sink;
  const StandardSearch standard(naturals, wild, melds, sink);
  if (!standard.Exact()) {
    ReadWithWild(naturals, wild, melds, shapes, sink);
    return sink.found;
  }
  if (shapes.standard && standard.Feasible()) return true;
  if (!melds.empty()) return false;
  return (shapes.seven_pairs && PairsSearch(naturals, wild, sink).Feasible()) ||
         (shapes.thirteen_orphans && OrphansSearch(naturals, sink).Feasible());
}

}  // namespace mj::rules::internal
