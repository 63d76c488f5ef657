#include "tests/scorer/hands_testing.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace mj::scorer {
namespace {

using rules::MeldKind;
using testing::Random;

// One try at a hand; what it took is given back by whoever keeps the wall.
class Maker {
 public:
  Maker(Wall wall, rules::Seat seat, std::optional<int> tile, Random& random)
      : wall_(std::move(wall)), seat_(seat), asked_(tile), random_(random) {
    if (asked_) ++LeftOf(*asked_);  // taken again as a part of the hand
  }

  std::optional<DealtHand> Make() {
    ChooseTheme();
    const int shape = random_.Below(20);
    const bool made = shape < 14    ? SetsAndPair()
                      : shape < 17  ? SevenPairs()
                      : shape == 17 ? ThirteenOrphans()
                      : shape == 18 ? NineGates()
                                    : GreatHonours();
    if (!made) return std::nullopt;
    return Finish();
  }

  const Wall& wall() const { return wall_; }

 private:
  int& LeftOf(int kind) { return wall_.left[static_cast<std::size_t>(kind)]; }

  bool Take(int kind, int count) {
    if (LeftOf(kind) < count) return false;
    LeftOf(kind) -= count;
    return true;
  }
  bool TakeLoose(int kind, int count) {
    if (!Take(kind, count)) return false;
    loose_.insert(loose_.end(), static_cast<std::size_t>(count), kind);
    return true;
  }

  // Which kinds the hand is made of, and how.
  void ChooseTheme() {
    const int suit = random_.Below(3);
    const int other = random_.Below(3);
    const int theme = random_.Below(8);
    for (int kind = 0; kind < 34; ++kind) {
      const bool in_suit = kind / 9 == suit;
      const bool end = IsTerminal(kind);
      const bool fits = theme == 0   ? in_suit
                        : theme == 1 ? in_suit || IsHonour(kind)
                        : theme == 2 ? IsHonour(kind)
                        : theme == 3 ? end || IsHonour(kind)
                        : theme == 4 ? end
                        : theme == 5 ? in_suit || kind / 9 == other
                                     : true;
      if (fits) kinds_.push_back(kind);
    }
    triplets_in_ten_ = PickFrom(std::array{0, 5, 10, 10}, random_);
    melds_in_ten_ = PickFrom(std::array{0, 0, 4, 8, 10}, random_);
    kongs_in_ten_ = PickFrom(std::array{0, 3, 10}, random_);
    concealed_kongs_only_ = random_.OneIn(5);
  }

  int AnyKind() { return PickFrom(kinds_, random_); }

  // A triplet beside the hand, or in it.
  bool Triplet(int kind, bool may_meld) {
    const bool meld = may_meld && wall_.wild != kind && random_.Below(10) < melds_in_ten_;
    if (!meld) return TakeLoose(kind, 3);
    MeldKind made = concealed_kongs_only_ ? MeldKind::kConcealedKong : MeldKind::kPung;
    if (!concealed_kongs_only_ && random_.Below(10) < kongs_in_ten_) {
      made = PickFrom(
          std::array{MeldKind::kDiscardKong, MeldKind::kAddedKong, MeldKind::kConcealedKong},
          random_);
    }
    if (!Take(kind, made == MeldKind::kPung ? 3 : 4)) return false;
    AddMeld({made, tiles::Tile::At(kind)});
    return true;
  }

  bool Sequence(int kind, bool may_meld) {
    if (kind >= 27 || kind % 9 > 6) return false;
    for (int i = 0; i < 3; ++i) {
      if (LeftOf(kind + i) == 0) return false;
    }
    const bool meld = may_meld && wall_.chow && random_.Below(10) < melds_in_ten_;
    for (int i = 0; i < 3; ++i) {
      if (meld) {
        Take(kind + i, 1);
      } else {
        TakeLoose(kind + i, 1);
      }
    }
    if (meld) AddMeld({MeldKind::kChow, tiles::Tile::At(kind)});
    return true;
  }

  void AddMeld(tiles::Meld meld) {
    rules::CalledMeld called{.meld = meld, .from = std::nullopt};
    if (meld.kind == MeldKind::kChow) {
      called.from = rules::Before(seat_);
    } else if (meld.kind != MeldKind::kConcealedKong) {
      called.from = rules::After(seat_, 1 + random_.Below(3));
    }
    melds_.push_back(called);
  }

  // Sets until there are four; what does not fit is tried again with another.
  bool FillSets() {
    for (int tries = 0; sets_ < 4; ++tries) {
      if (tries == 40) return false;
      const bool triplet = random_.Below(10) < triplets_in_ten_;
      if (triplet ? Triplet(AnyKind(), true) : Sequence(AnyKind(), true)) ++sets_;
    }
    return true;
  }

  bool AnyPair() {
    for (int tries = 0; tries < 40; ++tries) {
      if (TakeLoose(AnyKind(), 2)) return true;
    }
    return false;
  }

  bool SetsAndPair() {
    bool paired = false;
    if (asked_) {  // the asked tile has a part in the concealed hand
      const int part = random_.Below(5);
      if (part == 0) {
        if (!Triplet(*asked_, false)) return false;
        ++sets_;
      } else if (part <= 3 && *asked_ < 27 && Sequence(*asked_ - part + 1, false)) {
        ++sets_;
      } else {
        paired = TakeLoose(*asked_, 2);
        if (!paired) return false;
      }
    }
    return FillSets() && (paired || AnyPair());
  }

  // Three or four winds, two or three dragons, and the rest as it comes.
  bool GreatHonours() {
    const bool winds = random_.OneIn(2);
    const int first = winds ? kEast : kWhite;
    const int count = winds ? 4 : 3;
    const int as_pair = random_.OneIn(2) ? first + random_.Below(count) : -1;
    for (int kind = first; kind < first + count; ++kind) {
      if (kind == as_pair) {
        if (!TakeLoose(kind, 2)) return false;
      } else {
        if (!Triplet(kind, kind != asked_)) return false;
        ++sets_;
      }
    }
    return FillSets() && (as_pair >= 0 || AnyPair());
  }

  bool SevenPairs() {
    int pairs = 0;
    if (asked_) {
      if (!TakeLoose(*asked_, 2)) return false;
      pairs = 1;
    }
    for (int fours = random_.Below(4); fours > 0 && pairs < 6; --fours) {
      if (TakeLoose(AnyKind(), 4)) pairs += 2;
    }
    for (; pairs < 7; ++pairs) {
      if (!AnyPair()) return false;
    }
    return true;
  }

  bool ThirteenOrphans() {
    std::vector<int> orphans;
    for (int kind = 0; kind < 34; ++kind) {
      if (!IsTerminal(kind) && !IsHonour(kind)) continue;
      if (!TakeLoose(kind, 1)) return false;
      orphans.push_back(kind);
    }
    return TakeLoose(PickFrom(orphans, random_), 1);
  }

  bool NineGates() {
    const int suit = asked_ ? *asked_ / 9 : random_.Below(3);
    if (suit == 3) return false;
    for (int rank = 0; rank < 9; ++rank) {
      if (!TakeLoose(9 * suit + rank, rank == 0 || rank == 8 ? 3 : 1)) return false;
    }
    const int last = asked_.value_or(9 * suit + random_.Below(9));
    if (!TakeLoose(last, 1)) return false;
    if (!asked_ && random_.OneIn(2)) asked_ = last;
    return true;
  }

  // Wild tiles in place of others, a spoiled hand now and then, and the order of things.
  std::optional<DealtHand> Finish() {
    DealtHand dealt;
    if (asked_) {
      const auto at = std::find(loose_.begin(), loose_.end(), *asked_);
      if (at == loose_.end()) return std::nullopt;
      loose_.erase(at);
      dealt.tile = *asked_;
    }
    if (wall_.wild && !loose_.empty() && random_.OneIn(2)) {
      int wilds =
          random_.OneIn(50) ? 4 : PickFrom(std::array{1, 1, 1, 1, 1, 1, 2, 2, 2, 3}, random_);
      for (; wilds > 0; --wilds) Exchange(*wall_.wild);
    }
    if (random_.OneIn(15) && !loose_.empty()) Exchange(random_.Below(34));
    if (!asked_) {
      const auto at = loose_.begin() + random_.Below(static_cast<int>(loose_.size()));
      dealt.tile = *at;
      loose_.erase(at);
    }
    for (int kind : loose_) dealt.hand.concealed.Add(tiles::Tile::At(kind));
    while (!melds_.empty()) {
      const auto at = melds_.begin() + random_.Below(static_cast<int>(melds_.size()));
      dealt.hand.melds.push_back(*at);
      melds_.erase(at);
    }
    return dealt;
  }

  void Exchange(int for_kind) {
    if (LeftOf(for_kind) == 0) return;
    int& tile = loose_[static_cast<std::size_t>(random_.Below(static_cast<int>(loose_.size())))];
    ++LeftOf(tile);
    tile = for_kind;
    --LeftOf(tile);
  }

  Wall wall_;
  const rules::Seat seat_;
  std::optional<int> asked_;
  Random& random_;

  std::vector<int> kinds_;
  int triplets_in_ten_ = 0;
  int melds_in_ten_ = 0;
  int kongs_in_ten_ = 0;
  bool concealed_kongs_only_ = false;

  int sets_ = 0;
  std::vector<int> loose_;  // concealed, the winning tile among them
  std::vector<rules::CalledMeld> melds_;
};

}  // namespace

std::optional<DealtHand> MakeHand(Wall& wall, rules::Seat seat, std::optional<int> tile,
                                  Random& random) {
  for (int tries = 0; tries < 20; ++tries) {
    Maker maker(wall, seat, tile, random);
    if (std::optional<DealtHand> dealt = maker.Make()) {
      wall = maker.wall();
      return dealt;
    }
  }
  return std::nullopt;
}

}  // namespace mj::scorer
