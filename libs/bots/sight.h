// What a decision is looked at with.
#pragma once

#include "libs/round/view.h"

namespace mj::bots {

// One seat's view and what follows from it. The view and the offer are its maker's.
struct Sight {
  const round::SeatView& view;
  const round::Offer& offer;
  rules::Seat seat;
  rules::Hand hand;          // the drawn tile among the concealed ones
  tiles::TileCounts unseen;  // in the wall or in others' hands, as far as can be told
};

// REQUIRES: view.ask. `wall`: the game's tiles.
Sight Look(const round::SeatView& view, const tiles::TileCounts& wall);

// A hand without some of its tiles, and with one more meld.
rules::Hand Without(const rules::Hand& hand, tiles::Tile tile, int n = 1);
rules::Hand WithMeld(const rules::Hand& hand, tiles::MeldKind kind, tiles::Tile tile,
                     rules::Seat from);

// Every kind that could be thrown from a hand.
round::TileSet KindsOf(const rules::Hand& hand);

}  // namespace mj::bots
