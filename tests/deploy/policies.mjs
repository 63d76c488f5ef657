// What every rendering must have, each with the reason a reviewer would give. A policy is a function from the objects
// of an overlay to findings ("who: what"); none: it holds. mutations.mjs shows that each of them can fail.
import { nameOf } from './render.mjs';
import { faults } from './schema.mjs';
import { openEdges } from './edges.mjs';
import { variablesOf } from './code.mjs';
import {
  appOf, containersOf, environmentOf, labelsOf, mainOf, ofKind, podOf, quantity, selects, serversOf, workloadsOf,
} from './workloads.mjs';

// Servers of which there can be only one: none grows by an autoscaler.
const single = new Set(['sealer', 'postgres']);
// Servers with our flags; the sealer is a wallet.
const services = { scoring: 'scoring', wallet: 'wallet', table: 'table', matchmaking: 'matchmaking', sealer: 'wallet' };

const each = (list, check) => list.flatMap((o) => [...check(o)].map((finding) => `${nameOf(o)}: ${finding}`));
const ours = (objects) => serversOf(objects).filter((w) => services[appOf(w)]);

function* restricted(workload) {
  const pod = podOf(workload);
  const context = pod.securityContext ?? {};
  if (context.runAsNonRoot !== true) yield 'the pod may run as root';
  if (!(context.runAsUser > 0)) yield 'the pod has no user of its own';
  if (context.seccompProfile?.type !== 'RuntimeDefault') yield 'no seccomp profile';
  for (const key of ['hostNetwork', 'hostPID', 'hostIPC']) if (pod[key]) yield key;
  const allowed = ['configMap', 'secret', 'emptyDir', 'persistentVolumeClaim', 'projected', 'downwardAPI'];
  for (const { name, ...source } of pod.volumes ?? []) {
    if (!Object.keys(source).every((key) => allowed.includes(key))) yield `volume ${name} is ${Object.keys(source)}`;
  }
  for (const c of containersOf(workload)) {
    const inner = c.securityContext ?? {};
    if (inner.allowPrivilegeEscalation !== false) yield `${c.name} may escalate its privileges`;
    if (!inner.capabilities?.drop?.includes('ALL')) yield `${c.name} keeps capabilities`;
    if (inner.capabilities?.add?.length) yield `${c.name} adds capabilities`;
    if (inner.privileged || inner.runAsUser === 0 || inner.runAsNonRoot === false) yield `${c.name} is privileged`;
    if (c.ports?.some((p) => p.hostPort)) yield `${c.name} takes a port of the node`;
  }
}

function* probes(workload) {
  const main = mainOf(workload);
  for (const kind of ['startupProbe', 'readinessProbe', 'livenessProbe']) {
    const probe = main[kind];
    if (!probe) yield `no ${kind}`;
    else if (services[appOf(workload)] && !probe.grpc) yield `${kind} does not ask the service's health`;
    else {
      const port = probe.grpc?.port ?? probe.tcpSocket?.port;
      const asked = main.ports?.find((p) => p.containerPort === port);
      if (!asked) yield `${kind} asks a port that nobody opens`;
      else if (services[appOf(workload)] && asked.name !== 'health') yield `${kind} asks a port that wants a certificate`;
    }
  }
  const { periodSeconds: period = 10, failureThreshold: times = 3 } = main.livenessProbe ?? {};
  if (period * times < 30) yield 'liveness kills what hangs for less than half a minute';
}

// From TERM, the service may take its drain time, and needs a moment to close; before TERM comes the pause.
function* ending(workload, objects) {
  const name = appOf(workload);
  const pause = mainOf(workload).lifecycle?.preStop?.sleep?.seconds ?? 0;
  if (pause < 3) yield 'no pause before SIGTERM: callers learn later that it ends';
  const drain = Number(environmentOf(objects, workload)[`MJ_${services[name].toUpperCase()}_DRAIN_SECONDS`]);
  if (!(drain >= 5)) yield 'no drain time';
  const grace = podOf(workload).terminationGracePeriodSeconds ?? 30;
  if (grace < pause + drain + 10) yield `killed after ${grace} s, but ends in up to ${pause} + ${drain} + 10`;
}

function* settings(workload, objects) {
  const service = services[appOf(workload)];
  const { all, required } = variablesOf(service);
  const environment = environmentOf(objects, workload);
  for (const name of Object.keys(environment)) {
    if (name.startsWith('MJ_') && !all.has(name)) yield `${name} is no flag of mj-${service}`;
  }
  for (const name of required) if (!environment[name]) yield `${name} is not set`;
  const upper = service.toUpperCase();
  const main = mainOf(workload);
  const port = (name) => main.ports?.find((p) => p.name === name)?.containerPort;
  for (const [flag, name] of [['LISTEN', 'grpc'], ['HEALTH', 'health'], ['METRICS', 'metrics']]) {
    const want = `0.0.0.0:${port(name)}`;
    const have = environment[`MJ_${upper}_${flag}`];
    if (have !== want) yield `MJ_${upper}_${flag} is ${have}, the port ${name} says ${want}`;
  }
}

// Callers are asked who they are: mutual TLS with a certificate of its own, tokens by the public keys, each a file of a
// mounted Secret.
function* secured(workload, objects) {
  const upper = services[appOf(workload)].toUpperCase();
  const environment = environmentOf(objects, workload);
  if (environment[`MJ_${upper}_INSECURE_NETWORK`] !== undefined) yield 'speaks plaintext with others';
  for (const [flag, secret] of [['TLS_CA', 'tls'], ['TLS_CERT', 'tls'], ['TLS_KEY', 'tls'], ['JWKS', 'token-keys']]) {
    const file = environment[`MJ_${upper}_${flag}`] ?? '';
    const mount = mainOf(workload).volumeMounts?.find((m) => file.startsWith(`${m.mountPath}/`));
    const volume = podOf(workload).volumes?.find((v) => v.name === mount?.name);
    const want = secret === 'tls' ? `${services[appOf(workload)]}-tls` : secret;
    if (!mount) yield `MJ_${upper}_${flag} is ${file ? `${file}, where nothing is mounted` : 'not set'}`;
    else if (volume?.secret?.secretName !== want) yield `MJ_${upper}_${flag} is not of the Secret ${want}`;
    else if (!mount.readOnly) yield `${mount.mountPath} could be written`;
  }
}

function* peers(workload, objects) {
  for (const [name, value] of Object.entries(environmentOf(objects, workload))) {
    if (!/^MJ_.*_ADDRESS$/.test(name)) continue;
    const [host, port] = value.split(':');
    const service = ofKind(objects, 'Service').find((s) => s.metadata.name === host);
    if (!service) yield `${name}: there is no Service ${host}`;
    else if (!service.spec.ports.some((p) => String(p.port) === port)) yield `${name}: ${host} has no port ${port}`;
    // What keeps an address would go on asking a pod that is gone.
    else if (service.spec.clusterIP === 'None') yield `${name}: ${host} is headless`;
  }
}

function* secretsAsFiles(workload) {
  for (const c of containersOf(workload)) {
    for (const from of c.envFrom ?? []) if (from.secretRef) yield `${c.name} has a Secret in its environment`;
    for (const e of c.env ?? []) {
      if (e.valueFrom?.secretKeyRef) yield `${c.name}: ${e.name} is a Secret in the environment`;
      if (/password|secret/i.test(e.name) || /:\/\/[^/@]*:[^/@]*@/.test(e.value ?? '')) {
        yield `${c.name}: ${e.name} tells a password`;
      }
    }
  }
}

function* autoscaler(workload, objects) {
  const { kind, metadata } = workload;
  const found = ofKind(objects, 'HorizontalPodAutoscaler').filter(
    (h) => h.spec.scaleTargetRef.kind === kind && h.spec.scaleTargetRef.name === metadata.name,
  );
  if (single.has(appOf(workload))) {
    if (found.length) yield 'there can be only one, but it has an autoscaler';
    if (workload.spec.replicas !== 1) yield `there can be only one, not ${workload.spec.replicas}`;
    return;
  }
  if (found.length !== 1) yield `${found.length} autoscalers`;
  if (workload.spec.replicas !== undefined) yield 'its replicas are set, which undoes the autoscaler at each apply';
  if (found[0]?.spec.metrics?.[0]?.resource?.name !== 'cpu') yield 'its autoscaler does not look at the cpu';
  if (!(found[0]?.spec.maxReplicas > found[0]?.spec.minReplicas)) yield 'its autoscaler cannot grow';
}

// A budget that allows none, or demands as many as there are, stops every drain for ever.
function* disruptionBudget(workload, objects) {
  const found = ofKind(objects, 'PodDisruptionBudget').filter((b) => selects(b.spec.selector, labelsOf(workload)));
  if (found.length !== 1) yield `${found.length} disruption budgets`;
  for (const { spec } of found) {
    if (spec.minAvailable !== undefined) yield 'its budget says how many must stay: with one replica, no drain ends';
    if (!(spec.maxUnavailable >= 1)) yield 'its budget lets no pod go';
    if (spec.unhealthyPodEvictionPolicy !== 'AlwaysAllow') yield 'a sick pod blocks a drain';
  }
}

function* resources(workload) {
  for (const c of containersOf(workload)) {
    const { requests = {}, limits = {} } = c.resources ?? {};
    if (!(quantity(requests.cpu) > 0)) yield `${c.name} asks for no cpu`;
    if (!(quantity(requests.memory) > 0)) yield `${c.name} asks for no memory`;
    if (!(quantity(limits.memory) >= quantity(requests.memory))) yield `${c.name} has no bound on its memory`;
    if (limits.cpu !== undefined) yield `${c.name} is throttled: a limit on cpu makes calls slow, not few`;
  }
}

function* spread(workload) {
  const found = podOf(workload).topologySpreadConstraints ?? [];
  const host = found.find((c) => c.topologyKey === 'kubernetes.io/hostname');
  if (!host) yield 'all replicas may stand on one node';
  for (const c of found) {
    if (!selects(c.labelSelector, labelsOf(workload))) yield `${c.topologyKey}: spreads others`;
  }
}

function* selected(workload, objects) {
  if (!selects(workload.spec.selector, labelsOf(workload))) yield 'its selector does not take its own pods';
  const services_ = ofKind(objects, 'Service').filter((s) => selects({ matchLabels: s.spec.selector }, labelsOf(workload)));
  if (services_.length === 0) yield 'no Service leads to it';
  for (const s of services_) {
    for (const { name, targetPort } of s.spec.ports) {
      const there = mainOf(workload).ports?.some((p) => p.name === targetPort || p.containerPort === targetPort);
      if (!there) yield `Service ${s.metadata.name}: port ${name} leads nowhere`;
    }
  }
  if (workload.kind === 'StatefulSet') {
    const own = services_.find((s) => s.metadata.name === workload.spec.serviceName);
    if (own?.spec.clusterIP !== 'None') yield 'its pods have no names: no headless Service';
  }
}

// Each server's metrics are read once, and keep the label service that they come with.
function* monitored(workload, objects) {
  const services_ = ofKind(objects, 'Service').filter((s) => selects({ matchLabels: s.spec.selector }, labelsOf(workload)));
  const endpoints = ofKind(objects, 'ServiceMonitor').flatMap((m) =>
    services_
      .filter((s) => selects(m.spec.selector, s.metadata.labels ?? {}))
      .flatMap((s) => m.spec.endpoints.filter((e) => s.spec.ports.some((p) => p.name === e.port))),
  );
  if (endpoints.length !== 1) yield `its metrics are read ${endpoints.length} times`;
  if (endpoints.some((e) => e.honorLabels !== true)) yield 'its label service would become exported_service';
}

function* schemaWait(workload, objects) {
  if (!environmentOf(objects, workload)[`MJ_${services[appOf(workload)].toUpperCase()}_DATABASE`]) return;
  const wait = podOf(workload).initContainers?.find((c) => c.command?.[0] === '/app/wait-for-schema');
  const job = ofKind(objects, 'Job').find((j) => appOf(j) === 'migrate');
  if (!wait) yield 'does not wait for the migrations';
  else if (wait.image !== mainOf(job ?? {}).image) yield 'waits for the migrations of another release';
  const file = environmentOf(objects, workload).PGSERVICEFILE ?? '';
  const mount = mainOf(workload).volumeMounts?.find((m) => file.startsWith(`${m.mountPath}/`));
  const volume = podOf(workload).volumes?.find((v) => v.name === mount?.name);
  if (!volume?.secret) yield 'its password is not in a mounted Secret';
  if (!mount?.readOnly) yield 'its password could be written';
}

function* images(workload) {
  for (const c of containersOf(workload)) {
    const [name, tag] = c.image.split(':');
    if (!tag || tag === 'latest') yield `${c.name}: ${c.image} may be another one tomorrow`;
    if (!/^mahjong\/[a-z]+$/.test(name)) yield `${c.name}: ${name} is none of deploy/image`;
    if (c.imagePullPolicy !== 'IfNotPresent') yield `${c.name} cannot start while the registry is away`;
  }
}

// What a rendering refers to by name must be in it, or be a Secret that the installer brings.
const brought = new Set([
  'wallet-database', 'table-database', 'matchmaking-database', 'migrate-database', 'wallet-seal',
  'scoring-tls', 'wallet-tls', 'table-tls', 'matchmaking-tls', 'token-keys',
]);
function* references(workload, objects) {
  const there = (kind, name) => ofKind(objects, kind).some((o) => o.metadata.name === name);
  for (const c of containersOf(workload)) {
    for (const from of c.envFrom ?? []) {
      if (!there('ConfigMap', from.configMapRef?.name)) yield `there is no ConfigMap ${from.configMapRef?.name}`;
    }
    for (const { name } of c.volumeMounts ?? []) {
      const claimed = workload.spec.volumeClaimTemplates?.some((t) => t.metadata.name === name);
      if (!claimed && !podOf(workload).volumes?.some((v) => v.name === name)) yield `${c.name}: no volume ${name}`;
    }
  }
  for (const { secret } of podOf(workload).volumes ?? []) {
    if (secret && !there('Secret', secret.secretName) && !brought.has(secret.secretName)) {
      yield `there is no Secret ${secret.secretName}`;
    }
    // fsGroup makes it readable for us; nobody else is to read it.
    if (secret && secret.defaultMode !== 0o440) yield `Secret ${secret.secretName} has mode ${secret.defaultMode}`;
  }
}

// The edges of docs/architecture.md's floor plan; between our services they are those of the settings.
export function expectedEdges(objects) {
  const has = (app) => workloadsOf(objects).some((w) => appOf(w) === app);
  const database = has('postgres') ? 'postgres:5432' : 'database:5432';
  const out = ['backend → matchmaking:7000', 'backend → table:7000', 'backend → scoring:7000', 'cashier → wallet:7000'];
  for (const workload of workloadsOf(objects)) {
    const app = appOf(workload);
    const environment = environmentOf(objects, workload);
    for (const [name, value] of Object.entries(environment)) {
      if (!/^MJ_.*_ADDRESS$/.test(name)) continue;
      const service = ofKind(objects, 'Service').find((s) => s.metadata.name === value.split(':')[0]);
      out.push(`${app} → ${service?.spec.selector['app.kubernetes.io/name']}:7000`);
    }
    if (app === 'migrate' || Object.keys(environment).some((name) => /^MJ_.*_DATABASE$/.test(name))) {
      out.push(`${app} → ${database}`, `${app} → dns:53`);
    }
    if (services[app]) out.push(`prometheus → ${app}:9090`);
  }
  return [...new Set(out)].sort();
}

export const policies = {
  'the schemas know every field': (o) => each(o, faults),
  'pods are restricted': (o) => each(workloadsOf(o), restricted),
  'the namespace enforces it': (o) =>
    each(ofKind(o, 'Namespace'), function* ({ metadata }) {
      if (metadata.labels?.['pod-security.kubernetes.io/enforce'] !== 'restricted') yield 'not restricted';
    }).concat(ofKind(o, 'Namespace').length === 1 ? [] : ['want one Namespace']),
  'root file systems are read only': (o) =>
    each(workloadsOf(o), function* (w) {
      for (const c of containersOf(w)) if (c.securityContext?.readOnlyRootFilesystem !== true) yield c.name;
    }),
  'no pod holds a token of the cluster': (o) =>
    each(workloadsOf(o), function* (w) {
      if (podOf(w).automountServiceAccountToken !== false) yield 'a token is mounted';
      if (podOf(w).enableServiceLinks !== false) yield 'the environment tells of every Service';
    }),
  'servers have three probes': (o) => each(serversOf(o), probes),
  'servers end in order': (o) => each(ours(o), (w) => ending(w, o)),
  'every variable is a flag': (o) => each(ours(o), (w) => settings(w, o)),
  'servers ask who calls': (o) => each(ours(o), (w) => secured(w, o)),
  'peers are where the settings say': (o) => each(ours(o), (w) => peers(w, o)),
  'secrets are files': (o) => each(workloadsOf(o), secretsAsFiles),
  'autoscalers fit': (o) => each(serversOf(o), (w) => autoscaler(w, o)),
  'a drain is never blocked': (o) => each(serversOf(o), (w) => disruptionBudget(w, o)),
  'resources are bounded': (o) => each(workloadsOf(o), resources),
  'replicas are spread': (o) => each(serversOf(o), spread),
  'services lead to pods': (o) => each(serversOf(o), (w) => selected(w, o)),
  'metrics are read once': (o) => each(ours(o), (w) => monitored(w, o)),
  'servers wait for the schema': (o) => each(ours(o), (w) => schemaWait(w, o)),
  'images are pinned': (o) => each(workloadsOf(o), images),
  'nothing refers to what is not there': (o) => each(workloadsOf(o), (w) => references(w, o)),
  'only the named edges are open': (o) => {
    const [want, have] = [expectedEdges(o), openEdges(o)];
    return [
      ...have.filter((edge) => !want.includes(edge)).map((edge) => `open: ${edge}`),
      ...want.filter((edge) => !have.includes(edge)).map((edge) => `closed: ${edge}`),
    ];
  },
  'the migrations run as a Job of the release': (o) => {
    const jobs = ofKind(o, 'Job').filter((j) => appOf(j) === 'migrate');
    if (jobs.length !== 1) return [`${jobs.length} migration Jobs`];
    const [job] = jobs;
    const tag = mainOf(job).image.split(':')[1];
    return [
      ...(job.metadata.name === `migrate-${tag}` ? [] : [`${job.metadata.name} cannot run again for ${tag}`]),
      ...(podOf(job).restartPolicy === 'Never' ? [] : ['its failed pods are gone before anyone read them']),
      ...(job.spec.activeDeadlineSeconds > 0 ? [] : ['it may run for ever']),
    ];
  },
  'rollouts lose no capacity': (o) =>
    each(ofKind(o, 'Deployment'), function* ({ spec }) {
      if (spec.strategy?.rollingUpdate?.maxUnavailable !== 0) yield 'a rollout takes a replica before its successor is ready';
    }),
};
