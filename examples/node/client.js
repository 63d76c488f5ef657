// The suite's services over @grpc/grpc-js: channels, stubs, and one way to call. Everything that a
// client has to set once is set here.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import grpc from '@grpc/grpc-js';
import protoLoader from '@grpc/proto-loader';
import { failureOf } from './failure.js';

// The wire contract. An app ships a copy of this folder; MJ_PROTOS says where it lies.
export const protos =
  process.env.MJ_PROTOS ?? fileURLToPath(new URL('../../protos', import.meta.url));

// snippet: load
// Coins, sequences and decision ids are int64: as text they keep every digit.
const { mahjong } = grpc.loadPackageDefinition(
  protoLoader.loadSync(
    [
      'mahjong/wallet/v1/wallet_service.proto',
      'mahjong/table/v1/table_service.proto',
      'mahjong/matchmaking/v1/matchmaking_service.proto',
    ],
    { includeDirs: [protos], keepCase: true, longs: String, enums: String, defaults: true, oneofs: true },
  ),
);
// end

// snippet: channel
// What is sent again when a process went away under it, and what never is, stands in a file that the
// servers use among themselves too.
const serviceConfig = readFileSync(`${protos}/service_config.json`, 'utf8');

const channelSettings = {
  'grpc.service_config': serviceConfig,
  'grpc.service_config_disable_resolution': 1,
  // A ping after 10 s of silence, calls or none: a server that stands still is found out by whoever
  // only listens, too. A client that pings more often than every 9 s is sent away.
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 5_000,
  'grpc.keepalive_permit_without_calls': 1,
  // A process that restarts is back within a second: do not wait gRPC's two minutes.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
};
// end

// No call is made without a deadline; streams alone have none.
export const CALL_MS = 5_000;
// Asking a process that may be dead where a table is: another one answers sooner.
export const ASK_MS = 1_000;

// The services at their addresses, "HOST:PORT" or "ipv4:HOST:PORT,HOST:PORT". Kept for as long as the
// app runs: a channel connects by itself, again whenever the connection is lost.
export class Backend {
  #settings;
  #ca;
  #signer;
  #tables = new Map(); // by address: a table is held by one process of the table service

  // `ca`: the authority of the servers (PEM); without it they are called in plaintext. `signer`: signs the
  // tokens (token.js); without it there are none, which only a stack for development bears.
  constructor({ wallet, table, matchmaking }, settings = {}, { ca, signer } = {}) {
    this.#settings = { ...channelSettings, ...settings };
    this.#ca = ca;
    this.#signer = signer;
    this.wallet = this.#connect(mahjong.wallet.v1.WalletService, wallet);
    this.matchmaking = this.#connect(mahjong.matchmaking.v1.MatchmakingService, matchmaking);
    this.anyTable = this.#connect(mahjong.table.v1.TableService, table);
  }

  // The one process at this address.
  tableAt(address) {
    if (!this.#tables.has(address)) {
      this.#tables.set(address, this.#connect(mahjong.table.v1.TableService, address));
    }
    return this.#tables.get(address);
  }

  close() {
    for (const stub of [this.wallet, this.matchmaking, this.anyTable, ...this.#tables.values()]) {
      stub.close();
    }
  }

  // snippet: connect
  // The servers show certificates; who calls shows a token with each call: the backend its own, or that of
  // the player for whom it speaks.
  #connect(Service, address) {
    const credentials = this.#ca ? grpc.credentials.createSsl(this.#ca) : grpc.credentials.createInsecure();
    const stub = new Service(address, credentials, this.#settings);
    stub.tokenFor = (player) =>
      player ? this.#signer?.token('player', player) : this.#signer?.token('backend', 'example');
    return stub;
  }
  // end
}

// snippet: call
// One call as a promise. Fails with what failureOf makes of it. `player`: it is this player who calls.
export function call(stub, method, request, { deadlineMs = CALL_MS, language = 'en', player } = {}) {
  const metadata = identity(stub, player);
  metadata.set('accept-language', language); // of the words for players: zh-Hans, zh-Hant, en
  const deadline = new Date(Date.now() + deadlineMs);
  return new Promise((resolve, reject) => {
    stub[method](request, metadata, { deadline }, (error, response) =>
      error ? reject(failureOf(error)) : resolve(response),
    );
  });
}
// end

// The metadata that says who calls.
function identity(stub, player) {
  const metadata = new grpc.Metadata();
  const token = stub.tokenFor?.(player);
  if (token) metadata.set('authorization', `Bearer ${token}`);
  return metadata;
}

// snippet: stream
// Opens a stream: `for await (const response of stream)`, which reads the next response only when the
// loop comes round. However the loop ends, cancel() the stream: leaving the loop does not.
export function open(stub, method, request, { player } = {}) {
  const stream = stub[method](request, identity(stub, player));
  stream.on('error', () => {}); // the loop throws it; one that comes after the loop is nobody's
  return stream;
}
// end
