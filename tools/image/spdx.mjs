// An image's bill of materials as SPDX 2.3: every file with its checksums, and the package that it came from.
import { createHash } from 'node:crypto';

const hash = (algorithm, data) => createHash(algorithm).update(data).digest('hex');
const idOf = (text) => `SPDXRef-${text.replace(/[^A-Za-z0-9.]+/g, '-')}`;

function purl({ kind, name, version, architecture }) {
  if (kind === 'debian') return `pkg:deb/debian/${encodeURIComponent(name)}@${version}?arch=${architecture}&distro=bookworm`;
  if (kind === 'npm') return `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return `pkg:generic/${name}@${version}`;
}

// files: [{ path, data, package }], with package { kind: "debian" | "npm" | "ours", name, version, … }.
export function spdx({ name, version, files, time }) {
  const packages = new Map();
  const packageId = (p) => idOf(`Package-${p.kind}-${p.name}-${p.version}`);
  for (const { package: p } of files) packages.set(packageId(p), p);
  const image = 'SPDXRef-Image';
  const listed = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  const fileId = (file) => `SPDXRef-File-${hash('sha256', Buffer.from(file.path)).slice(0, 24)}`;
  const sums = listed.map((file) => hash('sha1', file.data));
  const absent = { downloadLocation: 'NOASSERTION', licenseConcluded: 'NOASSERTION', licenseDeclared: 'NOASSERTION', copyrightText: 'NOASSERTION' };
  return {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: `${name}:${version}`,
    documentNamespace: `urn:mahjong:sbom:${name}:${hash('sha256', Buffer.from(sums.join('')))}`,
    creationInfo: {
      created: new Date(time * 1000).toISOString().replace('.000Z', 'Z'),
      creators: ['Tool: tools/image'],
    },
    documentDescribes: [image],
    packages: [
      {
        SPDXID: image,
        name,
        versionInfo: version,
        primaryPackagePurpose: 'CONTAINER',
        filesAnalyzed: true,
        packageVerificationCode: { packageVerificationCodeValue: hash('sha1', Buffer.from([...sums].sort().join(''))) },
        licenseInfoFromFiles: ['NOASSERTION'],
        ...absent,
      },
      ...[...packages.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([id, p]) => ({
        SPDXID: id,
        name: p.name,
        versionInfo: p.version,
        filesAnalyzed: false,
        ...(p.source ? { sourceInfo: `built from Debian source ${p.source} ${p.sourceVersion}` } : {}),
        externalRefs: [{ referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: purl(p) }],
        ...absent,
      })),
    ],
    files: listed.map((file, i) => ({
      SPDXID: fileId(file),
      fileName: `./${file.path}`,
      checksums: [
        { algorithm: 'SHA1', checksumValue: sums[i] },
        { algorithm: 'SHA256', checksumValue: hash('sha256', file.data) },
      ],
      licenseConcluded: 'NOASSERTION',
      licenseInfoInFiles: ['NOASSERTION'],
      copyrightText: 'NOASSERTION',
    })),
    relationships: [
      { spdxElementId: 'SPDXRef-DOCUMENT', relationshipType: 'DESCRIBES', relatedSpdxElement: image },
      ...[...packages.keys()].sort().map((id) => ({ spdxElementId: image, relationshipType: 'CONTAINS', relatedSpdxElement: id })),
      ...listed.flatMap((file) => [
        { spdxElementId: image, relationshipType: 'CONTAINS', relatedSpdxElement: fileId(file) },
        {
          spdxElementId: packageId(file.package),
          relationshipType: 'OTHER',
          relatedSpdxElement: fileId(file),
          comment: 'the file is of this package',
        },
      ]),
    ],
  };
}
