// Who may open a connection to whom, as the NetworkPolicies of a rendering decide it.
import { labelsOf, mainOf, ofKind, selects, workloadsOf, appOf } from './workloads.mjs';

const namespaceLabels = (name) => ({ 'kubernetes.io/metadata.name': name });

// Everyone that an edge may begin or end at: the workloads of the rendering, and who stands outside.
// { name, namespace labels, pod labels, named ports }
export function partiesOf(objects) {
  const namespace = ofKind(objects, 'Namespace')[0]?.metadata.name;
  const inside = workloadsOf(objects).map((w) => ({
    name: appOf(w),
    inside: true,
    namespace: namespaceLabels(namespace),
    labels: labelsOf(w),
    ports: Object.fromEntries((mainOf(w).ports ?? []).map((p) => [p.name, p.containerPort])),
  }));
  const outside = (name, place, labels, ports = {}) => ({ name, inside: false, namespace: place, labels, ports });
  const callers = { ...namespaceLabels('game'), 'mahjong/callers': 'true' };
  return [
    ...inside,
    outside('backend', callers, { 'mahjong/role': 'backend' }),
    outside('cashier', callers, { 'mahjong/role': 'cashier' }),
    outside('prometheus', namespaceLabels('monitoring'), { 'app.kubernetes.io/name': 'prometheus' }),
    outside('stranger', namespaceLabels('elsewhere'), { 'mahjong/role': 'backend' }),
    outside('neighbour', callers, {}),
    outside('dns', namespaceLabels('kube-system'), { 'k8s-app': 'kube-dns' }, { dns: 53 }),
    outside('database', namespaceLabels('mahjong-postgres'), { 'cnpg.io/cluster': 'postgres' }, { postgres: 5432 }),
    outside('internet', {}, {}, { https: 443 }),
  ];
}

// Whether a policy's peer list takes `other`, seen from the policy's own namespace. No list: everybody.
function takes(peers, other) {
  if (peers === undefined) return true;
  return peers.some((peer) => {
    if (peer.ipBlock) return !other.inside;
    const place = peer.namespaceSelector ? selects(peer.namespaceSelector, other.namespace) : other.inside;
    return place && (peer.podSelector === undefined || selects(peer.podSelector, other.labels));
  });
}

const onPort = (ports, port, named) =>
  ports === undefined || ports.some((p) => (typeof p.port === 'string' ? named[p.port] : p.port) === port);

// Whether `pod`'s policies let traffic of one direction through; outside pods have no policies of ours.
function allows(objects, direction, pod, other, port, named) {
  if (!pod.inside) return true;
  const type = direction === 'egress' ? 'Egress' : 'Ingress';
  const policies = ofKind(objects, 'NetworkPolicy').filter(
    (p) => selects(p.spec.podSelector, pod.labels) && p.spec.policyTypes.includes(type),
  );
  if (policies.length === 0) return true;
  return policies.some((p) =>
    (p.spec[direction] ?? []).some(
      (rule) => takes(rule[direction === 'egress' ? 'to' : 'from'], other) && onPort(rule.ports, port, named),
    ),
  );
}

// Every open edge with one end inside, "table → wallet:7000", sorted.
export function openEdges(objects) {
  const parties = partiesOf(objects);
  const out = new Set();
  for (const from of parties) {
    for (const to of parties) {
      if (from === to || !(from.inside || to.inside)) continue;
      for (const port of Object.values(to.ports)) {
        if (
          allows(objects, 'egress', from, to, port, to.ports) &&
          allows(objects, 'ingress', to, from, port, to.ports)
        ) {
          out.add(`${from.name} → ${to.name}:${port}`);
        }
      }
    }
  }
  return [...out].sort();
}
