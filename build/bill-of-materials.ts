import { createHash } from 'node:crypto';

/** Packages that state no license in package.json or a file; ask the author before adding one. */
const withoutLicence = ['vaul-vue'];

/** The parts of the lockfile that are used. */
export interface Lockfile {
  packages: Record<
    string,
    { version?: string; license?: string; integrity?: string; dev?: boolean; optional?: boolean }
  >;
}

/** The parts of package.json that are used. */
export interface Manifest {
  name: string;
  version: string;
  description: string;
  license: string;
}

/**
 * Creates the product's software bill of materials in CycloneDX 1.6: runtime dependencies for all systems, bundled
 * packages (`bundled` has their lockfile paths) and Electron. The output is reproducible: it contains no timestamps or
 * random numbers. Throws if a package states no license or a bundled one is not in the lockfile.
 */
export function billOfMaterials(manifest: Manifest, lockfile: Lockfile, bundled: readonly string[]) {
  const wanted = new Set([...bundled, 'node_modules/electron']);
  const unknown = [...wanted].filter((path) => !lockfile.packages[path]);
  if (unknown.length > 0) throw new Error(`package-lock.json does not have ${unknown.join(', ')}.`);
  const components = new Map<string, ReturnType<typeof componentOf>>();
  for (const [path, entry] of Object.entries(lockfile.packages)) {
    if (path === '' || (entry.dev && !wanted.has(path))) continue;
    const component = componentOf(path.split('node_modules/').at(-1) ?? '', entry);
    components.set(component['bom-ref'], component);
  }
  const sorted = [...components.values()].sort((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1));
  const root = `${manifest.name}@${manifest.version}`;
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: serialOf(JSON.stringify([root, sorted])),
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': root,
        name: manifest.name,
        version: manifest.version,
        description: manifest.description,
        licenses: licenceOf(manifest.license),
      },
    },
    components: sorted,
  };
}

function componentOf(name: string, entry: Lockfile['packages'][string]) {
  const { version = '', license, integrity, optional } = entry;
  if (!license && !withoutLicence.includes(name))
    throw new Error(`${name} ${version} names no license in package-lock.json.`);
  const slash = name.indexOf('/');
  return {
    type: 'library',
    'bom-ref': `${name}@${version}`,
    ...(slash > 0 && { group: name.slice(0, slash) }),
    name: name.slice(slash + 1),
    version,
    // Platform-specific binaries, of which each machine installs its own.
    scope: optional ? 'optional' : 'required',
    licenses: licenceOf(license),
    purl: `${purlOf(name)}@${version}`,
    ...(integrity?.startsWith('sha512-') && {
      hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.slice(7), 'base64').toString('hex') }],
    }),
  };
}

function purlOf(name: string): string {
  return `pkg:npm/${name.replace('@', '%40')}`;
}

function licenceOf(license: string | undefined) {
  if (!license) return [{ license: { name: 'not stated by the package' } }];
  return /[ (]/.test(license) ? [{ expression: license }] : [{ license: { id: license } }];
}

/** A UUID (RFC 9562, version 8) derived from the content. */
function serialOf(content: string): string {
  const hex = createHash('sha256').update(content).digest('hex');
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return `urn:uuid:${parts.join('-')}`;
}
