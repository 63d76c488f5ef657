// A second implementation of SPEC.md, independent of the C++ one, in nothing but Node.
//
//   node reference.mjs --check FILE   recomputes every vector of FILE from its inputs; exit 1 and the names if one differs
//   node reference.mjs --write FILE   writes the published vectors
//   node reference.mjs --deal FILE    prints how the round in FILE had to be dealt (docs/verify-a-deal.md)
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

const sha = (bits, bytes) => createHash(`sha${bits}`).update(bytes).digest();
const u32 = (x) => { const b = Buffer.alloc(4); b.writeUInt32BE(x); return b; };
const u64 = (x) => { const b = Buffer.alloc(8); b.writeBigUInt64BE(BigInt(x)); return b; };
const lp = (x) => { const b = Buffer.from(x); return Buffer.concat([u32(b.length), b]); };
const hex = (text) => Buffer.from(text, 'hex');

export function nonceOutcome({ commitment, reveal }) {
  if (commitment === null) return 'not_committed';
  if (reveal === null) return 'not_revealed';
  const nonce = hex(reveal);
  if (nonce.length < 16 || nonce.length > 64) return 'bad_length';
  return sha(256, nonce).toString('hex') === commitment ? 'revealed' : 'mismatch';
}

export function context({ nonces, round_id, variant, options }) {
  const keys = Object.keys(options).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return sha(256, Buffer.concat([
    ...nonces.map((n) => lp(nonceOutcome(n) === 'revealed' ? hex(n.reveal) : '')),
    lp(round_id), lp(variant),
    u32(keys.length), ...keys.flatMap((k) => [lp(k), lp(options[k])]),
  ]));
}

class Stream {
  rejected = 0;
  #words = []; #block = 0; #label; #tail;
  constructor(label, digest, seed) { this.#label = lp(label); this.#tail = Buffer.concat([digest, seed]); }
  #word() {
    if (this.#words.length === 0) {
      const block = sha(512, Buffer.concat([this.#label, u64(this.#block++), this.#tail]));
      for (let i = 0; i < 64; i += 2) this.#words.push(block.readUInt16BE(i));
    }
    return this.#words.shift();
  }
  below(n) {
    for (;;) {
      const w = this.#word();
      if (w < 65536 - 65536 % n) return w % n;
      this.rejected++;
    }
  }
}

const NAMES = [...'mpsz'].flatMap((s) => [...'123456789'].slice(0, s === 'z' ? 7 : 9).map((r) => r + s));

// `tiles` is the tile set in mpsz, sorted: "1111m2222m…".
export function deal(input) {
  const seed = hex(input.seed);
  const digest = context(input);
  const wall = [];
  for (const [, ranks, suit] of input.tiles.matchAll(/(\d+)([mpsz])/g)) for (const r of ranks) wall.push(r + suit);
  wall.sort((a, b) => NAMES.indexOf(a) - NAMES.indexOf(b));
  const streams = Object.fromEntries(['wall', 'dice', 'dealer', 'winds'].map((l) => [l, new Stream(l, digest, seed)]));
  for (let i = wall.length - 1; i >= 1; i--) {
    const j = streams.wall.below(i + 1);
    [wall[i], wall[j]] = [wall[j], wall[i]];
  }
  return {
    commitment: sha(256, seed).toString('hex'),
    nonce_outcomes: input.nonces.map(nonceOutcome),
    context: digest.toString('hex'),
    wall: wall.join(''),
    dice: [streams.dice.below(6) + 1, streams.dice.below(6) + 1],
    dealer: streams.dealer.below(4),
    east: streams.winds.below(4),
    thrown_away: { wall: streams.wall.rejected, dice: streams.dice.rejected },
  };
}

// ---- the published vectors -------------------------------------------------------------------
const expand = (text, bytes) => { // any bytes would do; these can be written down
  let out = Buffer.alloc(0);
  for (let i = 0; out.length < bytes; i++) out = Buffer.concat([out, sha(512, Buffer.from(`${text} ${i}`))]);
  return out.subarray(0, bytes);
};
const nonce = (text, bytes = 32) => {
  const n = expand(text, bytes);
  return { commitment: sha(256, n).toString('hex'), reveal: n.toString('hex') };
};
const none = { commitment: null, reveal: null };
const full = '111122223333444455556666777788889999';
const honours = '1111222233334444555566667777z';

function inputs() {
  const base = (name, tiles, variant, options, nonces, seed) => ({
    name, seed: (seed ?? expand(name, 128)).toString('hex'), nonces, round_id: `round-${name}`, variant, options, tiles });
  const four = [0, 1, 2, 3].map((s) => nonce(`seat ${s}`));
  const all136 = `${full}m${full}p${full}s${honours}`;
  const first = (start, wanted) => { // the first seed for which a word is thrown away where it is wanted
    for (let i = 0; ; i++) {
      const v = { ...start, seed: expand(`${start.name} ${i}`, 128).toString('hex') };
      if (deal(v).thrown_away[wanted] > 0) return v;
    }
  };
  return [
    base('136-no-nonce', all136, 'chaozhou', { max_multiplier: '10' }, [none, none, none, none]),
    base('136-four-nonces', all136, 'guangdong', { chicken: '1', 'naïve': '值' }, four),
    base('108-shaoguan', `11119999m${full}p${full}s${honours}`, 'shaoguan', { horses: '4', with_characters: 'true' },
      [four[0], none, nonce('longest', 64), nonce('shortest', 16)]),
    base('100-shaoguan-without-characters', `${full}p${full}s${honours}`, 'shaoguan',
      { with_characters: 'false', horses: '0' }, four),
    base('136-jieyang-options-in-byte-order', all136, 'jieyang', { wild: 'flipped', Z: '1', a: '', aa: '2' }, four),
    base('136-nonces-that-do-not-count', all136, 'chaozhou', {}, [
      { ...four[0], reveal: null }, { ...four[1], reveal: four[2].reveal }, nonce('too short', 15), nonce('too long', 65)]),
    base('136-zero-seed', all136, 'chaozhou', {}, four, Buffer.alloc(128)),
    first(base('136-wall-word-thrown-away', all136, 'chaozhou', {}, four), 'wall'),
    first(base('136-dice-word-thrown-away', all136, 'chaozhou', {}, four), 'dice'),
  ];
}

const [mode, file] = process.argv.slice(2);
if (mode === '--write') {
  const vectors = inputs().map((input) => ({ ...input, ...deal(input) }));
  writeFileSync(file, `${JSON.stringify(vectors, null, 1)}\n`);
} else if (mode === '--check') {
  const vectors = JSON.parse(readFileSync(file, 'utf8'));
  const wrong = vectors.filter((v) => Object.entries(deal(v)).some(([k, x]) => JSON.stringify(x) !== JSON.stringify(v[k])));
  for (const v of wrong) console.error(`differs: ${v.name}`);
  if (vectors.length === 0 || wrong.length > 0) process.exit(1);
  console.log(`${vectors.length} vectors hold`);
} else if (mode === '--deal') {
  console.log(JSON.stringify(deal(JSON.parse(readFileSync(file, 'utf8'))), null, 1));
} else {
  console.error('usage: reference.mjs --check FILE | --write FILE | --deal FILE');
  process.exit(2);
}
