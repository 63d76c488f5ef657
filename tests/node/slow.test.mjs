// Clients that hold on to a server without ever asking it anything: it lives, serves everybody else, and is as it
// was when they are gone.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http2 from 'node:http2';
import net from 'node:net';
import { after, before, test } from 'node:test';
import * as grpc from '@grpc/grpc-js';
import { eventually, Server } from './server.mjs';

const STREAMS = process.env.MJ_TEST_LONG ? 10_000 : 1_000;
const CONNECTIONS = 100;

const server = new Server();
before(() => server.start());
after(async () => assert.equal(await server.stop(), 0));

// A call as anybody makes it.
async function serves() {
  const raw = (bytes) => bytes;
  const client = new grpc.Client(server.address, grpc.credentials.createInsecure());
  const path = '/mahjong.scoring.v1.ScoringService/ListVariants';
  try {
    const answer = await new Promise((resolve, reject) =>
      client.makeUnaryRequest(path, raw, raw, Buffer.alloc(0), { deadline: Date.now() + 10_000 }, (error, got) =>
        error ? reject(error) : resolve(got)));
    return answer.length > 0;
  } finally {
    client.close();
  }
}

test(`${STREAMS} requests that are begun and never ended`, async () => {
  assert.ok(await serves());
  const files = server.openFiles();
  const bytes = server.residentBytes();
  const session = http2.connect(`http://${server.address}`);
  session.on('error', () => {});
  await once(session, 'connect');
  let refused = 0;
  for (let i = 0; i < STREAMS; ++i) {
    const stream = session.request({
      ':method': 'POST', ':path': '/mahjong.scoring.v1.ScoringService/ScoreRound',
      'content-type': 'application/grpc', te: 'trailers',
    }, { endStream: false });
    stream.on('error', () => ++refused);
    stream.write(Buffer.from([0, 0, 0])); // of the five bytes that say how long the message is
    if (i % 100 === 99) await new Promise((done) => session.ping(done));
  }
  await new Promise((done) => session.ping(done));
  assert.ok(await serves(), 'others are served meanwhile');
  const each = (server.residentBytes() - bytes) / STREAMS;
  assert.ok(each < 64 * 1024, `${Math.round(each)} bytes a stream`);
  session.destroy();
  assert.ok(await eventually(() => server.openFiles() <= files, 10_000), 'nothing stays open');
  assert.ok(await serves());
  console.log(`# ${Math.round(each)} bytes a stream, ${refused} were cut off`);
});

test(`${CONNECTIONS} connections that say nothing are closed`, async () => {
  const files = server.openFiles();
  let closed = 0;
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, async () => {
    const socket = net.connect(Number(server.port), server.host);
    socket.on('error', () => {});
    socket.on('close', () => ++closed);
    socket.resume();
    await once(socket, 'connect');
    return socket;
  }));
  assert.ok(await serves(), 'others are served meanwhile');
  assert.ok(await eventually(() => closed === sockets.length, 30_000), `${closed} of ${sockets.length} are closed`);
  assert.ok(await eventually(() => server.openFiles() <= files, 10_000), 'nothing stays open');
});
