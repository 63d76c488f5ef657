// A rendering as what `podman kube play` can run: a Pod for each workload, one replica of it, with nothing in it that
// podman ignores in silence. What podman cannot do is done here or by tools/dev/pods.sh; what neither knows is refused.
import { environmentOf, labelsOf, mainOf, ofKind, podOf, selects, workloadsOf } from '../../tests/deploy/workloads.mjs';

// Of a cluster's scheduler and controllers: without meaning on one machine. Probes are pods.sh's, which asks the same ports.
const ofTheCluster = new Set([
  'automountServiceAccountToken', 'enableServiceLinks', 'nodeSelector', 'topologySpreadConstraints',
  'terminationGracePeriodSeconds', 'restartPolicy',
]);
const probes = new Set(['startupProbe', 'readinessProbe', 'livenessProbe', 'lifecycle']);

function refuseOthers(place, object, known) {
  for (const key of Object.keys(object ?? {})) if (!known.has(key)) throw new Error(`${place}: ${key} is nothing that pods can run with`);
}

// The names under which others find a workload's pod: those of its Services, and of a headless one the pod's own.
export function aliasesOf(objects, workload) {
  const namespace = ofKind(objects, 'Namespace')[0].metadata.name;
  return ofKind(objects, 'Service')
    .filter((s) => selects({ matchLabels: s.spec.selector }, labelsOf(workload)))
    .flatMap(({ metadata: { name }, spec }) => {
      const own = spec.clusterIP === 'None' && workload.kind === 'StatefulSet';
      return [name, ...(own ? [`${podNameOf(workload)}.${name}.${namespace}.svc`] : [])];
    });
}

export const podNameOf = ({ kind, metadata }) => (kind === 'StatefulSet' ? `${metadata.name}-0` : metadata.name);

function volumeOf(volume, pod) {
  const { name, secret, emptyDir } = volume;
  refuseOthers(`${pod}: volume ${name}`, volume, new Set(['name', 'secret', 'emptyDir']));
  // Without fsGroup, a Secret that only its owner's group may read would be nobody's; its volume is the pod's alone.
  // podman 4.3 panics where `optional` is left out.
  if (secret) return { name, secret: { secretName: secret.secretName, optional: false } };
  if (emptyDir) return { name, emptyDir: {} };
  throw new Error(`${pod}: volume ${name} is of no kind`);
}

// One container. The environment is written out: podman expands no $(NAME), and knows few fieldRefs.
function containerOf(container, pod, user, environment) {
  const { name, image, command, args, resources, securityContext, volumeMounts } = container;
  refuseOthers(`${pod}: ${name}`, container, new Set([
    'name', 'image', 'command', 'args', 'ports', 'resources', 'securityContext', 'volumeMounts', 'imagePullPolicy', 'env', 'envFrom', ...probes,
  ]));
  return {
    name,
    image: `localhost/${image}`,
    imagePullPolicy: 'Never',
    ...(command ? { command } : {}),
    ...(args ? { args } : {}),
    // No ports: podman would publish them on this machine.
    env: Object.entries(environment).map(([key, value]) => ({ name: key, value })),
    resources: { limits: resources.limits },
    // A pod's user is not handed down to its containers.
    securityContext: { ...securityContext, ...user },
    // podman brings a /dev/shm for the whole pod.
    volumeMounts: (volumeMounts ?? []).filter((m) => m.mountPath !== '/dev/shm'),
  };
}

// The variables of a container as Kubernetes would make them. `settings` are added to a workload's first container.
function variablesOf(objects, workload, container, settings) {
  const known = { 'metadata.name': podNameOf(workload), 'metadata.namespace': ofKind(objects, 'Namespace')[0].metadata.name };
  const main = container === mainOf(workload);
  const out = main ? environmentOf(objects, workload) : {};
  for (const { name, value, valueFrom } of container.env ?? []) {
    const field = valueFrom?.fieldRef?.fieldPath;
    if (valueFrom && !(field in known)) throw new Error(`${podNameOf(workload)}: ${name} comes from where nobody knows`);
    out[name] = (field ? known[field] : value).replace(/\$\(([A-Za-z_0-9]+)\)/g, (all, other) => out[other] ?? all);
  }
  return { ...out, ...(main ? settings : {}) };
}

// [{ name, kind, aliases, pod }] for the workloads of a rendering. settings: app → variables beside those of the overlay.
export function podsOf(objects, settings = {}) {
  return workloadsOf(objects).map((workload) => {
    const name = podNameOf(workload);
    const spec = podOf(workload);
    refuseOthers(name, spec, new Set(['containers', 'initContainers', 'volumes', 'securityContext', ...ofTheCluster]));
    const { runAsUser, runAsGroup, runAsNonRoot } = spec.securityContext ?? {};
    const user = { runAsUser, runAsGroup, runAsNonRoot };
    const make = (container) =>
      containerOf(container, name, user, variablesOf(objects, workload, container, settings[workload.metadata.name]));
    const claims = (workload.spec.volumeClaimTemplates ?? []).map(({ metadata }) => ({ name: metadata.name, emptyDir: {} }));
    return {
      name,
      kind: workload.kind,
      aliases: aliasesOf(objects, workload),
      pod: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name, labels: labelsOf(workload) },
        spec: {
          // One that ends has failed, and is not to be started again before anyone read why.
          restartPolicy: 'Never',
          ...(spec.initContainers ? { initContainers: spec.initContainers.map(make) } : {}),
          containers: spec.containers.map(make),
          volumes: [...(spec.volumes ?? []).filter((v) => v.name !== 'shm').map((v) => volumeOf(v, name)), ...claims],
        },
      },
    };
  });
}

// The Secrets of a rendering, and those that its installer brings: certificates as cert-manager would make them, and the
// public keys of tokens. keys: the files of a folder of `mahjongctl keys`, by name, as text. podman decodes no base64: its
// Secrets hold text as it is.
export function secretsOf(objects, keys) {
  const made = (name, data) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, data });
  const inFolder = (file) => {
    if (keys[file] === undefined) throw new Error(`there is no key file ${file}`);
    return keys[file];
  };
  const decoded = (data) => Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text, 'base64').toString()]));
  const out = ofKind(objects, 'Secret').map(({ metadata: { name }, data }) => made(name, decoded(data)));
  const asked = new Set(workloadsOf(objects).flatMap((w) => (podOf(w).volumes ?? []).flatMap((v) => v.secret?.secretName ?? [])));
  for (const name of asked) {
    if (out.some((s) => s.metadata.name === name)) continue;
    const service = /^(.+)-tls$/.exec(name)?.[1];
    if (service) {
      const data = { 'ca.crt': inFolder('ca.pem'), 'tls.crt': inFolder(`${service}.pem`), 'tls.key': inFolder(`${service}.key`) };
      out.push(made(name, data));
    } else if (name === 'token-keys') out.push(made(name, { 'jwks.json': inFolder('jwks.json') }));
    else throw new Error(`nobody brings the Secret ${name}`);
  }
  return out;
}
