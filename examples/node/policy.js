// What to do with a decision: a policy that anybody can beat. It chooses from what is offered, and so
// it plays by the rules of every game without knowing one.
import { tilesOf } from './view.js';

// snippet: policy
// The Choice of a decision (mahjong.table.v1), or null when there is nothing to choose.
export function choose({ offers }, view) {
  if (offers.win) return { win: {} };
  if (offers.roll) return { roll: {} };
  if (offers.kongs.length) return { kong: offers.kongs[0] };
  if (offers.pung && pairsOf(view.hand) > 1) return { pung: {} };
  if (offers.discards) return { discard: { tile: loneliest(tilesOf(offers.discards), view.hand) } };
  if (offers.bases.length) return { propose: { base: offers.bases[0], options: {} } };
  if (offers.accept) return { accept: {} };
  if (offers.pass) return { pass: {} };
  return null;
}
// end

function pairsOf(hand) {
  const counts = new Map();
  for (const tile of hand) counts.set(tile, (counts.get(tile) ?? 0) + 1);
  return [...counts.values()].filter((count) => count >= 2).length;
}

// Of the tiles that may be thrown the one that goes worst with the rest of the hand.
function loneliest(allowed, hand) {
  const worth = (tile) => {
    const [rank, suit] = [Number(tile[0]), tile[1]];
    let sum = 0;
    for (const other of hand) {
      const distance = other[1] === suit ? Math.abs(Number(other[0]) - rank) : Infinity;
      if (distance === 0) sum += 4;
      else if (suit !== 'z' && distance <= 2) sum += 3 - distance;
    }
    return sum;
  };
  return allowed.reduce((worst, tile) => (worth(tile) < worth(worst) ? tile : worst));
}
