// node write.mjs --keys FOLDER --out FOLDER [--set WORKLOAD:NAME=VALUE]... OVERLAY: writes secrets/NAME and pods/NAME for
// `podman secret create` and `podman kube play`, and prints a line for each pod: NAME, KIND, its names with commas.
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { render } from '../../tests/deploy/render.mjs';
import { podsOf, secretsOf } from './transform.mjs';

function main() {
  const { values, positionals } = parseArgs({
    options: { keys: { type: 'string' }, out: { type: 'string' }, set: { type: 'string', multiple: true, default: [] } },
    allowPositionals: true,
  });
  if (!values.keys || !values.out || positionals.length !== 1) throw new Error('--keys, --out and an overlay are needed');
  const settings = {};
  for (const text of values.set) {
    const match = /^([a-z-]+):([A-Z_0-9]+)=(.*)$/s.exec(text);
    if (!match) throw new Error(`--set wants WORKLOAD:NAME=VALUE, got ${text}`);
    (settings[match[1]] ??= {})[match[2]] = match[3];
  }
  const objects = render(positionals[0]);
  const keys = Object.fromEntries(fs.readdirSync(values.keys).map((f) => [f, fs.readFileSync(path.join(values.keys, f), 'utf8')]));
  // JSON is YAML.
  const write = (folder, name, object) => {
    fs.mkdirSync(path.join(values.out, folder), { recursive: true, mode: 0o700 });
    fs.writeFileSync(path.join(values.out, folder, name), `${JSON.stringify(object, null, 1)}\n`, { mode: 0o600 });
  };
  for (const secret of secretsOf(objects, keys)) write('secrets', secret.metadata.name, secret);
  for (const { name, kind, aliases, pod } of podsOf(objects, settings)) {
    write('pods', name, pod);
    process.stdout.write(`${name}\t${kind}\t${aliases.join(',')}\n`);
  }
}

try {
  main();
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
