#include "tests/scorer/readings_testing.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

namespace mj::scorer {
namespace {

using Each = std::function<void(const Reading&)>;

int& At(Kinds& kinds, int kind) { return kinds[static_cast<std::size_t>(kind)]; }
int At(const Kinds& kinds, int kind) { return kinds[static_cast<std::size_t>(kind)]; }

struct Search {
  std::vector<Set> melds{};
  Kinds melded{};
  bool seven_pairs = false;
  bool thirteen_orphans = false;
  const Each& each;

  void Emit(Form form, const Kinds& concealed, std::vector<Set> sets, int pair) const {
    Reading reading{.form = form, .sets = std::move(sets), .pair = pair, .tiles = concealed};
    for (int kind = 0; kind < 34; ++kind) At(reading.tiles, kind) += At(melded, kind);
    each(reading);
  }

  // Splits what is left into sets, the lowest kind first.
  void Sets(const Kinds& all, Kinds& left, std::vector<Set>& sets, int pair) const {
    int kind = 0;
    while (kind < 34 && At(left, kind) == 0) ++kind;
    if (kind == 34) return Emit(Form::kSetsAndPair, all, sets, pair);
    if (At(left, kind) >= 3) {
      At(left, kind) -= 3;
      sets.push_back({.kind = kind});
      Sets(all, left, sets, pair);
      sets.pop_back();
      At(left, kind) += 3;
    }
    if (kind < 27 && kind % 9 <= 6 && At(left, kind + 1) > 0 && At(left, kind + 2) > 0) {
      for (int i = 0; i < 3; ++i) --At(left, kind + i);
      sets.push_back({.sequence = true, .kind = kind});
      Sets(all, left, sets, pair);
      sets.pop_back();
      for (int i = 0; i < 3; ++i) ++At(left, kind + i);
    }
  }

  void Read(const Kinds& concealed) const {
    for (int pair = 0; pair < 34; ++pair) {
      if (At(concealed, pair) < 2) continue;
      Kinds left = concealed;
      At(left, pair) -= 2;
      std::vector<Set> sets = melds;
      Sets(concealed, left, sets, pair);
    }
    if (!melds.empty()) return;
    if (seven_pairs &&
        std::all_of(concealed.begin(), concealed.end(), [](int count) { return count % 2 == 0; })) {
      Emit(Form::kSevenPairs, concealed, {}, 0);
    }
    if (thirteen_orphans) {
      bool all = true;
      for (int kind = 0; kind < 34; ++kind) {
        const bool orphan = IsHonour(kind) || IsTerminal(kind);
        if (orphan ? At(concealed, kind) == 0 : At(concealed, kind) > 0) all = false;
      }
      if (all) Emit(Form::kThirteenOrphans, concealed, {}, 0);
    }
  }

  // Lets each of `wilds` tiles stand for every kind, without trying an exchange of two twice.
  void Stand(Kinds& concealed, int wilds, int lowest) const {
    if (wilds == 0) return Read(concealed);
    for (int kind = lowest; kind < 34; ++kind) {
      ++At(concealed, kind);
      Stand(concealed, wilds - 1, kind);
      --At(concealed, kind);
    }
  }
};

}  // namespace

bool IsHonour(int kind) { return kind >= kEast; }
bool IsTerminal(int kind) { return kind < 27 && (kind % 9 == 0 || kind % 9 == 8); }

void ForEachReading(const rules::Win& win, std::optional<int> wild, bool seven_pairs,
                    bool thirteen_orphans, const Each& each) {
  Search search{.seven_pairs = seven_pairs, .thirteen_orphans = thirteen_orphans, .each = each};
  for (const rules::CalledMeld& called : win.hand.melds) {
    const int kind = called.meld.tile.index();
    const bool sequence = called.meld.kind == rules::MeldKind::kChow;
    const bool kong = called.meld.kind == rules::MeldKind::kDiscardKong ||
                      called.meld.kind == rules::MeldKind::kAddedKong ||
                      called.meld.kind == rules::MeldKind::kConcealedKong;
    search.melds.push_back({.sequence = sequence, .kong = kong, .kind = kind});
    if (sequence) {
      for (int i = 0; i < 3; ++i) ++At(search.melded, kind + i);
    } else {
      At(search.melded, kind) += kong ? 4 : 3;
    }
  }
  Kinds concealed{};
  for (int kind = 0; kind < 34; ++kind) {
    At(concealed, kind) = win.hand.concealed[tiles::Tile::At(kind)];
  }
  ++At(concealed, win.tile.index());
  const int wilds = wild ? std::exchange(At(concealed, *wild), 0) : 0;
  search.Stand(concealed, wilds, 0);
}

int TripletsWithin(const Reading& reading, int first, int last) {
  int count = 0;
  for (const Set& set : reading.sets) {
    if (!set.sequence && set.kind >= first && set.kind <= last) ++count;
  }
  return count;
}

int KindsOfTriplets(const Reading& reading, int first, int last) {
  std::set<int> kinds;
  for (const Set& set : reading.sets) {
    if (!set.sequence && set.kind >= first && set.kind <= last) kinds.insert(set.kind);
  }
  return static_cast<int>(kinds.size());
}

bool IsTripletOf(const Reading& reading, int kind) {
  return KindsOfTriplets(reading, kind, kind) == 1;
}

bool FourTriplets(const Reading& reading) { return TripletsWithin(reading, 0, 33) == 4; }

bool FourSequences(const Reading& reading) {
  return reading.form == Form::kSetsAndPair && TripletsWithin(reading, 0, 33) == 0;
}

bool FourKongs(const Reading& reading) {
  return std::count_if(reading.sets.begin(), reading.sets.end(),
                       [](const Set& set) { return set.kong; }) == 4;
}

int FourAlikes(const Reading& reading) {
  int count = 0;
  for (int n : reading.tiles) count += n / 4;
  return count;
}

int SuitsOf(const Reading& reading) {
  int suits = 0;
  for (int suit = 0; suit < 3; ++suit) {
    bool any = false;
    for (int kind = 9 * suit; kind < 9 * suit + 9; ++kind) {
      if (At(reading.tiles, kind) > 0) any = true;
    }
    if (any) ++suits;
  }
  return suits;
}

bool HasHonours(const Reading& reading) {
  for (int kind = kEast; kind <= kRed; ++kind) {
    if (At(reading.tiles, kind) > 0) return true;
  }
  return false;
}

bool HasSimples(const Reading& reading) {
  for (int kind = 0; kind < 27; ++kind) {
    if (!IsTerminal(kind) && At(reading.tiles, kind) > 0) return true;
  }
  return false;
}

bool FullFlush(const Reading& reading) { return SuitsOf(reading) == 1 && !HasHonours(reading); }
bool HalfFlush(const Reading& reading) { return SuitsOf(reading) == 1 && HasHonours(reading); }

bool IsConcealed(const rules::Hand& hand) {
  return std::all_of(hand.melds.begin(), hand.melds.end(), [](const rules::CalledMeld& called) {
    return called.meld.kind == rules::MeldKind::kConcealedKong;
  });
}

}  // namespace mj::scorer
