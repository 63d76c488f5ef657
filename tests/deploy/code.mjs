// What the code knows, read from its sources: the services' flags as variables, and the metrics.
import fs from 'node:fs';
import path from 'node:path';
import { root } from './render.mjs';

const read = (file) => fs.readFileSync(path.join(root, file), 'utf8');

function sources(folder) {
  return fs.readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const at = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return sources(at);
    return /\.(cc|h)$/.test(at) && !/_(test|testing|bench)\.(cc|h)$/.test(at) ? [at] : [];
  });
}

const flagsIn = (text) => [...text.matchAll(/(?:add(?:_option|_flag)?|add_option_function<[^(]*>)\(\s*"(--[a-z-]+)"/g)].map((m) => m[1]);
const requiredIn = (text) =>
  [...text.matchAll(/add(?:_option)?\(\s*"(--[a-z-]+)"[^;]*?->required\(\)/g)].map((m) => m[1]);
const variable = (service, flag) => `MJ_${service}_${flag.slice(2)}`.toUpperCase().replaceAll('-', '_');

// { all, required }: the variables of a service, as sets.
export function variablesOf(service) {
  const common = flagsIn(read('libs/rpc/server_flags.h'));
  const own = read(`services/${service}/config.cc`);
  return {
    all: new Set([...common, ...flagsIn(own)].map((f) => variable(service, f))),
    required: new Set(requiredIn(own).map((f) => variable(service, f))),
  };
}

// Name → "Counter" | "Gauge" | "Histogram" of every metric that the services' code makes. The name may stand in a
// constant or be handed on by a helper, so the kind is the nearest one named; a histogram is never guessed.
export function metricsOfCode() {
  const out = new Map();
  for (const file of [...sources('libs'), ...sources('services')].filter((f) => f.endsWith('.cc'))) {
    const text = read(file);
    for (const match of text.matchAll(/"(mahjong_[a-z0-9_]+)"/g)) {
      const before = text.slice(Math.max(0, match.index - 120), match.index);
      const kind = [...before.matchAll(/\b(Counter|Gauge|Histogram)\(\s*/g)].at(-1)?.[1];
      out.set(match[1], kind === 'Histogram' || !out.has(match[1]) ? (kind ?? 'Gauge') : out.get(match[1]));
    }
  }
  return out;
}

// The names under which Prometheus knows them.
export function seriesOfCode() {
  const out = new Set();
  for (const [name, kind] of metricsOfCode()) {
    if (kind === 'Histogram') for (const part of ['bucket', 'sum', 'count']) out.add(`${name}_${part}`);
    else out.add(name);
  }
  return out;
}
