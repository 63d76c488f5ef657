#include "libs/bots/danger.h"

#include <algorithm>
#include <optional>

namespace mj::bots {
namespace {

using rules::CalledMeld;
using rules::KindMask;
using rules::MaskOf;
using rules::Seat;
using tiles::Tile;

constexpr int kThousand = 1'000;

// How soon a seat waits: by its own throws, and by each meld that it has called.
constexpr int kUnready = 3;
constexpr int kReadyByThrow = 45;
constexpr int kReadyByMeld = 110;
constexpr int kReadyMost = 850;

// In thousandths.
constexpr int kHasThePair = 80, kThenWins = 400;

// How often one who waits waits for such a tile, in thousandths.
constexpr int kMiddle = 50, kNearEnd = 38, kEnd = 29;
constexpr int kHonourByUnseen[] = {0, 9, 20, 26, 26};

// The suit of its melds and the honours, when two or more melds leave only one suit.
KindMask FlushOf(const rules::Melds& melds) {
  constexpr KindMask kHonours = KindMask{0x7F} << 27;
  if (melds.size() < 2) return 0;
  std::optional<tiles::Suit> suit;
  for (const CalledMeld& called : melds) {
    const Tile tile = called.meld.tile;
    if (tile.is_honour()) continue;
    if (suit && *suit != tile.suit()) return 0;
    suit = tile.suit();
  }
  return kHonours | (suit ? KindMask{0x1FF} << (9 * static_cast<int>(*suit)) : 0);
}

}  // namespace

Dangers::Dangers(const Sight& sight, const GoalFinder& goals) : sight_(sight) {
  const round::SeatView& view = sight.view;
  for (int turn = 1; turn < rules::kSeatCount; ++turn) {
    Other other;
    other.seat = rules::After(sight.seat, turn);
    const rules::Melds& melds = view.seats[other.seat].melds;
    other.pays = goals.UsualOnDiscard(view.deal, other.seat, melds);
    int throws = 0;
    for (const round::Thrown& thrown : view.river) {
      if (thrown.seat == other.seat) {
        ++throws;
        other.thrown |= MaskOf(thrown.tile);
        other.passed = 0;
      }
      other.passed |= MaskOf(thrown.tile);
    }
    const int called = static_cast<int>(melds.size());
    other.ready =
        std::clamp((throws - kUnready) * kReadyByThrow + called * kReadyByMeld, 0, kReadyMost);
    if (called == 4) other.ready = kThousand;
    other.flush = FlushOf(melds);
    other.last_meld = called == 3 ? goals.last_meld_costs() : 0;
    others_.push_back(other);
  }
}

int Dangers::Wanted(const Other& other, Tile tile) const {
  // Nobody lets a win go by.
  if ((other.passed & MaskOf(tile)) != 0) return 0;
  const int unseen = sight_.unseen[tile];
  int wanted = kHonourByUnseen[std::clamp(unseen, 0, tiles::kCopies)];
  if (!tile.is_honour()) {
    const int rank = tile.rank();
    wanted = rank == 1 || rank == 9 ? kEnd : rank == 2 || rank == 8 ? kNearEnd : kMiddle;
    // Half of what it could wait with is open to view.
    for (const int step : {-3, 3}) {
      const bool there = rank + step >= 1 && rank + step <= 9;
      if (there && (other.thrown & MaskOf(Tile::At(tile.index() + step))) != 0) {
        wanted = wanted * 3 / 4;
      }
    }
    if (unseen == 0) wanted = wanted * 2 / 3;
  }
  if ((other.thrown & MaskOf(tile)) != 0) wanted /= 5;
  if (other.flush != 0) {
    wanted = (other.flush & MaskOf(tile)) != 0 ? wanted * 3 / 2 : wanted / 3;
  }
  return wanted;
}

Expected Dangers::Of(Tile tile) const {
  if (sight_.view.deal.wild == tile) return 0;
  Expected cost = 0;
  for (const Other& other : others_) {
    const int wanted = Wanted(other, tile);
    cost += kExpectedUnit * other.pays * other.ready * wanted / (kThousand * kThousand);
    // It may hold the pair that the tile makes a pung of, and win after that.
    if (sight_.unseen[tile] >= 2) {
      cost += kExpectedUnit * other.last_meld * kHasThePair * kThenWins / (kThousand * kThousand);
    }
  }
  return cost;
}

}  // namespace mj::bots
