import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isBuildStale } from '../../build/freshness.ts';

const beforeBuild = new Date('2026-01-01T00:00:00Z');
const built = new Date('2026-01-02T00:00:00Z');
const files = ['server/app.ts', 'renderer/ui/SaveBar.vue', 'build/build.ts', 'build/packager/package.json'];
let folder = '';

/** A project that was built after its last change. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-fresh-'));
  for (const file of [...files, 'out/built-at']) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), '');
  }
  const folders = ['server', 'renderer', 'renderer/ui', 'build', 'build/packager'];
  for (const path of [...files, ...folders]) utimesSync(join(folder, path), beforeBuild, beforeBuild);
  utimesSync(join(folder, 'out/built-at'), built, built);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a build whose sources are older is not repeated', () => {
  expect(isBuildStale(folder)).toBe(false);
});

test('nor is it after the packager was installed, which tests do while others run the bundles', () => {
  mkdirSync(join(folder, 'build/packager/node_modules'));
  expect(isBuildStale(folder)).toBe(false);
});

test('nor for the component types, which the build writes', () => {
  writeFileSync(join(folder, 'renderer/components.d.ts'), '');
  utimesSync(join(folder, 'renderer'), beforeBuild, beforeBuild);
  expect(isBuildStale(folder)).toBe(false);
});

test.each(files.slice(0, 3))('changing %s makes the build stale', (file) => {
  writeFileSync(join(folder, file), 'changed');
  expect(isBuildStale(folder)).toBe(true);
});

test('deleting a file makes it stale as well', () => {
  rmSync(join(folder, 'renderer/ui/SaveBar.vue'));
  expect(isBuildStale(folder)).toBe(true);
});

test('a project that was never built needs a build', () => {
  rmSync(join(folder, 'out/built-at'));
  expect(isBuildStale(folder)).toBe(true);
});
