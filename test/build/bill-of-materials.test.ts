import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { billOfMaterials, type Lockfile, type Manifest } from '../../build/bill-of-materials.ts';
import { projectRoot } from '../../build/processes.ts';

const read = (path: string) => JSON.parse(readFileSync(join(projectRoot, path), 'utf8'));
const manifest: Manifest = read('package.json');
const lockfile: Lockfile = read('package-lock.json');

test('the bill names every production package of the lockfile with version, license and hash', () => {
  const { components, metadata } = billOfMaterials(manifest, lockfile, []);
  const listed = new Map(components.map((component) => [component['bom-ref'], component]));
  const production = Object.entries(lockfile.packages).filter(([path, { dev }]) => path !== '' && !dev);
  expect(production.length).toBeGreaterThan(200);
  for (const [path, { version, license, integrity }] of production) {
    const name = path.split('node_modules/').at(-1);
    const component = listed.get(`${name}@${version}`);
    expect(component).toMatchObject({ type: 'library', version });
    expect(JSON.stringify(component?.licenses)).toContain(license);
    expect(component?.hashes === undefined).toBe(!integrity?.startsWith('sha512-'));
  }
  expect(metadata.component).toMatchObject({ name: 'waypost', version: manifest.version });
  expect(components.map(({ purl }) => purl)).toContain(
    `pkg:npm/%40koa/router@${lockfile.packages['node_modules/@koa/router']?.version}`,
  );
});

test('it lists what is inside the bundles, and Electron, but no build tools', () => {
  const { components } = billOfMaterials(manifest, lockfile, ['node_modules/vue', 'node_modules/@nuxt/ui']);
  const names = components.map(({ purl }) => purl.replace(/@[^@]*$/, ''));
  expect(names).toEqual(expect.arrayContaining(['pkg:npm/vue', 'pkg:npm/%40nuxt/ui', 'pkg:npm/electron']));
  expect(names).not.toContain('pkg:npm/vitest');
  expect(() => billOfMaterials(manifest, lockfile, ['node_modules/left-pad'])).toThrow('left-pad');
});

test('the same sources produce the same bill, other sources another serial number', () => {
  const once = billOfMaterials(manifest, lockfile, ['node_modules/vue']);
  expect(billOfMaterials(manifest, lockfile, ['node_modules/vue'])).toEqual(once);
  expect(billOfMaterials(manifest, lockfile, []).serialNumber).not.toBe(once.serialNumber);
  expect(once.serialNumber).toMatch(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
});

test('a package without a license is rejected', () => {
  const unlicensed: Lockfile = {
    packages: { ...lockfile.packages, 'node_modules/odd': { version: '1.0.0' } },
  };
  expect(() => billOfMaterials(manifest, unlicensed, [])).toThrow('odd 1.0.0 names no license');
});
