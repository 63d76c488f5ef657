// `node log_secrets.mjs FILE...`: whether a service's log is what an outsider may read: JSON lines of the keys
// below and no others, and no value that looks like a token, a secret or a hand. Says what is wrong, by line.
import { readFileSync } from 'node:fs';

// A new key is added here by whoever has made sure that it never holds a secret.
const KEYS = new Set(`ts level service msg
  address metrics_address health_address path
  method request_id trace_id span_id peer caller key_id reason detail ms status error
  account_id journal_id match_id operator player_id room_id round_id table_id ticket_id tier_id
  age_ms attempt day event_partitions feed finding how key_ids matches record_partitions root rows tables
  tables_waiting variant what why`.split(/\s+/));

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const NEVER = [
  ['a token', /eyJ|Bearer/],
  ['a key', /PRIVATE KEY/],
  // Join tokens, nonces, seeds and digests are longer than anything else that is not made of UUIDs.
  ['a long secret', /[A-Za-z0-9_=-]{32,}/],
  ['tiles', /(^|[^0-9A-Za-z])([0-9]+[mps]|[1-7]+z)+($|[^0-9A-Za-z])/],
];
const MAY_BE_LONG = new Set(['root', 'path', 'trace_id']); // the ledger's published digest; an rpc's name; 128 bits

let lines = 0;
const wrong = [];
for (const file of process.argv.slice(2)) {
  for (const [at, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    if (line === '') continue;
    ++lines;
    const say = (what) => wrong.push(`${file}:${at + 1}: ${what}: ${line.slice(0, 200)}`);
    let fields;
    try {
      fields = JSON.parse(line);
    } catch {
      say('no JSON');
      continue;
    }
    for (const [key, value] of Object.entries(fields)) {
      if (!KEYS.has(key)) say(`a key that is not allowed, ${key}`);
      const text = String(value).replace(UUID, '');
      for (const [what, pattern] of NEVER) {
        if (what === 'a long secret' && MAY_BE_LONG.has(key)) continue;
        if (what === 'tiles' && fields.msg === 'grpc') continue; // which knows none, and says "20s"
        if (pattern.test(text)) say(`${what} in ${key}`);
      }
    }
  }
}
if (lines === 0) wrong.push('there is no line: nothing was looked at');
for (const one of wrong.slice(0, 20)) console.log(one);
process.exitCode = wrong.length === 0 ? 0 : 1;
