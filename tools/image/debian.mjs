// What this Debian machine has installed: which package a file is of, and what a program needs to run.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';

const run = (command, ...args) => execFileSync(command, args, { encoding: 'utf8', maxBuffer: 64 << 20 });

export const isElf = (data) => data.length > 4 && data.toString('latin1', 0, 4) === '\x7fELF';

// The shared objects that `files` are linked to, the loader included, as a sorted list of paths: none for static
// programs. Throws when one is missing. (Runs the loader over them, so only for what we have built or Debian has packaged.)
export function sharedObjectsOf(files) {
  const found = new Set();
  if (files.length === 0) return [];
  // It tells of a static program on stderr, or on stdout, and by its status, which is that of the last file.
  const { stdout, stderr } = spawnSync('ldd', files, { encoding: 'utf8', maxBuffer: 64 << 20 });
  const wrong = stderr.split('\n').filter((line) => line.trim() && !/not a dynamic executable/.test(line));
  if (wrong.length) throw new Error(`ldd: ${wrong.join('; ')}`);
  let file = files[0];
  for (const line of stdout.split('\n')) {
    // With several files, a line for each before what it is linked to.
    if (/^\S.*:$/.test(line)) file = line.slice(0, -1);
    else if (/not found/.test(line)) throw new Error(`${file}: ${line.trim()}`);
    else {
      const path = /(?:=> )?(\/\S+) \(0x/.exec(line)?.[1];
      if (path) found.add(path);
    }
  }
  return [...found].sort();
}

// The Debian package of each file, as name, version, architecture and source: Map path → package. Throws when a file
// is of none.
export function packagesOf(files) {
  const out = new Map();
  if (files.length === 0) return out;
  // Debian merged /lib into /usr/lib, its database of files did not.
  const spellings = new Map(files.flatMap((file) => [[file, file], [file.replace(/^\/usr\//, '/'), file]]));
  const { stdout } = spawnSync('dpkg-query', ['-S', ...spellings.keys()], { encoding: 'utf8', maxBuffer: 64 << 20 });
  const owner = new Map();
  for (const line of stdout.split('\n')) {
    const match = /^([^ ,]+)(?:, [^:]+(?::[a-z0-9]+)?)*: (\/.*)$/.exec(line);
    if (match && spellings.has(match[2])) owner.set(spellings.get(match[2]), match[1]);
  }
  const missing = files.filter((file) => !owner.has(file));
  if (missing.length) throw new Error(`of no Debian package: ${missing.join(', ')}`);
  const format = '${binary:Package}\t${Package}\t${Version}\t${Architecture}\t${source:Package}\t${source:Version}\n';
  const known = new Map();
  for (const line of run('dpkg-query', '-W', '-f', format, ...new Set(owner.values())).split('\n').filter(Boolean)) {
    const [key, name, version, architecture, source, sourceVersion] = line.split('\t');
    const described = { kind: 'debian', name, version, architecture, source, sourceVersion };
    for (const spelling of [key, name, `${name}:${architecture}`]) known.set(spelling, described);
  }
  for (const [file, key] of owner) out.set(file, known.get(key));
  return out;
}

// The regular files and links of an installed package.
export const filesOf = (name) =>
  run('dpkg-query', '-L', name).split('\n').filter((f) => f && fs.existsSync(f) && !fs.statSync(f).isDirectory());
