// What policies look at: the workloads of a rendering, and what selects them.
const workloadKinds = new Set(['Deployment', 'StatefulSet', 'Job', 'DaemonSet', 'CronJob', 'Pod', 'ReplicaSet']);

export const workloadsOf = (objects) => objects.filter((o) => workloadKinds.has(o.kind));
// The servers: what is meant to run for ever.
export const serversOf = (objects) => objects.filter((o) => o.kind === 'Deployment' || o.kind === 'StatefulSet');
export const ofKind = (objects, kind) => objects.filter((o) => o.kind === kind);
export const podOf = (workload) => workload.spec?.template?.spec ?? {};
export const labelsOf = (workload) => workload.spec?.template?.metadata?.labels ?? {};
export const appOf = (workload) => labelsOf(workload)['app.kubernetes.io/name'];
export const containersOf = (workload) => [
  ...(podOf(workload).initContainers ?? []),
  ...(podOf(workload).containers ?? []),
];
export const mainOf = (workload) => podOf(workload).containers?.[0] ?? {};

// Whether a label selector takes `labels`. An absent selector takes nothing, an empty one everything.
export function selects(selector, labels) {
  if (selector === undefined || selector === null) return false;
  const simple = Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labels[key] === value);
  const set = (selector.matchExpressions ?? []).every(({ key, operator, values = [] }) => {
    if (operator === 'In') return values.includes(labels[key]);
    if (operator === 'NotIn') return !values.includes(labels[key]);
    if (operator === 'Exists') return key in labels;
    if (operator === 'DoesNotExist') return !(key in labels);
    throw new Error(`operator ${operator}`);
  });
  return simple && set;
}

// The environment of a workload's first container: its ConfigMaps' data, then its own variables ('' where the
// value comes from elsewhere).
export function environmentOf(objects, workload) {
  const out = {};
  for (const from of mainOf(workload).envFrom ?? []) {
    const map = objects.find((o) => o.kind === 'ConfigMap' && o.metadata.name === from.configMapRef?.name);
    Object.assign(out, map?.data ?? {});
  }
  for (const { name, value } of mainOf(workload).env ?? []) out[name] = value ?? '';
  return out;
}

// "250m" → 0.25, "64Mi" → 67108864; NaN for what is no quantity.
export function quantity(text) {
  const match = /^(\d+(?:\.\d+)?)(m|k|M|G|Ki|Mi|Gi)?$/.exec(String(text));
  if (!match) return NaN;
  const units = { m: 1e-3, k: 1e3, M: 1e6, G: 1e9, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 };
  return Number(match[1]) * (units[match[2]] ?? 1);
}
