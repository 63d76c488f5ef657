// What tools/pods makes of the overlay dev for podman. `./dev pods` runs it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { podsOf, secretsOf } from '../../tools/pods/transform.mjs';
import { render, root } from './render.mjs';
import { mainOf, podOf, serversOf, appOf } from './workloads.mjs';

const overlay = 'deploy/k8s/overlays/dev';
const objects = render(overlay);
const keys = Object.fromEntries(
  ['ca.pem', 'jwks.json', ...['scoring', 'wallet', 'table', 'matchmaking'].flatMap((s) => [`${s}.pem`, `${s}.key`])].map((f) => [f, `of ${f}`]),
);
const pods = new Map(podsOf(objects, { table: { MJ_TABLE_SETTING: 'claim_pause_ms=20' } }).map((p) => [p.name, p]));
const containers = [...pods.values()].flatMap(({ pod }) => [...(pod.spec.initContainers ?? []), ...pod.spec.containers]);
const environment = (name) => Object.fromEntries(pods.get(name).pod.spec.containers[0].env.map((e) => [e.name, e.value]));

test('each workload is a pod', () => {
  assert.deepEqual([...pods.keys()].sort(), ['matchmaking', 'migrate-dev', 'postgres-0', 'scoring', 'table-0', 'wallet']);
  assert.equal(pods.get('migrate-dev').kind, 'Job');
});

test('they are found by what others call them', () => {
  assert.deepEqual(pods.get('table-0').aliases.sort(), ['table', 'table-0.table.mahjong-dev.svc', 'tables']);
  assert.deepEqual(pods.get('wallet').aliases, ['wallet']);
  assert.deepEqual(pods.get('migrate-dev').aliases, []);
  assert.equal(environment('table-0').MJ_TABLE_ADVERTISE, 'table-0.table.mahjong-dev.svc:7000');
});

test('nobody is root, nothing is written, as the manifests say', () => {
  for (const { name, securityContext: c } of containers) {
    assert.equal(c.runAsUser, 65532, name);
    assert.equal(c.runAsNonRoot, true, name);
    assert.equal(c.readOnlyRootFilesystem, true, name);
    assert.equal(c.allowPrivilegeEscalation, false, name);
    assert.deepEqual(c.capabilities.drop, ['ALL'], name);
  }
});

test('nothing is left that podman does not do', () => {
  for (const c of containers) {
    for (const key of ['ports', 'envFrom', 'startupProbe', 'readinessProbe', 'livenessProbe', 'lifecycle']) assert.ok(!(key in c), key);
    for (const { name, value } of c.env) {
      assert.equal(typeof value, 'string', name);
      assert.doesNotMatch(value, /\$\(/, name);
    }
    assert.match(c.image, /^localhost\/mahjong\/[a-z]+:dev$/);
    assert.match(c.resources.limits.memory, /^\d+[MG]i$/);
  }
  for (const { pod } of pods.values()) {
    for (const v of pod.spec.volumes) if (v.secret) assert.deepEqual(Object.keys(v.secret), ['secretName', 'optional']);
  }
});

test('settings are added where they are asked for', () => {
  assert.equal(environment('table-0').MJ_TABLE_SETTING, 'claim_pause_ms=20');
  assert.equal(environment('wallet').MJ_TABLE_SETTING, undefined);
  assert.equal(environment('wallet').MJ_WALLET_JWKS, '/etc/mahjong/tokens/jwks.json');
});

test('Secrets hold their text, and every one that is mounted is there', () => {
  const secrets = new Map(secretsOf(objects, keys).map((s) => [s.metadata.name, s.data]));
  assert.deepEqual(secrets.get('table-tls'), { 'ca.crt': 'of ca.pem', 'tls.crt': 'of table.pem', 'tls.key': 'of table.key' });
  assert.deepEqual(secrets.get('token-keys'), { 'jwks.json': 'of jwks.json' });
  const database = [...secrets.keys()].find((name) => name.startsWith('wallet-database'));
  assert.match(secrets.get(database)['pg_service.conf'], /^\[wallet\]\n/);
  for (const { pod } of pods.values()) {
    for (const { secret } of pod.spec.volumes) if (secret) assert.ok(secrets.has(secret.secretName), secret.secretName);
  }
});

const table = (o) => serversOf(o).find((w) => appOf(w) === 'table');
for (const [what, change, why] of [
  ['a field of the pod', (o) => (podOf(table(o)).hostNetwork = true), /table-0: hostNetwork is nothing/],
  ['a field of a container', (o) => (mainOf(table(o)).tty = true), /table-0: main: tty is nothing/],
  ['a kind of volume', (o) => podOf(table(o)).volumes.push({ name: 'x', hostPath: { path: '/' } }), /hostPath is nothing/],
  ['a volume of no kind', (o) => podOf(table(o)).volumes.push({ name: 'x' }), /volume x is of no kind/],
  ['a variable from elsewhere', (o) => mainOf(table(o)).env.push({ name: 'X', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } }), /X comes from where nobody knows/],
]) {
  test(`what podman would ignore is refused: ${what}`, () => {
    const changed = structuredClone(objects);
    change(changed);
    assert.throws(() => podsOf(changed), why);
  });
}

test('a Secret that nobody brings is refused', () => {
  const changed = structuredClone(objects);
  podOf(table(changed)).volumes.push({ name: 'x', secret: { secretName: 'purse' } });
  assert.throws(() => secretsOf(changed, keys), /nobody brings the Secret purse/);
  const { 'wallet.key': _, ...fewer } = keys;
  assert.throws(() => secretsOf(objects, fewer), /there is no key file wallet\.key/);
});

test('the command line is held to', () => {
  const out = fs.mkdtempSync(path.join(os.tmpdir(), 'mj-pods.'));
  const folder = path.join(out, 'keys');
  fs.mkdirSync(folder);
  for (const [name, text] of Object.entries(keys)) fs.writeFileSync(path.join(folder, name), text);
  const ran = (...list) => spawnSync('node', ['tools/pods/write.mjs', ...list], { cwd: root, encoding: 'utf8' });
  assert.match(ran(overlay).stderr, /--keys, --out and an overlay are needed/);
  assert.match(ran('--keys', folder, '--out', out, '--set', 'x', overlay).stderr, /--set wants WORKLOAD:NAME=VALUE, got x/);
  const { status, stdout, stderr } = ran('--keys', folder, '--out', out, overlay);
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^migrate-dev\tJob\t$/m);
  assert.equal(fs.statSync(path.join(out, 'secrets', 'wallet-tls')).mode & 0o777, 0o600);
  assert.equal(JSON.parse(fs.readFileSync(path.join(out, 'pods', 'wallet'))).kind, 'Pod');
  fs.rmSync(out, { recursive: true });
});
