// The images of deploy/image, built from what the build made and read again by other means than it was written by.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { recipes } from '../../deploy/image/recipes.mjs';
import { build } from '../../tools/image/build.mjs';
import { packagesOf, sharedObjectsOf } from '../../tools/image/debian.mjs';
import { tar, untar } from '../../tools/image/tar.mjs';
import { root } from './render.mjs';

const bin = path.join(process.env.MJ_BUILD_DIR ?? path.join(root, 'build', 'dev'), 'bin');
const options = { bin, version: 'test', time: 1_700_000_000, revision: '' };
const sha256 = (data) => createHash('sha256').update(data).digest('hex');
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'mj-images.'));
process.on('exit', () => fs.rmSync(scratch, { recursive: true, force: true }));

// An image as a runtime would see it: { config, files }.
function open(archive) {
  const blobs = untar(archive);
  const blob = ({ digest, size }) => {
    const { data } = blobs.get(`blobs/${digest.replace(':', '/')}`);
    assert.equal(`sha256:${sha256(data)}`, digest);
    assert.equal(data.length, size);
    return data;
  };
  const index = JSON.parse(blobs.get('index.json').data);
  const manifest = JSON.parse(blob(index.manifests[0]));
  const config = JSON.parse(blob(manifest.config));
  const layers = manifest.layers.map(blob);
  assert.deepEqual(config.rootfs.diff_ids, layers.map((layer) => `sha256:${sha256(layer)}`));
  const files = new Map(layers.flatMap((layer) => [...untar(layer)]));
  return { name: index.manifests[0].annotations['org.opencontainers.image.ref.name'], config: config.config, layers, files };
}

// Where a path leads once every link on its way is followed; undefined: nowhere.
function resolve(files, at, hops = 0) {
  const done = [];
  const parts = at.split('/').filter(Boolean);
  for (let i = 0; i < parts.length; ++i) {
    if (parts[i] === '..') done.pop();
    else done.push(parts[i]);
    const found = files.get(done.join('/'));
    if (!found || hops > 20) return undefined;
    if (found.type !== '2') continue;
    const from = found.link.startsWith('/') ? '' : done.slice(0, -1).join('/');
    return resolve(files, [from, found.link, ...parts.slice(i + 1)].join('/'), hops + 1);
  }
  return done.join('/');
}

// ELF files by their header alone: type 3 is a shared object (or a program that can stand anywhere).
const isElf = ({ data }) => data.length > 20 && data.readUInt32BE(0) === 0x7f454c46;

// What a bill does not say of an image, or says wrongly.
function missingIn(bill, files) {
  const named = new Map(bill.files.map((f) => [f.fileName, f]));
  const owners = new Map(bill.relationships.filter((r) => r.relationshipType === 'OTHER').map((r) => [r.relatedSpdxElement, r.spdxElementId]));
  const packages = new Map(bill.packages.map((p) => [p.SPDXID, p]));
  return [...files].flatMap(([at, file]) => {
    if (file.type !== '0') return [];
    const found = named.get(`./${at}`);
    if (!found) return [`${at} is not named`];
    const sum = found.checksums.find((c) => c.algorithm === 'SHA256')?.checksumValue;
    if (sum !== sha256(file.data)) return [`${at} has another content`];
    const owner = packages.get(owners.get(found.SPDXID));
    if (!owner?.versionInfo || !owner.externalRefs?.[0].referenceLocator.startsWith('pkg:')) return [`${at} is of no package`];
    return [];
  });
}

const built = new Map(Object.keys(recipes).map((name) => [name, build(name, options)]));
const opened = new Map([...built].map(([name, { archive }]) => [name, open(archive)]));

for (const [name, { config, files }] of opened) {
  test(`${name}: nobody's root, nothing writable`, () => {
    assert.equal(config.User, '65532:65532');
    for (const [at, file] of files) {
      assert.equal(file.owner, '0:0', at);
      assert.equal(file.time, options.time, at);
      if (file.type === '0') assert.ok([0o644, 0o755].includes(file.mode), `${at} has mode ${file.mode.toString(8)}`);
    }
    assert.match(files.get('etc/passwd').data.toString(), /^mahjong:x:65532:65532:/);
  });

  test(`${name}: every library that a program asks for is there`, () => {
    const there = new Set([...files.keys()].map((at) => path.basename(at)));
    const elves = [...files].filter(([, f]) => isElf(f));
    const folder = fs.mkdtempSync(path.join(scratch, 'elves.'));
    for (const [i, [, { data }]] of elves.entries()) fs.writeFileSync(path.join(folder, String(i)), data);
    const told = execFileSync('readelf', ['-dlW', ...elves.keys()].map(String), { cwd: folder, encoding: 'utf8', maxBuffer: 64 << 20 });
    const parts = told.split(/^File: /m).slice(1);
    assert.equal(parts.length, elves.length);
    for (const part of parts) {
      const [at] = elves[parseInt(part, 10)];
      for (const [, library] of part.matchAll(/\(NEEDED\).*\[(.+)\]/g)) assert.ok(there.has(library), `${at} needs ${library}`);
      const loader = /interpreter: (\S+)\]/.exec(part)?.[1];
      if (loader) assert.ok(there.has(path.basename(loader)), `${at} needs ${loader}`);
    }
    fs.rmSync(folder, { recursive: true });
    assert.ok(elves.length >= 4, `${elves.length} programs and libraries`);
  });

  test(`${name}: links lead somewhere`, () => {
    for (const [at, { type }] of files) if (type === '2') assert.ok(resolve(files, at), `${at} leads nowhere`);
  });

  test(`${name}: the bill names every file with its package`, () => {
    const { bill } = built.get(name);
    assert.deepEqual(missingIn(bill, files), []);
    const libraries = [...files].filter(([at, f]) => f.type === '0' && isElf(f) && /\.so(\.|$)/.test(at));
    assert.ok(libraries.length >= 3);
    // A bill without one of them, or with another one in its place, is found out.
    for (const [at] of libraries) {
      const without = { ...bill, files: bill.files.filter((f) => f.fileName !== `./${at}`) };
      assert.deepEqual(missingIn(without, new Map([[at, files.get(at)]])), [`${at} is not named`]);
    }
    const [at, file] = libraries[0];
    assert.deepEqual(missingIn(bill, new Map([[at, { ...file, data: Buffer.from('x') }]])), [`${at} has another content`]);
  });

  test(`${name}: the bill is SPDX 2.3`, () => {
    const { bill } = built.get(name);
    const elements = [bill, ...bill.packages, ...bill.files];
    const ids = new Set(elements.map((e) => e.SPDXID));
    assert.equal(ids.size, elements.length, 'ids repeat');
    for (const id of ids) assert.match(id, /^SPDXRef-[A-Za-z0-9.-]+$/);
    for (const r of bill.relationships) assert.ok(ids.has(r.spdxElementId) && ids.has(r.relatedSpdxElement));
    assert.equal(bill.spdxVersion, 'SPDX-2.3');
    assert.equal(bill.dataLicense, 'CC0-1.0');
    assert.match(bill.documentNamespace, /^urn:[^#]+$/);
    assert.match(bill.creationInfo.created, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    for (const p of bill.packages) assert.ok(p.name && p.downloadLocation && typeof p.filesAnalyzed === 'boolean');
    const sums = bill.files.map((f) => f.checksums.find((c) => c.algorithm === 'SHA1').checksumValue);
    const code = createHash('sha1').update(sums.sort().join('')).digest('hex');
    assert.equal(bill.packages[0].packageVerificationCode.packageVerificationCodeValue, code);
  });
}

test('a service\'s image is small and has nothing to explore it with', () => {
  for (const name of ['scoring', 'wallet', 'table', 'matchmaking']) {
    const { files } = opened.get(name);
    assert.ok(built.get(name).size < 64 * 2 ** 20, `${name}: ${built.get(name).size} bytes`);
    const programs = [...files].filter(([at, f]) => f.mode & 0o111 && f.type === '0' && !/\.so[.\d]*$/.test(at)).map(([at]) => at);
    assert.deepEqual(programs.sort(), ['app/mj-health', `app/mj-${name}`]);
  }
});

test('the same sources give the same image', () => {
  assert.equal(build('scoring', options).digest, built.get('scoring').digest);
  assert.notEqual(build('scoring', { ...options, version: 'other' }).digest, built.get('scoring').digest);
});

// In a folder that has nothing else, which is what a container is to a program's loader.
for (const [name, command] of [
  ['scoring', ['/app/mj-scoring', '--help']],
  ['wallet', ['/app/mj-wallet', '--help']],
  ['table', ['/app/mj-table', '--help']],
  ['matchmaking', ['/app/mj-matchmaking', '--help']],
  ['scoring', ['/app/mj-health', '--help']],
  ['migrate', ['/bin/sh', '-c', '/app/dbmate --version && /app/psql --version && sleep 0']],
  ['postgres', ['/usr/lib/postgresql/15/bin/postgres', '--version']],
]) {
  test(`${name}: ${command[0]} runs from its image`, () => {
    const folder = fs.mkdtempSync(path.join(scratch, 'root.'));
    for (const layer of opened.get(name).layers) execFileSync('tar', ['-xf', '-', '-C', folder], { input: layer });
    const enter = process.getuid() === 0 ? ['chroot'] : ['unshare', '--map-root-user', 'chroot'];
    const ran = spawnSync(enter[0], [...enter.slice(1), folder, ...command], { encoding: 'utf8', env: { PATH: process.env.PATH } });
    assert.equal(ran.status, 0, ran.stderr);
    assert.notEqual(ran.stdout, '');
    fs.rmSync(folder, { recursive: true });
  });
}

test('archives are what tar reads', () => {
  const long = `${'folder/'.repeat(20)}file`;
  const archive = tar(new Map([[long, { data: Buffer.from('text'), mode: 0o644 }], ['a', { link: long.slice(0, 90) }]]), 1);
  const listed = execFileSync('tar', ['-tf', '-'], { input: archive, encoding: 'utf8' }).split('\n').filter(Boolean);
  assert.equal(listed[0], 'a');
  assert.equal(listed.at(-1), long);
  assert.equal(untar(archive).get(long).data.toString(), 'text');
  assert.throws(() => tar(new Map([['x'.repeat(101), { data: Buffer.alloc(0), mode: 0 }]]), 1), /too long/);
  assert.throws(() => tar(new Map([['x', { link: 'x'.repeat(101) }]]), 1), /too long/);
});

test('what cannot go into an image is refused', () => {
  const text = path.join(scratch, 'text');
  fs.writeFileSync(text, 'text');
  fs.chmodSync(text, 0o755);
  assert.throws(() => packagesOf([text]), /of no Debian package: .*text/);
  assert.throws(() => sharedObjectsOf([path.join(scratch, 'none')]), /No such file/);
  assert.deepEqual(sharedObjectsOf([text]), []);
  assert.throws(() => build('scoring', { ...options, bin: scratch }), /mj-scoring/);
  // Whoever lacks a library is named, also among others.
  const lonely = path.join(scratch, 'lonely');
  const missing = Buffer.from(fs.readFileSync('/bin/dash').toString('latin1').replace('libc.so.6', 'libx.so.6'), 'latin1');
  fs.writeFileSync(lonely, missing, { mode: 0o755 });
  assert.throws(() => sharedObjectsOf(['/bin/cat', lonely]), /lonely: libx\.so\.6 => not found/);
});

test('the command line is held to', () => {
  const ran = (...list) => spawnSync('node', ['tools/image/build.mjs', ...list], { cwd: root, encoding: 'utf8' });
  for (const [list, why] of [
    [['--bin', bin, '--out', scratch], /--bin, --out and --version are needed/],
    [['--bin', bin, '--out', scratch, '--version', 'v', 'nobody'], /there is no recipe 'nobody'/],
    [['--bin', bin, '--out', scratch, '--version', 'v', '--speed', '1'], /--speed/],
  ]) {
    const { status, stderr } = ran(...list);
    assert.equal(status, 1);
    assert.match(stderr, why);
  }
});
