#include "libs/bots/sight.h"

namespace mj::bots {
namespace {

using rules::CalledMeld;
using rules::Hand;
using tiles::Tile;
using tiles::TileCounts;

TileCounts Seen(const round::SeatView& view) {
  TileCounts seen = view.hand;
  for (const round::PublicSeat& seat : view.seats) {
    for (const CalledMeld& called : seat.melds) tiles::AddTo(seen, called.meld);
  }
  for (const round::Thrown& thrown : view.river) {
    if (!thrown.taken_by) seen.Add(thrown.tile);
  }
  if (view.indicator) seen.Add(*view.indicator);
  if (view.phase == round::ViewPhase::kKongDeclared && view.tile) seen.Add(*view.tile);
  return seen;
}

}  // namespace

Sight Look(const round::SeatView& view, const TileCounts& wall) {
  Sight sight{view, view.ask->offer, view.viewer.seat.value_or(rules::Seat::k0), {}, wall};
  sight.hand.concealed = view.hand;
  sight.hand.melds = view.seats[sight.seat].melds;
  const TileCounts seen = Seen(view);
  for (Tile tile : tiles::kAllKinds) sight.unseen.Remove(tile, seen[tile]);
  return sight;
}

Hand Without(const Hand& hand, Tile tile, int n) {
  Hand rest = hand;
  rest.concealed.Remove(tile, n);
  return rest;
}

Hand WithMeld(const Hand& hand, tiles::MeldKind kind, Tile tile, rules::Seat from) {
  Hand melded = hand;
  melded.melds.push_back(CalledMeld{{kind, tile}, from});
  return melded;
}

round::TileSet KindsOf(const Hand& hand) {
  round::TileSet kinds;
  for (Tile held : tiles::kAllKinds) {
    if (hand.concealed.Has(held)) kinds.Add(held);
  }
  return kinds;
}

}  // namespace mj::bots
