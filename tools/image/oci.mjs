// An image as one OCI archive, which podman, docker, containerd, kind and skopeo load. Layers are not compressed: a
// compressor's version would show in the digest (registries' clients compress what they push).
import { createHash } from 'node:crypto';
import { tar } from './tar.mjs';

const sha256 = (data) => createHash('sha256').update(data).digest('hex');
const json = (value) => Buffer.from(JSON.stringify(value));

// layers: tar archives, lowest first. Returns { archive, digest } (the digest of the manifest).
export function ociArchive({ name, layers, entrypoint, command, user, ports, labels, time, history }) {
  const created = new Date(time * 1000).toISOString().replace('.000Z', 'Z');
  const blobs = new Map();
  const blob = (mediaType, data) => {
    blobs.set(`blobs/sha256/${sha256(data)}`, { data, mode: 0o644 });
    return { mediaType, digest: `sha256:${sha256(data)}`, size: data.length };
  };
  const config = json({
    created,
    architecture: 'amd64',
    os: 'linux',
    config: {
      User: user,
      ExposedPorts: Object.fromEntries(ports.map((port) => [`${port}/tcp`, {}])),
      Entrypoint: entrypoint,
      Cmd: command,
      WorkingDir: '/',
      StopSignal: 'SIGTERM',
      Labels: labels,
    },
    rootfs: { type: 'layers', diff_ids: layers.map((layer) => `sha256:${sha256(layer)}`) },
    history: history.map((created_by) => ({ created, created_by })),
  });
  const manifest = json({
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config: blob('application/vnd.oci.image.config.v1+json', config),
    layers: layers.map((layer) => blob('application/vnd.oci.image.layer.v1.tar', layer)),
  });
  const described = {
    ...blob('application/vnd.oci.image.manifest.v1+json', manifest),
    annotations: { 'org.opencontainers.image.ref.name': name },
  };
  blobs.set('oci-layout', { data: json({ imageLayoutVersion: '1.0.0' }), mode: 0o644 });
  blobs.set('index.json', { data: json({ schemaVersion: 2, manifests: [described] }), mode: 0o644 });
  return { archive: tar(blobs, time), digest: described.digest };
}
