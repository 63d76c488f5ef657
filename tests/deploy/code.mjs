// What the code knows, read from its sources: the services' flags as variables, and the metrics with their labels.
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

// The arguments of the call whose opening parenthesis stands before `from`, as texts.
function argumentsAt(text, from) {
  const out = [];
  let [depth, begin] = [0, from];
  for (let at = from; at < text.length; ++at) {
    const c = text[at];
    if (c === '"') while (text[++at] !== '"') if (text[at] === '\\') ++at;
    if ('([{'.includes(c)) ++depth;
    const over = depth === 0 && c === ')';
    if (over || (depth === 0 && c === ',')) {
      out.push(text.slice(begin, at).trim());
      begin = at + 1;
    }
    if (over) return out;
    if (')]}'.includes(c)) --depth;
  }
  throw new Error('a call without an end');
}

const literal = (text) => /^"(\w+)"$/.exec(text)?.[1];
const labelsIn = (text) => [...text.matchAll(/\{\s*"(\w+)"\s*,/g)].map((m) => m[1]);

// Of one file: [name, kind, labels] for each place that makes a metric. The name is a literal, a constant of the
// file, or the parameter `name` of a helper of the file; labels stand in the call or in a variable `labels`.
export function metricsIn(text, file = '') {
  const out = [];
  for (const match of text.matchAll(/\b(Counter|Gauge|Histogram)\(/g)) {
    const given = argumentsAt(text, match.index + match[0].length);
    const first = given[0];
    let names = [literal(first)];
    if (names[0] === undefined) {
      const constant = new RegExp(`constexpr char ${first}\\[\\] = "(\\w+)";`).exec(text);
      const helper = new RegExp(`\\b(\\w+)\\(const std::string& ${first}\\b`).exec(text);
      if (constant) names = [constant[1]];
      else if (helper) {
        names = [...text.matchAll(new RegExp(`\\b${helper[1]}\\("(\\w+)"`, 'g'))].map((m) => m[1]);
      } else if (/^[A-Za-z]\w*$/.test(first)) throw new Error(`${file}: whose name is ${first}?`);
      else continue; // a declaration, or a metric of prometheus-cpp itself
    }
    const where = given[match[1] === 'Histogram' ? 3 : 2];
    const variable_ = /^[a-z]\w*$/.test(where ?? '') && new RegExp(`Labels ${where}\\{([^;]*)\\};`).exec(text);
    if (/^[a-z]\w*$/.test(where ?? '') && !variable_) throw new Error(`${file}: which labels are ${where}?`);
    const labels = labelsIn(variable_ ? `{${variable_[1]}}` : where ?? '');
    for (const name of names) out.push([name, match[1], labels]);
  }
  return out;
}

// Name → { kind: "Counter" | "Gauge" | "Histogram", labels: sorted names } of every metric of the services' code.
// Every series also has the label service. Throws for a name whose making cannot be read, so that none is missed.
export function metricsOfCode() {
  const out = new Map();
  for (const file of [...sources('libs'), ...sources('services')].filter((f) => f.endsWith('.cc'))) {
    // The registry itself hands names on.
    if (file === 'libs/obs/metrics.cc') continue;
    const text = read(file);
    if (!text.includes('"mahjong_')) continue;
    const made = metricsIn(text, file);
    for (const [name, kind, labels] of made) {
      const metric = { kind, labels: ['service', ...labels].sort() };
      const known = out.get(name) ?? metric;
      if (JSON.stringify(known) !== JSON.stringify(metric)) throw new Error(`${file}: ${name} is made in two ways`);
      out.set(name, metric);
    }
    for (const [, name] of text.matchAll(/"(mahjong_[a-z0-9_]+)"/g)) {
      if (!made.some((m) => m[0] === name)) throw new Error(`${file}: how is ${name} made?`);
    }
  }
  return out;
}

// Name → labels, as Prometheus knows them.
export function seriesOfCode() {
  const out = new Map();
  for (const [name, { kind, labels }] of metricsOfCode()) {
    if (kind !== 'Histogram') out.set(name, labels);
    else {
      out.set(`${name}_bucket`, [...labels, 'le']);
      for (const part of ['sum', 'count']) out.set(`${name}_${part}`, labels);
    }
  }
  return out;
}
