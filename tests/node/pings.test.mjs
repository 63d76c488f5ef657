// A phone pings so that whatever is between does not forget it: the servers bear it, and only too much is
// punished. On HTTP/2 itself, where the punishment (GOAWAY) can be seen. MJ_BUILD_DIR has the services.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http2 from 'node:http2';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Server } from './server.mjs';

// Three minutes; a server punishes the third ping that comes too soon, so four are enough to tell.
const PINGS = process.env.MJ_TEST_LONG ? 10 : 4;
const EVERY_MS = 20_000;
const ENHANCE_YOUR_CALM = 11;

const server = new Server();
before(() => server.start());
after(() => server.stop());

// Pings so often, and says by what code it was sent away; undefined: it was not.
async function ping(times, everyMs) {
  const session = http2.connect(`http://${server.address}`);
  let goaway;
  session.on('goaway', (code) => (goaway = code));
  session.on('error', () => {}); // the connection may be cut behind the GOAWAY
  await once(session, 'connect');
  let answered = 0;
  for (let i = 0; i < times && goaway === undefined && !session.destroyed; ++i) {
    if (i > 0) await sleep(everyMs);
    if (!session.destroyed) session.ping((error) => (answered += error ? 0 : 1));
  }
  await sleep(1_000);
  const open = !session.closed && !session.destroyed;
  session.destroy();
  return { goaway, answered, open };
}

test(`a ping every ${EVERY_MS / 1000} s, without a call, ${PINGS} times, is borne`, async () => {
  assert.deepEqual(await ping(PINGS, EVERY_MS), { goaway: undefined, answered: PINGS, open: true });
});

test('a client that does nothing but ping is sent away', async () => {
  const { goaway } = await ping(50, 20);
  assert.equal(goaway, ENHANCE_YOUR_CALM);
});
