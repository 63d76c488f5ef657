// The overlays, rendered and held to the schemas and the policies; and each policy to its mutations.
import assert from 'node:assert/strict';
import test from 'node:test';
import zlib from 'node:zlib';
import { mutations } from './mutations.mjs';
import { policies } from './policies.mjs';
import { nameOf, render, unzip } from './render.mjs';
import { faults } from './schema.mjs';

const overlays = ['dev', 'prod'].map((name) => [name, render(`deploy/k8s/overlays/${name}`)]);
const prod = overlays[1][1];

for (const [name, objects] of overlays) {
  for (const [policy, check] of Object.entries(policies)) {
    test(`${name}: ${policy}`, () => assert.deepEqual(check(structuredClone(objects)), []));
  }
}

for (const [policy, what, at, change] of mutations) {
  test(`${policy}; not so: ${what}`, () => {
    const objects = structuredClone(prod);
    change(at(objects));
    assert.notDeepEqual(objects, prod, 'the mutation changes nothing');
    assert.notDeepEqual(policies[policy](objects), [], 'nobody noticed');
  });
}

test('every policy can fail', () => {
  const tried = new Set(mutations.map(([policy]) => policy));
  assert.deepEqual(Object.keys(policies).filter((policy) => !tried.has(policy)), []);
});

// Every place of every object that has named fields: one more is refused there, if it is not a free map.
test('an unknown field is refused wherever it stands', () => {
  const free = /\/(labels|annotations|data|stringData|matchLabels|limits|requests|nodeSelector|selector)$/;
  let tried = 0;
  for (const object of prod) {
    const walk = (value, place) => {
      if (value === null || typeof value !== 'object') return;
      if (!Array.isArray(value) && !free.test(place)) {
        value.noSuchField = {};
        assert.notDeepEqual(faults(object), [], `${nameOf(object)}${place} takes any field`);
        delete value.noSuchField;
        tried += 1;
      }
      for (const [key, inner] of Object.entries(value)) walk(inner, `${place}/${key}`);
    };
    if (!object.kind.endsWith('Rule')) walk(object, '');
  }
  assert.ok(tried > 300, `${tried} places`);
});

test('zip archives are read', () => {
  const archive = (method, body) => {
    const local = Buffer.alloc(30);
    local.writeUInt16LE(1, 26);
    const central = Buffer.alloc(46);
    central.writeUInt16LE(method, 10);
    central.writeUInt32LE(body.length, 20);
    central.writeUInt16LE(1, 28);
    const end = Buffer.from('PK\x05\x06'.padEnd(22, '\0'), 'latin1');
    end.writeUInt16LE(1, 10);
    end.writeUInt32LE(31 + body.length, 16);
    return Buffer.concat([local, Buffer.from('a'), body, central, Buffer.from('a'), end]);
  };
  assert.equal(unzip(archive(0, Buffer.from('text')), 'a').toString(), 'text');
  assert.equal(unzip(archive(8, zlib.deflateRawSync('text')), 'a').toString(), 'text');
  assert.throws(() => unzip(archive(9, Buffer.from('text')), 'a'), /packing method 9/);
  assert.throws(() => unzip(archive(0, Buffer.from('text')), 'b'), /not in the archive/);
  assert.throws(() => unzip(Buffer.from('text'), 'a'), /no zip archive/);
});
