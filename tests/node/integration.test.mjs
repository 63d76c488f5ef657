// docs/integration.md against the code: its snippets are those of examples/node, and its tables leave nothing
// out. MJ_UPDATE_GOLDEN=1 writes the snippets anew.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import test from 'node:test';
import protobuf from 'protobufjs';

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const path = 'docs/integration.md';
let doc = read(path);

const protos = new protobuf.Root();
protos.resolvePath = (origin, target) =>
  target.startsWith('google/protobuf/') ? target : new URL(`../../protos/${target}`, import.meta.url).pathname;
const packages = ['scoring', 'wallet', 'table', 'matchmaking'];
protos.loadSync([
  ...packages.map((name) => `mahjong/${name}/v1/${name}_service.proto`),
  ...['wallet', 'table', 'matchmaking'].map((name) => `mahjong/${name}/v1/operator_service.proto`),
], { keepCase: true });
const config = JSON.parse(read('protos/service_config.json'));

// The lines between `// snippet: NAME` and `// end`, moved to the left.
function region(file, name) {
  const lines = read(`examples/node/${file}`).split('\n');
  const from = lines.findIndex((line) => line.trim() === `// snippet: ${name}`);
  assert.ok(from >= 0, `examples/node/${file} has no snippet ${name}`);
  const to = lines.findIndex((line, i) => i > from && line.trim() === '// end');
  const taken = lines.slice(from + 1, to);
  const margin = Math.min(...taken.filter((line) => line.trim()).map((line) => line.search(/\S/)));
  return taken.map((line) => line.slice(margin)).join('\n').trim();
}

// The rows of the table whose head begins with these cells.
function table(...head) {
  const lines = doc.split('\n');
  const from = lines.findIndex((line) => line.startsWith(`| ${head.join(' | ')} |`));
  assert.ok(from >= 0, `no table ${head}`);
  const rows = [];
  for (let i = from + 2; lines[i]?.startsWith('|'); ++i) {
    rows.push(lines[i].slice(1, -1).split('|').map((cell) => cell.trim().replaceAll('`', '')));
  }
  return rows;
}

// Every method of every service: [service, method].
const methods = () => packages.flatMap((name) => {
  const space = protos.lookup(`mahjong.${name}.v1`);
  return space.nestedArray.filter((one) => one instanceof protobuf.Service).flatMap((service) =>
    service.methodsArray.map((method) => ({ service: service.fullName.slice(1), method })));
});

test('every snippet is the code that is run', () => {
  const marker = /<!-- snippet: (\S+) (\S+) -->\n```js\n([\s\S]*?)```/g;
  const shown = [];
  const renewed = doc.replace(marker, (all, file, name) => {
    shown.push(`${file} ${name}`);
    return `<!-- snippet: ${file} ${name} -->\n\`\`\`js\n${region(file, name)}\n\`\`\``;
  });
  if (process.env.MJ_UPDATE_GOLDEN) writeFileSync(new URL(`../../${path}`, import.meta.url), (doc = renewed));
  assert.equal(doc, renewed, 'cure: MJ_UPDATE_GOLDEN=1 node --test tests/node/integration.test.mjs');
  // No code that a test does not run, and none that is marked and not shown.
  assert.equal(doc.match(/```js/g).length, shown.length);
  const marked = readdirSync(new URL('../../examples/node', import.meta.url)).filter((file) => file.endsWith('.js'))
    .flatMap((file) => [...read(`examples/node/${file}`).matchAll(/\/\/ snippet: (\S+)/g)].map(([, name]) => `${file} ${name}`));
  assert.deepEqual([...shown].sort(), marked.sort());
});

test('every reason is there, with its code and what to do', () => {
  const known = [...read('libs/base/reasons.inc').matchAll(/MJ_REASON\(k\w+, "(\w+)", k(\w+),/g)]
    .map(([, name, code]) => [name, code.replace(/(?<!^)([A-Z])/g, '_$1').toUpperCase()]);
  const rows = table('reason', 'code');
  assert.deepEqual(rows.map(([name, code]) => [name, code]), known);
  for (const [name, , cure] of rows) assert.ok(cure.length > 3, name);
});

test('every event is there, with its fields and what to do', () => {
  const { fields, oneofs } = protos.lookupType('mahjong.table.v1.TableEvent');
  const known = oneofs.event.oneof.map((name) => {
    const type = fields[name].resolve().resolvedType;
    return [name, type.fieldsArray.map((field) => field.name).join(', ') || '–'];
  });
  const rows = table('event', 'fields');
  assert.deepEqual(rows.map(([name, its]) => [name, its]), known);
  for (const [name, , act] of rows) assert.ok(act.length > 3, name);
});

test('every call is classified, here and in the service config', () => {
  const rows = table('service', 'rpc');
  assert.deepEqual(rows.map(([service, rpc]) => `${service}/${rpc}`),
    methods().map(({ service, method }) => `${service.split('.').pop()}/${method.name}`));
  const listed = config.methodConfig.flatMap(({ name, retryPolicy }) =>
    name.map(({ service, method }) => ({ key: `${service}/${method}`, retried: Boolean(retryPolicy) })));
  assert.equal(new Set(listed.map(({ key }) => key)).size, listed.length, 'one is listed twice');
  assert.equal(listed.length, rows.length, 'the config lists what there is, and nothing else');
  for (const [i, { service, method }] of methods().entries()) {
    const [, rpc, kind, again, deadline] = rows[i];
    const { retried } = listed.find(({ key }) => key === `${service}/${rpc}`) ?? assert.fail(`${rpc} is not in the config`);
    const request = method.resolve().resolvedRequestType;
    if (method.responseStream) {
      assert.deepEqual([kind, again, retried], ['stream', 'resume', false], rpc);
      continue;
    }
    assert.deepEqual([again, retried, deadline], ['yes', true, '5 s'], rpc);
    const [, id] = kind.match(/^once: by (\w+)$/) ?? [];
    if (id) assert.ok(request.fields[id], `${rpc} has no ${id}`);
    else assert.match(kind, /^read$|^once: .{8}/, rpc);
    // Whoever has a request id is known by it.
    if (request.fields.request_id) assert.equal(id, 'request_id', rpc);
    if (kind === 'read') assert.match(rpc, /^(Get|List|Locate|Verify|Score|BatchScore|Evaluate|Find|Inspect)/);
  }
});

test('both sides agree on keepalive, and on the deadline of a call', () => {
  const header = read('libs/rpc/keepalive.h');
  const constant = (name) => Number(header.match(new RegExp(`${name}\\{([\\d']+)\\}`))[1].replaceAll("'", ''));
  const client = read('examples/node/client.js');
  const setting = (name) => Number(client.match(new RegExp(`'${name}': ([\\d_]+)`))[1].replaceAll('_', ''));
  assert.equal(setting('grpc.keepalive_time_ms'), constant('kClientPingEvery'));
  assert.equal(setting('grpc.keepalive_timeout_ms'), constant('kClientPingTimeout'));
  assert.equal(setting('grpc.keepalive_permit_without_calls'), 1);
  assert.ok(constant('kServerPingAllowedEvery') < constant('kClientPingEvery'));
  assert.match(client, /CALL_MS = 5_000/);
});
