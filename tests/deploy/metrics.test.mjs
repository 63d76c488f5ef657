// The metrics' names and labels are an interface: dashboards and alerts of others read them. deploy/monitoring/metrics.txt
// has them all; MJ_UPDATE_GOLDEN=1 writes it anew, and the change stands in CHANGELOG.md.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { metricsOfCode } from './code.mjs';
import { root } from './render.mjs';

const file = path.join(root, 'deploy/monitoring/metrics.txt');
const metrics = [...metricsOfCode()].sort(([a], [b]) => (a < b ? -1 : 1));

// Every label that a metric may have, and why it has few values. A player, a table, a round is none: those are
// fields of log lines.
const bounded = {
  chain: 'the ledger has 16 chains',
  code: 'gRPC has 17',
  feed: 'rounds, seats',
  how: 'a closed enum',
  method: 'those of the protos',
  needs_person: 'yes, no',
  peer: 'scoring, wallet',
  reason: 'libs/base/reasons.inc',
  service: 'one a process',
  state: 'in_use, idle',
  variant: 'the registry of games',
  what: 'literals of the code',
};

test('metrics are those of deploy/monitoring/metrics.txt', () => {
  const text = metrics.map(([name, { kind, labels }]) => `${kind.toLowerCase()} ${name}{${labels.join(',')}}\n`).join('');
  if (process.env.MJ_UPDATE_GOLDEN) fs.writeFileSync(file, text);
  assert.equal(text, fs.readFileSync(file, 'utf8'), 'cure: MJ_UPDATE_GOLDEN=1 node --test tests/deploy/metrics.test.mjs');
});

test('every label has few values', () => {
  const used = new Set(metrics.flatMap(([, { labels }]) => labels));
  assert.deepEqual([...used].sort(), Object.keys(bounded), 'a label that nobody bounds, or a bound that no label needs');
});

test('names tell the kind and the unit', () => {
  for (const [name, { kind }] of metrics) {
    assert.match(name, /^mahjong_[a-z]+(_[a-z]+)*$/);
    assert.equal(kind === 'Counter', name.endsWith('_total'), `${name} is a ${kind}`);
    if (kind === 'Histogram') assert.match(name, /_(seconds|bytes)$/);
    assert.doesNotMatch(name, /_(ms|millis|minutes|kb|percent)(_|$)/, `${name}: base units`);
  }
});
