// node build.mjs --bin FOLDER --out FOLDER --version V [--time SECONDS] [IMAGE...]: writes IMAGE.oci.tar and
// IMAGE.spdx.json for each recipe of deploy/image (default: all), and prints a line for each.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { recipes } from '../../deploy/image/recipes.mjs';
import { filesOf, isElf, packagesOf, sharedObjectsOf } from './debian.mjs';
import { ociArchive } from './oci.mjs';
import { spdx } from './spdx.mjs';
import { tar } from './tar.mjs';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
const require = createRequire(import.meta.url);
const user = 65532;

// A program of ours without symbols, and without the id that a linker makes of them: debugging data tells the folder
// of the build.
function stripped(file) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mj-image.'));
  const out = path.join(folder, 'program');
  try {
    execFileSync('strip', ['--strip-all', '--remove-section=.note.gnu.build-id', '-o', out, file], { stdio: ['ignore', 'ignore', 'pipe'] });
    return fs.readFileSync(out);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

// Debian's /bin, /lib and /lib64 are links into /usr.
const merged = (at) => at.replace(/^\/(bin|lib|lib64|sbin)\//, '/usr/$1/');

// The two layers of an image as lists of { path, data, mode, package } | { path, link }: what is Debian's, what is ours.
function filesOfImage(recipe, { bin, version }) {
  const below = new Map();
  const above = new Map();
  const debian = new Map(); // path on this machine → path in the image
  const linked = [];
  const our = { kind: 'ours', name: 'mahjong', version };
  const addTree = (at, from) => {
    if (fs.statSync(from).isDirectory()) {
      for (const name of fs.readdirSync(from)) addTree(`${at}/${name}`, path.join(from, name));
    } else {
      const mode = fs.statSync(from).mode & 0o111 ? 0o755 : 0o644;
      above.set(at, { data: fs.readFileSync(from), mode, package: our });
    }
  };
  for (const [at, from] of Object.entries(recipe.programs)) {
    if (from.built) {
      const file = path.join(bin, from.built);
      above.set(at, { data: stripped(file), mode: 0o755, package: our });
      linked.push(file);
    } else if (from.npm) {
      const manifest = require.resolve(`${from.npm[0]}/package.json`);
      const { name, version: theirs } = JSON.parse(fs.readFileSync(manifest, 'utf8'));
      const file = path.join(path.dirname(manifest), from.npm[1]);
      if (sharedObjectsOf([file]).length) throw new Error(`${file} is not static`);
      above.set(at, { data: fs.readFileSync(file), mode: 0o755, package: { kind: 'npm', name, version: theirs } });
    } else {
      debian.set(fs.realpathSync(from.debian), merged(`/${at}`).slice(1));
    }
  }
  for (const name of recipe.packages ?? []) {
    for (const file of filesOf(name).filter((f) => !recipe.without.test(f))) {
      const target = fs.realpathSync(file);
      if (fs.lstatSync(file).isSymbolicLink()) {
        if (!recipe.without.test(target)) below.set(merged(file).slice(1), { link: target });
      } else debian.set(target, target.slice(1));
    }
  }
  for (const [file] of debian) {
    const head = Buffer.alloc(5);
    const fd = fs.openSync(file);
    fs.readSync(fd, head, 0, 5, 0);
    fs.closeSync(fd);
    if (isElf(head)) linked.push(file);
  }
  // A library stands under its own name, with a link from the name that programs ask for.
  for (const library of sharedObjectsOf(linked)) {
    const target = fs.realpathSync(library);
    const place = merged(library);
    debian.set(target, target.slice(1));
    if (place !== target) below.set(place.slice(1), { link: path.relative(path.dirname(place), target) });
  }
  const owners = packagesOf([...debian.keys()]);
  for (const [file, at] of debian) {
    const mode = fs.statSync(file).mode & 0o111 ? 0o755 : 0o644;
    below.set(at, { data: fs.readFileSync(file), mode, package: owners.get(file) });
  }
  // Their licences demand that their words come along.
  for (const owner of new Set(owners.values())) {
    const words = fs.realpathSync(`/usr/share/doc/${owner.name}/copyright`);
    below.set(`usr/share/doc/${owner.name}/copyright`, { data: fs.readFileSync(words), mode: 0o644, package: owner });
  }
  for (const name of ['bin', 'lib', 'lib64']) {
    if ([...below.keys()].some((at) => at.startsWith(`usr/${name}/`))) below.set(name, { link: `usr/${name}` });
  }
  const line = (text) => ({ data: Buffer.from(`${text}\n`), mode: 0o644, package: our });
  below.set('etc/passwd', line(`mahjong:x:${user}:${user}::/:/sbin/nologin`));
  below.set('etc/group', line(`mahjong:x:${user}:`));
  below.set('etc/nsswitch.conf', line('passwd: files\ngroup: files\nhosts: files dns'));
  below.set('tmp', { folder: true, mode: 0o1777 });
  for (const [at, from] of Object.entries(recipe.files ?? {})) addTree(at, path.join(root, from));
  return [below, above];
}

// Builds one image: { archive, digest, bill, size }.
export function build(name, { bin, version, time, revision }) {
  const recipe = recipes[name];
  const layers = filesOfImage(recipe, { bin, version });
  const files = layers.flatMap((layer) => [...layer].filter(([, f]) => f.data).map(([at, f]) => ({ path: at, ...f })));
  const image = ociArchive({
    name: `mahjong/${name}:${version}`,
    layers: layers.map((layer) => tar(layer, time)),
    entrypoint: recipe.entrypoint,
    command: [],
    user: `${user}:${user}`,
    ports: recipe.ports,
    labels: {
      'org.opencontainers.image.title': `mahjong/${name}`,
      'org.opencontainers.image.version': version,
      ...(revision ? { 'org.opencontainers.image.revision': revision } : {}),
    },
    history: ['what is Debian\'s', 'what is ours'],
    time,
  });
  return { ...image, bill: spdx({ name: `mahjong/${name}`, version, files, time }), size: image.archive.length };
}

function main() {
  const { values, positionals } = parseArgs({
    options: {
      bin: { type: 'string' }, out: { type: 'string' }, version: { type: 'string' },
      time: { type: 'string', default: '0' }, revision: { type: 'string', default: '' },
    },
    allowPositionals: true,
  });
  if (!values.bin || !values.out || !values.version) throw new Error('--bin, --out and --version are needed');
  fs.mkdirSync(values.out, { recursive: true });
  for (const name of positionals.length ? positionals : Object.keys(recipes)) {
    if (!recipes[name]) throw new Error(`there is no recipe '${name}'`);
    const image = build(name, { ...values, time: Number(values.time) });
    fs.writeFileSync(path.join(values.out, `${name}.oci.tar`), image.archive);
    fs.writeFileSync(path.join(values.out, `${name}.spdx.json`), `${JSON.stringify(image.bill, null, 1)}\n`);
    const mebibytes = (image.size / 2 ** 20).toFixed(1);
    process.stdout.write(`mahjong/${name}:${values.version}  ${image.digest}  ${mebibytes} MiB\n`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    main();
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
