#!/usr/bin/env node
// Four players from an empty wallet to their statements: node main.js --help.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Backend, call } from './client.js';
import { awaitSeat, takeTicket } from './lobby.js';
import { choose } from './policy.js';
import { Session } from './session.js';
import { lineOf, settlementLines, statementLines } from './story.js';
import { Signer } from './token.js';
import { openFunded, rounds as roundsOf, statement } from './wallet.js';

const HELP = `Four players queue for a table, play by rule, leave, and read their statements.

  node main.js --wallet HOST:PORT --table HOST:PORT[,HOST:PORT] --matchmaking HOST:PORT

  --variant V         the game (chaozhou)
  --base N            base stake in coins (100)
  --rounds N          how many rounds they play (1)
  --ca FILE           the authority of the servers' certificates; without it: plaintext
  --signing-key FILE  the key that signs tokens (mahjongctl keys); without it: none
  --disturb COMMAND   run in the middle of the first round, with the address of the process that holds
                      the table, by the shell: say, to kill it

Exit code 0 when everything was as it should be, 1 when not, 2 for a wrong command line.
`;
const NAMES = ['an', 'bao', 'chen', 'dong'];
const COINS = 5_000;
const DISTURBED_AFTER = 12; // discards

const say = (...lines) => lines.forEach((line) => line && console.log(line));

function commandLine() {
  try {
    const text = (value) => ({ type: 'string', default: value });
    const { values } = parseArgs({
      options: {
        wallet: text(''), table: text(''), matchmaking: text(''), variant: text('chaozhou'),
        ca: text(''), 'signing-key': text(''), base: text('100'), rounds: text('1'), disturb: text(''), help: { type: 'boolean' },
      },
    });
    if (values.help) {
      process.stdout.write(HELP);
      process.exit(0);
    }
    for (const needed of ['wallet', 'table', 'matchmaking']) {
      if (!values[needed]) throw new Error(`--${needed} is missing`);
    }
    return values;
  } catch (error) {
    console.error(`main.js: ${error.message}; see --help`);
    process.exit(2);
  }
}

// Four accounts, four tickets, one table: who sits where, by seat.
async function seatFour(backend, { variant, base }) {
  const players = NAMES.map((name) => ({ name, id: `example-${Date.now().toString(36)}-${name}` }));
  for (const player of players) await openFunded(backend, player.id, COINS);
  say(`${NAMES.join(', ')} have an account each, with ${COINS.toLocaleString('en')} coins`);

  const seated = await Promise.all(players.map(async (player) => {
    const ticket = await takeTicket(backend, `queue-${player.id}`, { playerId: player.id, variant, base });
    return { ...player, ...(await awaitSeat(backend, ticket)) };
  }));
  seated.sort((a, b) => a.seat - b.seat);
  const [{ table_id, table_address }] = seated;
  assert.ok(seated.every((one) => one.table_id === table_id), 'somebody else queues here, too');
  say(`they queue for ${variant} at base ${base}, and are seated together: table ${table_id},`,
    `  held by the process at ${table_address}: ${seated.map(({ name, seat }) => `${seat} ${name}`).join(', ')}`);
  return seated;
}

// Runs the command once, when so many tiles lie on the table in the first round.
function disturber(backend, command, tableId) {
  let done = !command;
  return async (event, session) => {
    if (done || event.event !== 'tile_discarded') return;
    if (session.view.discards.flat().length < DISTURBED_AFTER) return;
    done = true;
    const { table } = await call(backend.anyTable, 'GetTable', { table_id: tableId });
    say(`  ✂ ${DISTURBED_AFTER} tiles are thrown, and ${table.address} is disturbed`);
    await new Promise((resolve, reject) => {
      spawn(`${command} ${table.address}`, { shell: true, stdio: ['ignore', 'inherit', 'inherit'] }).on(
        'exit', (code) => (code === 0 ? resolve() : reject(new Error(`--disturb: exit code ${code}`))),
      );
    });
  };
}

// What the four were told has to fit together.
function check(seat, own, { event }) {
  const of = event[event.event];
  assert.equal(event.sequence, String(own.events + 1), 'an event was left out, or told twice');
  own.events += 1;
  if (event.event === 'round_began') own.promised = of.seed_hash;
  if (event.event === 'round_settled') {
    assert.deepEqual(createHash('sha256').update(of.seed).digest(), own.promised, 'another seed');
    assert.equal(of.seats.reduce((sum, { net, rake }) => sum + BigInt(net) + BigInt(rake), 0n), 0n);
    own.balance = of.seats[seat].balance;
  }
}

// Plays to the end; returns what each seat was told, by seat.
async function play(backend, addresses, seated, options) {
  const names = seated.map(({ name }) => name);
  const disturb = disturber(backend, options.disturb, seated[0].table_id);
  const told = seated.map(() => ({ events: 0, balance: '' }));
  const lost = new Set(); // what was said of it: it is asked for often until somebody holds it
  const sessions = seated.map((player, seat) => new Session(backend, {
    tableId: player.table_id,
    playerId: player.id,
    // The last one goes to another process first, as an app does that was told long ago.
    address: (seat === 3 && addresses.find((one) => one !== player.table_address)) || player.table_address,
    joinToken: player.join_token,
    rounds: Number(options.rounds),
    choose,
    onEvent: async (event, session) => {
      check(seat, told[seat], { event });
      if (seat !== 0) return;
      say(lineOf(event, names));
      if (event.event === 'round_settled') say(...settlementLines(event.round_settled, names));
      await disturb(event, session);
    },
    onResume: (failure, session, address) => {
      const line = `  ${names[seat]} lost the table after event ${session.lastSequence} (${failure.reason || `gRPC code ${failure.code}`}); asks at ${address}`;
      if (!lost.has(line)) say(line);
      lost.add(line);
    },
  }));
  await Promise.all(sessions.map((session) => session.play()));
  say(`all have left; their streams had ${told.map(({ events }) => events).join(', ')} events, none missing, none twice`);
  return told;
}

const options = commandLine();
const addresses = options.table.split(',');
const backend = new Backend({
  wallet: options.wallet,
  matchmaking: options.matchmaking,
  table: addresses.length === 1 ? addresses[0] : `ipv4:${options.table}`,
}, {}, {
  ca: options.ca ? readFileSync(options.ca) : undefined,
  signer: options['signing-key'] ? new Signer(options['signing-key']) : undefined,
});
try {
  const seated = await seatFour(backend, options);
  const told = await play(backend, addresses, seated, options);
  for (const [seat, { name, id }] of seated.entries()) {
    const csv = await statement(backend, id);
    const { rounds } = await roundsOf(backend, id);
    say(`${name} has played ${rounds.length} round${rounds.length === 1 ? '' : 's'}; the statement:`, ...statementLines(csv));
    assert.equal(csv.at(-1).split(',')[5], told[seat].balance, 'the books say something else');
  }
  say('every seed was the one that was promised; every balance is what the table said');
} catch (error) {
  console.error(`main.js: ${error.stack}`);
  process.exitCode = 1;
} finally {
  backend.close();
}
