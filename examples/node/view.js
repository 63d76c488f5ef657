// What a seat knows of its table: the events of its stream, added up. Nothing else is needed to draw it.

// "123m44z" as ['1m', '2m', '3m', '4z', '4z'].
export function tilesOf(text) {
  const tiles = [];
  for (const [, ranks, suit] of text.matchAll(/([1-9]+)([mpsz])/g)) {
    for (const rank of ranks) tiles.push(rank + suit);
  }
  return tiles;
}

const suits = 'mpsz';
const inOrder = (a, b) => suits.indexOf(a[1]) - suits.indexOf(b[1]) || a.localeCompare(b);

// snippet: view
export class View {
  table = null; // as it stood when the seat was taken
  ownSeat = -1;
  round = null; // RoundBegan of the present round or the latest
  hand = []; // own concealed tiles, in order
  discards = [[], [], [], []]; // by seat, those that were called too
  wallLeft = 0;

  take(event) {
    const of = event[event.event];
    switch (event.event) {
      case 'table_formed':
        this.table = of.table;
        this.ownSeat = of.own_seat;
        break;
      case 'round_began':
        this.round = of;
        this.discards = [[], [], [], []];
        break;
      case 'tiles_dealt':
        this.hand = tilesOf(of.hand);
        break;
      case 'tile_drawn':
        this.wallLeft = of.wall_left;
        if (of.seat === this.ownSeat) this.hand.push(of.tile);
        break;
      case 'tile_discarded':
        this.discards[of.seat].push(of.tile);
        if (of.seat === this.ownSeat) this.#drop([of.tile]);
        break;
      case 'meld_called':
        if (of.seat === this.ownSeat) this.#drop(without(tilesOf(of.meld.tiles), of.tile));
        break;
      case 'kong_made':
        if (of.kong.seat === this.ownSeat) this.#drop(Array(FROM_HAND[of.kong.kind]).fill(of.kong.tile));
        break;
      default: // nothing that changes tiles, or what later versions tell
        break;
    }
    this.hand.sort(inOrder);
  }

  #drop(tiles) {
    for (const tile of tiles) this.hand.splice(this.hand.indexOf(tile), 1);
  }
}
// end

// How many of a kong's tiles come from the hand.
const FROM_HAND = { KONG_KIND_DISCARD: 3, KONG_KIND_ADDED: 1, KONG_KIND_CONCEALED: 4 };

function without(tiles, one) {
  tiles.splice(tiles.indexOf(one), 1);
  return tiles;
}
