// Kubernetes' schemas with unknown fields refused, as a server does under strict field validation.
//
// kubernetes-models' validators are compiled: for each object they read every property that the schema knows, and
// walk over all keys of a free map. They accept what they do not know; so the object is shown to them through a
// proxy that notes what they read, and what they have not read is unknown.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

// Where a validator is found, by API group and version.
const packages = [
  [/^v1$/, () => 'kubernetes-models/v1'],
  [/^([a-z]+)\/(v\d+)$/, (m) => `kubernetes-models/${m[1]}/${m[2]}`],
  [/^networking\.k8s\.io\/(v1)$/, (m) => `kubernetes-models/networking.k8s.io/${m[1]}`],
  [/^monitoring\.coreos\.com\/(v1)$/, (m) =>
    `@kubernetes-models/prometheus-operator/monitoring.coreos.com/${m[1]}`],
];

function modelOf(object) {
  for (const [pattern, place] of packages) {
    const match = pattern.exec(object.apiVersion ?? '');
    if (match) return require(`${place(match)}/${object.kind}`)[object.kind];
  }
  throw new Error(`no schema for ${object.apiVersion} ${object.kind}`);
}

// A view of `value` that notes in `read` (object → set of keys) which keys were looked at. One view per object,
// since validators compare.
function watch(value, read, views) {
  if (value === null || typeof value !== 'object') return value;
  if (!views.has(value)) {
    const seen = new Set();
    read.set(value, seen);
    views.set(
      value,
      new Proxy(value, {
        get(target, key) {
          if (typeof key === 'string') seen.add(key);
          return watch(target[key], read, views);
        },
      }),
    );
  }
  return views.get(value);
}

function* unread(value, read, place) {
  if (value === null || typeof value !== 'object') return;
  const seen = read.get(value);
  // What was handed on without a look inside is free in the schema.
  if (seen === undefined || seen.size === 0) return;
  for (const [key, inner] of Object.entries(value)) {
    const at = `${place}/${key}`;
    if (!seen.has(key)) yield `${at}: unknown field`;
    else yield* unread(inner, read, at);
  }
}

// What is wrong with an object: "/spec/replicas: must be integer". Empty: nothing.
export function faults(object) {
  let model;
  try {
    model = modelOf(object);
  } catch (error) {
    return [`${object.kind}: ${error.message.split('\n')[0]}`];
  }
  const read = new Map();
  try {
    model.prototype.validate.call(watch(object, read, new Map()));
  } catch (error) {
    if (!error.errors) throw error;
    return error.errors.map((e) => `${e.instancePath}: ${e.message ?? e.keyword}`);
  }
  return [...unread(object, read, '')];
}
