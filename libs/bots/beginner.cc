#include "libs/bots/beginner.h"

#include "libs/bots/mix.h"

namespace mj::bots {
namespace {

using round::Choice;
using tiles::Tile;

constexpr int kAlike = 4, kNext = 2, kNextButOne = 1;  // what tiles that touch are worth keeping
constexpr int kWild = 100;

int Touches(const Sight& sight, Tile tile) {
  if (sight.view.deal.wild == tile) return kWild;
  const tiles::TileCounts& hand = sight.hand.concealed;
  int touches = kAlike * (hand[tile] - 1);
  if (tile.is_honour()) return touches;
  for (int step = 1; step <= 2; ++step) {
    const int worth = step == 1 ? kNext : kNextButOne;
    if (tile.rank() > step && hand.Has(Tile::At(tile.index() - step))) touches += worth;
    if (tile.rank() + step <= 9 && hand.Has(Tile::At(tile.index() + step))) touches += worth;
  }
  return touches;
}

}  // namespace

Choice BeginnersChoice(const Sight& sight, std::uint64_t seed) {
  const round::Offer& offer = sight.offer;
  const std::uint64_t chance = Mix(seed ^ Mix(sight.view.ask->decision));
  if (offer.pass) {
    if (offer.discard_kong && offer.tile) return Choice::DiscardKong(*offer.tile);
    if (offer.pung && chance % 4 != 0) return Choice::Pung();
    if (!offer.chows.empty() && chance % 3 == 0) {
      return Choice::Chow(offer.chows[0].low, offer.chows[0].high);
    }
    return Choice::Pass();
  }
  for (Tile tile : offer.concealed_kongs) return Choice::ConcealedKong(tile);
  for (Tile tile : offer.added_kongs) return Choice::AddedKong(tile);
  Tile worst;
  int least = 2 * kWild;
  std::uint64_t least_mix = 0;
  for (Tile tile : offer.discards) {
    const int touches = Touches(sight, tile);
    const std::uint64_t mix = Mix(chance + static_cast<std::uint64_t>(tile.index()));
    if (touches < least || (touches == least && mix > least_mix)) {
      worst = tile;
      least = touches;
      least_mix = mix;
    }
  }
  return Choice::Discard(worst);
}

}  // namespace mj::bots
