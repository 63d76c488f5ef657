// A seat at a table, from sitting down to leaving: reads its stream, answers, and finds the table again
// wherever it is held now. Everything that a lost connection means is in here.
import { createHash, randomBytes } from 'node:crypto';
import { ASK_MS, call, open } from './client.js';
import { Failure, failureOf } from './failure.js';
import { View } from './view.js';

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const sha256 = (bytes) => createHash('sha256').update(bytes).digest();

// A table whose process died is held by another one within 5 s. Whoever hears nothing for this long
// tells the player, and tries again when asked to.
const PATIENCE_MS = 20_000;
const PAUSE_MAX_MS = 500;
const GONE = ['NOT_SEATED', 'TABLE_CLOSED', 'TABLE_NOT_FOUND'];

export class Session {
  view = new View();
  lastSequence = 0n; // of the events that were dealt with: where to resume
  roundsOver = 0;
  left = ''; // why the seat is given up; empty while it is not
  resumed = []; // the Failures after which the stream was taken up again

  #backend;
  #options;
  #stub; // of the process that holds the table, as far as is known
  #stream = null;
  #cut = false; // it was this client that ended the stream
  #leaving = '';
  #lostAt = 0;
  #tries = 0; // since something went well
  #nonce = null;
  #nonceRound = 0;

  //   tableId, playerId   whose seat
  //   address             of the process that holds the table: Assignment.table_address
  //   joinToken           Assignment.join_token
  //   choose              (decision, view) => Choice or null
  //   onEvent             async (event, session): hears each event once, in order, before it is acted on
  //   onResume            (failure, session, address): the table was lost, and is looked for there
  //   rounds              after how many it leaves; 0: it stays
  constructor(backend, { rounds = 0, onEvent = async () => {}, onResume = () => {}, ...options }) {
    this.#backend = backend;
    this.#options = { rounds, onEvent, onResume, ...options };
    this.#stub = backend.tableAt(options.address);
  }

  // snippet: play
  // Plays until the seat is given up. Fails with what cannot be passed over.
  async play() {
    while (!this.left) {
      const ended = await this.#follow();
      if (this.left) return;
      if (this.#leaving && GONE.includes(ended.reason)) this.left = this.#leaving;
      else if (this.#cut) this.#cut = false; // at once, and where it was
      else if (!(await this.#findAgain(ended))) throw ended;
      this.resumed.push(ended);
    }
  }

  // Reads the stream from where it stopped until it ends, and says how.
  async #follow() {
    this.#stream = open(this.#stub, 'Subscribe', {
      table_id: this.#options.tableId,
      player_id: this.#options.playerId,
      after_sequence: String(this.lastSequence),
      join_token: this.#options.joinToken,
    }, { player: this.#options.playerId });
    try {
      for await (const { events, server_time } of this.#stream) { // none with a notice: how many watch
        for (const event of events) {
          if (BigInt(event.sequence) <= this.lastSequence) continue;
          this.lastSequence = BigInt(event.sequence);
          this.#tries = 0;
          await this.#take(event, server_time);
        }
        if (this.left) break;
      }
      return new Failure(0, 'the stream ended');
    } catch (error) {
      if (typeof error.code !== 'number') throw error; // not gRPC's: a fault of this program
      return failureOf(error);
    } finally {
      this.#stream.cancel();
    }
  }
  // end

  // The network changed, say from Wi-Fi to mobile: what is open may be dead without saying so.
  reconnect() {
    this.#cut = true;
    this.#stream?.cancel();
  }

  // snippet: take
  async #take(event, serverTime) {
    this.view.take(event);
    await this.#options.onEvent(event, this);
    const of = event[event.event];
    switch (event.event) {
      case 'table_formed':
        return this.#ready(of.table.round_number + 1);
      case 'base_changed':
      case 'stakes_proposed': // what was said before was said for other stakes
        return this.#ready((this.view.round ?? this.view.table).round_number + 1);
      case 'stakes_asked':
      case 'consent_asked':
      case 'decision_offered':
        return this.#answer(of.decision, serverTime);
      case 'round_began':
        return this.#reveal(of);
      case 'auto_play_changed': // it was late too often; it is there again
        if (of.on && of.seat === this.view.ownSeat) await this.#call('TakeOver', {});
        return undefined;
      case 'round_settled':
      case 'round_void':
        this.roundsOver += 1;
        if (this.roundsOver === this.#options.rounds) return this.leave();
        return this.#ready(this.view.round.round_number + 1);
      case 'player_left':
        if (of.player_id === this.#options.playerId) this.left = of.reason;
        return undefined;
      case 'table_closed':
        this.left ||= 'TABLE_CLOSED';
        return undefined;
      default: // nothing to do, or what later versions tell
        return undefined;
    }
  }
  // end

  // snippet: act
  // Answers a decision. Its effects come by the stream; that it was too late is told there too.
  async #answer(decision, serverTime) {
    if (!decision || isBefore(decision.deadline, serverTime)) return; // of the past, read again
    const choice = this.#options.choose(decision, this.view);
    if (choice) await this.#call('Act', { decision_id: decision.decision_id, choice });
  }
  // end

  // snippet: nonce
  // Says that the player plays the round, with a part of its own in what will be drawn.
  async #ready(round) {
    if (this.#nonceRound !== round) {
      this.#nonce = randomBytes(32);
      this.#nonceRound = round;
    }
    await this.#call('Ready', { round_number: round, nonce_hash: sha256(this.#nonce) });
  }

  // The seed is promised now, so the nonce can be shown.
  async #reveal(began) {
    const stands = began.nonce_hashes[this.view.ownSeat];
    if (!this.#nonce || !stands || !sha256(this.#nonce).equals(stands)) return;
    await this.#call('RevealNonce', { round_number: began.round_number, nonce: this.#nonce });
  }
  // end

  // snippet: leave
  // Gives the seat up. In the middle of a round that is an escape, and costs its price.
  async leave(reason = 'LEAVE_REASON_LEFT') {
    this.#leaving = reason; // from now on it is no fault that there is no seat any more
    await this.#call('LeaveTable', { reason });
  }
  // end

  // snippet: route
  // Calls the table where it is held, as often as it moves meanwhile. Every call of a table is safe
  // to repeat: a repeated answer, ready or nonce changes nothing.
  async #call(method, request) {
    for (;;) {
      try {
        const response = await call(this.#stub, method, {
          table_id: this.#options.tableId, player_id: this.#options.playerId, ...request,
        }, { player: this.#options.playerId });
        this.#tries = 0;
        return response;
      } catch (failure) {
        // Too late, or the seat is gone: the stream says what became of it.
        if (failure.tooLate || GONE.includes(failure.reason)) return undefined;
        if (!(await this.#findAgain(failure))) throw failure;
      }
    }
  }

  // Whether what failed so may be tried again now. Then #stub is where the table is, and a while has
  // passed: none the first time, since most often another process has the table already.
  async #findAgain(failure) {
    if (!failure.passing) return false;
    if (this.#tries === 0) this.#lostAt = Date.now();
    if (Date.now() - this.#lostAt > PATIENCE_MS) return false;
    await pause(Math.min(PAUSE_MAX_MS, 50 * this.#tries++));
    const address = failure.metadata.address || (await this.#ask());
    this.#stub = address ? this.#backend.tableAt(address) : this.#backend.anyTable;
    this.#options.onResume(failure, this, address || 'any process');
    return true;
  }

  // Any process of the table service knows who holds a table.
  async #ask() {
    try {
      const { table } = await call(
        this.#backend.anyTable, 'GetTable', { table_id: this.#options.tableId }, { deadlineMs: ASK_MS },
      );
      return table.address;
    } catch {
      return ''; // asked again after the next failure
    }
  }
  // end
}

// Deadlines are by the server's clock, which every response carries: a phone's is wrong by minutes.
function isBefore(deadline, time) {
  if (!deadline || !time) return false;
  const [a, b] = [BigInt(deadline.seconds), BigInt(time.seconds)];
  return a < b || (a === b && deadline.nanos < time.nanos);
}
