// The example's client as it fares on bad networks, at one table with three others. The stack's addresses
// come as MJ_WALLET, MJ_MATCHMAKING and MJ_TABLES (two processes), the client's folder as MJ_EXAMPLE.
import assert from 'node:assert/strict';
import test from 'node:test';

const { MJ_EXAMPLE: folder, MJ_WALLET: wallet, MJ_MATCHMAKING: matchmaking, MJ_TABLES: tables } = process.env;
const part = (name) => import(`${folder}/${name}.js`);
const { Backend, call, open } = await part('client');
const { failureOf } = await part('failure');
const { awaitSeat, locate, openTables, sitDown, takeTicket } = await part('lobby');
const { choose } = await part('policy');
const { Session } = await part('session');
const { tilesOf } = await part('view');
const { openFunded, rounds: roundsOf, statement } = await part('wallet');

const ROUNDS = 8; // more events than the table keeps for one that does not read
const CUTS = 40;
const addresses = { wallet, matchmaking, table: `ipv4:${tables}` };
const backend = new Backend(addresses);
test.after(() => backend.close());

async function seatFour(prefix) {
  const ids = ['a', 'b', 'c', 'd'].map((name) => `${prefix}-${Date.now().toString(36)}-${name}`);
  const seated = await Promise.all(ids.map(async (playerId) => {
    await openFunded(backend, playerId, 50_000);
    const wish = { playerId, variant: 'chaozhou', base: '100' };
    const ticket = await takeTicket(backend, `queue-${playerId}`, wish);
    assert.equal(await takeTicket(backend, `queue-${playerId}`, wish), ticket); // sent twice, taken once
    const found = await awaitSeat(backend, ticket);
    return { playerId, seat: found.seat, tableId: found.table_id, address: found.table_address, joinToken: found.join_token };
  }));
  return seated.sort((a, b) => a.seat - b.seat);
}

// A further stream of a seat, with room for 1 KiB on its way, that stops reading after its first response until
// `over`; then reads, and takes up what was cut off, until it has `target` events.
async function readSlowly({ tableId, playerId, address, joinToken }, over, target) {
  const narrow = new Backend(addresses, { 'grpc-node.flow_control_window': 1024 });
  const heard = [];
  const losses = [];
  while (heard.length === 0 || heard.length < target()) {
    const stream = open(narrow.tableAt(address), 'Subscribe', {
      table_id: tableId, player_id: playerId, after_sequence: String(heard.length), join_token: joinToken,
    });
    try {
      for await (const { events } of stream) {
        const first = heard.length === 0;
        heard.push(...events.slice(0, (first ? Infinity : target()) - heard.length));
        if (first) await over;
        if (heard.length >= target()) break;
      }
    } catch (error) {
      losses.push(failureOf(error));
      assert.ok(losses.at(-1).passing, losses.at(-1));
    } finally {
      stream.cancel();
    }
  }
  narrow.close();
  return { heard, losses };
}

test('one reconnects forty times in a round, one reads slowly, one starts anew', async () => {
  const four = await seatFour('rough');
  const heard = four.map(() => []);
  let cuts = 0;
  let letRead;
  const over = new Promise((resolve) => { letRead = resolve; });
  const slow = readSlowly(four[2], over, () => heard[2].length);

  const onEvent = [
    async (event, session) => { // its hand is the one that the table asks about
      if (event.event !== 'decision_offered') return;
      const { discards } = event.decision_offered.decision.offers;
      for (const tile of tilesOf(discards)) assert.ok(session.view.hand.includes(tile), `${tile} of ${discards}`);
    },
    async (_, session) => { // before an answer, after one, between two events: wherever it falls
      if (cuts === CUTS || session.view.round?.round_number !== 1) return;
      if (session.resumed.length < cuts) return; // still what the stream had read before it was cut
      cuts += 1;
      session.reconnect();
    },
    async (event, session) => { // the other stream is read to its end before the seat is given up
      if (event.event !== 'round_settled' || session.roundsOver + 1 !== ROUNDS) return;
      letRead();
      await slow;
    },
    async (event, session) => { // the app dies in the middle of the second round
      if (session.view.round?.round_number === 2 && event.event === 'tile_discarded') throw new Error('the app dies');
    },
  ];
  const sessions = four.map((player, seat) => new Session(backend, {
    ...player, rounds: ROUNDS, choose,
    onEvent: async (event, session) => {
      heard[seat].push(event);
      await onEvent[seat](event, session);
    },
  }));
  const anew = async () => {
    await assert.rejects(sessions[3].play(), /the app dies/);
    const { seat, roundId } = await locate(backend, four[3].playerId);
    assert.equal(seat.table_id, four[3].tableId);
    assert.equal(roundId, sessions[3].view.round.round_id);
    heard[3] = [];
    await new Session(backend, {
      ...four[3], address: seat.table_address, rounds: ROUNDS, choose,
      onEvent: async (event) => { heard[3].push(event); },
    }).play();
  };
  await Promise.all([...sessions.slice(0, 3).map((session) => session.play()), anew()]);
  const { heard: slowly, losses } = await slow;

  assert.equal(cuts, CUTS);
  assert.ok(sessions[1].resumed.length >= CUTS);
  for (const events of [...heard, slowly]) {
    assert.deepEqual(events.map(({ sequence }) => Number(sequence)), events.map((_, i) => i + 1));
  }
  assert.deepEqual(slowly, heard[2].slice(0, slowly.length));
  assert.ok(losses.length > 0, `the table bore with one that did not read ${slowly.length} events`);
  const settled = (events) =>
    events.filter(({ event }) => event === 'round_settled').map((event) => event.round_settled.journal_id);
  assert.equal(settled(heard[0]).length, ROUNDS);
  for (const events of heard) assert.deepEqual(settled(events), settled(heard[0]));

  // The books have each round once, whoever was cut off how often; one that moved no coins leaves no line.
  for (const [seat, { playerId }] of four.entries()) {
    const csv = await statement(backend, playerId);
    const nets = heard[seat].filter(({ event }) => event === 'round_settled')
      .map((event) => event.round_settled.seats[seat].net).filter((net) => net !== '0');
    assert.deepEqual(csv.slice(1).map((line) => line.split(',')[4]), ['50000', ...nets]);
    assert.deepEqual(await statement(backend, playerId, '1'), csv.slice(2));
    assert.equal((await roundsOf(backend, playerId)).rounds.length, ROUNDS);
  }
});

test('four meet in the lobby, agree on the stakes and play', async () => {
  const made = await call(backend.anyTable, 'CreateTable', {
    request_id: `lobby-${Date.now().toString(36)}`, variant: 'guangdong', currency: 'CURRENCY_COIN',
  });
  const tableId = made.table.table_id;
  const ends = [];
  const guest = async (name) => {
    const playerId = `lobby-${Date.now().toString(36)}-${name}`;
    await openFunded(backend, playerId, 50_000);
    assert.ok((await openTables(backend, 'guangdong')).some((table) => table.table_id === tableId));
    const { address, seat } = await sitDown(backend, tableId, playerId);
    assert.deepEqual(await sitDown(backend, tableId, playerId), { address, seat });
    await new Session(backend, {
      tableId, playerId, address, rounds: 1, choose,
      onEvent: async (event) => { if (event.event === 'round_settled') ends.push(event.round_settled.journal_id); },
    }).play();
  };
  await Promise.all(['e', 'f', 'g', 'h'].map(guest));
  assert.equal(ends.length, 4);
  assert.equal(new Set(ends).size, 1);
});

test('a refusal says why, to programs and to players', async () => {
  const refused = async (...what) => {
    try {
      await call(...what);
    } catch (failure) {
      return failure;
    }
    return assert.fail('not refused');
  };
  const unknown = await refused(backend.anyTable, 'GetTable', { table_id: 'nowhere' }, { language: 'zh-Hans' });
  assert.equal(unknown.reason, 'TABLE_NOT_FOUND');
  assert.equal(unknown.words, '牌桌不存在');
  assert.equal(unknown.passing, false);
  const bad = await refused(backend.matchmaking, 'CreateTicket', { request_id: 'a b', player_id: 'x', variant: 'chaozhou' });
  assert.deepEqual([bad.reason, bad.field], ['BAD_ID', 'request_id']);
  const nobody = await refused(backend.tableAt('127.0.0.1:1'), 'GetTable', { table_id: 'nowhere' });
  assert.deepEqual([nobody.reason, nobody.passing], ['', true]);
});
