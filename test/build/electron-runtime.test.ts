import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cannotRun, installRuntime, isNotLoaded } from '../../build/electron-runtime.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-installer-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** An installer that ends well as soon as there is a file `go` beside it, after it has done this. */
function writeInstaller(before: string): void {
  writeFileSync(
    join(folder, 'install.js'),
    `const { existsSync, mkdirSync, writeFileSync } = require('node:fs');
     process.chdir(__dirname);
     ${before}
     setInterval(() => existsSync('go') && process.exit(0), 20);`,
  );
}

test('a runtime that is being unpacked is waited for, whether or not its host responds', async () => {
  writeInstaller(`mkdirSync('dist'); writeFileSync('dist/electron', '');`);
  const result = installRuntime({
    folder,
    hostAnswers: async () => false,
    async silence() {
      await expect.poll(() => existsSync(join(folder, 'dist/electron'))).toBe(true);
      // By now the installer would have been ended, and this would come too late for it.
      setImmediate(() => writeFileSync(join(folder, 'go'), ''));
    },
  });
  expect(await result).toBeUndefined();
});

test('a download is cancelled if its host is silent, whatever an older version left behind', async () => {
  mkdirSync(join(folder, 'dist'));
  utimesSync(join(folder, 'dist'), 1, 1);
  writeInstaller(`writeFileSync('started', '');`);
  const result = installRuntime({
    folder,
    hostAnswers: async () => false,
    async silence() {
      await expect.poll(() => existsSync(join(folder, 'started'))).toBe(true);
    },
  });
  expect(await result).toBe('the download host does not answer');
});

test.each<[number, number, NodeJS.Platform, boolean]>([
  [134, 100, 'linux', true],
  [134, 3_600_000, 'linux', false],
  [1, 100, 'linux', false],
  // A library is missing: whenever that is seen, nothing of the program has run.
  [0xc0000135, 3_600_000, 'win32', true],
  [0xc0000135, 100, 'linux', false],
  // No signal ends a program of Windows; these are the app's own words.
  [134, 100, 'win32', false],
])(
  'an Electron that ended with %i after %i ms on %s cannot run there: %s',
  (code, after, platform, cannot) => {
    expect(cannotRun(code, after, platform)).toBe(cannot);
    expect(isNotLoaded(code, platform)).toBe(cannot && platform === 'win32');
  },
);
