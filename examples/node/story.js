// Tells a round for people.
const coins = (text) => BigInt(text).toLocaleString('en');
const signed = (text) => (BigInt(text) > 0n ? '+' : '') + coins(text);

// One line about an event that is worth one; empty for the others. `names` are by seat.
export function lineOf(event, names) {
  const of = event[event.event];
  switch (event.event) {
    case 'round_began':
      return `round ${of.round_number} begins; its seed is promised: ${of.seed_hash.toString('hex').slice(0, 16)}…`;
    case 'deal_drawn':
      return `  the deal is drawn, with the nonces of ${of.nonces.filter(({ outcome }) => outcome === 'NONCE_OUTCOME_REVEALED').length}; ${names[of.dealer]} deals`;
    case 'meld_called':
      return `  ${names[of.seat]} calls ${of.meld.tiles}`;
    case 'kong_made':
      return `  ${names[of.kong.seat]} makes a kong of ${of.kong.tile}`;
    case 'round_ended':
      return of.outcome.end === 'ROUND_END_EXHAUSTED' ? '  the wall is drawn to its end: nobody wins' : '';
    case 'round_void':
      return `  the round is void: ${of.reason}`;
    default:
      return '';
  }
}

// What a settled round was worth.
export function settlementLines(settled, names) {
  const lines = settled.score.wins.map((win) => {
    const titles = win.titles.map((title) => `${title.zh_hans} ${title.en}`).join(' · ');
    const patterns = win.patterns.map(({ name }) => `, ${name.zh_hans} ${name.en}`).join('');
    return `  ${names[win.seat]} wins: ${titles}${patterns}`;
  });
  for (const line of settled.score.receipt.lines) {
    lines.push(`    ${line.from_seats.map((seat) => names[seat]).join(', ')} to ${names[line.to_seat]}: ${line.arithmetic}`);
  }
  lines.push(`  ${settled.seats.map(({ seat, net, balance }) => `${names[seat]} ${signed(net)} = ${coins(balance)}`).join('   ')}`);
  return lines;
}

// Lines of a statement, as columns.
export function statementLines(csv) {
  return csv.slice(1).map((line) => {
    const [sequence, at, , what, change, balance] = line.split(',');
    return `  ${sequence.padStart(3)}  ${at.slice(0, 19).replace('T', ' ')}  ${what.padEnd(12)}${signed(change).padStart(9)}${coins(balance).padStart(10)}`;
  });
}
