// A tar archive (POSIX ustar) whose bytes follow from its entries alone: sorted by path, owner 0:0, one time for all.

const block = 512;

function header({ path, mode, size, type, target, time }) {
  const out = Buffer.alloc(block);
  // "prefix/name": the name takes 100 bytes, the prefix 155.
  let [prefix, name] = ['', path];
  if (Buffer.byteLength(name) > 100) {
    const at = path.lastIndexOf('/', Math.min(155, path.length - 2));
    [prefix, name] = [path.slice(0, at), path.slice(at + 1)];
    if (at < 0 || Buffer.byteLength(name) > 100) throw new Error(`${path}: too long for tar`);
  }
  if (Buffer.byteLength(target) > 100) throw new Error(`${target}: too long for a link in tar`);
  const octal = (value, at, width) => out.write(value.toString(8).padStart(width - 1, '0'), at);
  out.write(name, 0);
  octal(mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(time, 136, 12);
  out.write('        ', 148);
  out.write(type, 156);
  out.write(target, 157);
  out.write('ustar\x0000', 257, 'latin1');
  out.write(prefix, 345);
  out.write(`${out.reduce((sum, byte) => sum + byte, 0).toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return out;
}

// entries: Map path → { data: Buffer, mode } | { link: target } | { folder: true, mode }; paths without a leading
// slash. Folders above an entry are made. `time` in seconds since the epoch.
export function tar(entries, time) {
  const all = new Map(entries);
  for (const path of entries.keys()) {
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      if (!all.has(path.slice(0, at))) all.set(path.slice(0, at), { folder: true, mode: 0o755 });
    }
  }
  const parts = [];
  for (const path of [...all.keys()].sort()) {
    const { data, link, folder, mode } = all.get(path);
    const common = { path: folder ? `${path}/` : path, size: 0, target: '', time };
    if (folder) parts.push(header({ ...common, mode, type: '5' }));
    else if (link !== undefined) parts.push(header({ ...common, mode: 0o777, type: '2', target: link }));
    else {
      parts.push(header({ ...common, mode, type: '0', size: data.length }), data);
      parts.push(Buffer.alloc((block - (data.length % block)) % block));
    }
  }
  parts.push(Buffer.alloc(2 * block));
  return Buffer.concat(parts);
}

// The entries of an archive that `tar` or GNU tar wrote without extensions: Map path → { type, data, mode, link }.
export function untar(archive) {
  const out = new Map();
  const text = (at, size) => archive.toString('utf8', at, at + size).replace(/\0.*$/s, '');
  for (let at = 0; at + block <= archive.length && archive[at] !== 0; ) {
    const size = parseInt(text(at + 124, 12), 8);
    const prefix = text(at + 345, 155);
    const path = (prefix ? `${prefix}/` : '') + text(at, 100);
    out.set(path.replace(/\/$/, ''), {
      type: text(at + 156, 1),
      mode: parseInt(text(at + 100, 8), 8),
      owner: `${parseInt(text(at + 108, 8), 8)}:${parseInt(text(at + 116, 8), 8)}`,
      time: parseInt(text(at + 136, 12), 8),
      link: text(at + 157, 100),
      data: archive.subarray(at + block, at + block + size),
    });
    at += block + Math.ceil(size / block) * block;
  }
  return out;
}
