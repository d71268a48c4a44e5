import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { rendererPlugins } from './build/renderer-plugins.ts';
import { hasLongForm, longTag, TestOrder } from './build/test-order.ts';

/** How long polling assertions wait on a busy machine. Milliseconds. */
const patience = { poll: { timeout: 20_000 } };

const { WAYPOST_TEST_FOLDER: scratch } = process.env;

/** The temporary folder of tests that do not need a real disk, in memory if possible. */
const inMemory = scratch ? { TMPDIR: scratch } : {};

/** Caches compiled code across the programs and threads that tests start. */
const compiledOnce = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url)),
};

/** Test files that do more in `npm run test:faults` than in `npm test`. */
const repeated = longFormsOf('test/{*,{e2e,main,server}/**/*}.test.ts');

/**
 * Files that must run alone: they change the machine's network, which makes browsers abort loading
 * (ERR_NETWORK_CHANGED).
 */
const alone = ['test/faults/held-connections.exploit.test.ts', 'test/e2e/desktop-two-machines.test.ts'];

/**
 * Files that mount components share a worker, because loading Vue and Nuxt UI takes longer than most of them; the setup
 * file removes what a test leaves in the document. Modules keep references to the document they were loaded in, so
 * following a link must not replace it.
 */
const inOneDocument = {
  environment: 'happy-dom',
  environmentOptions: {
    happyDOM: {
      settings: { navigation: { disableMainFrameNavigation: true, disableFallbackToSetURL: true } },
    },
  },
  isolate: false,
  setupFiles: ['test/support/renderer-setup.ts'],
} satisfies TestProjectInlineConfiguration['test'];

/** Packages the app: mostly reads and writes files, and needs no display. */
const packaging = 'test/desktop/package.test.ts';

function longFormsOf(pattern: string): string[] {
  return globSync(pattern, { cwd: import.meta.dirname }).filter((file) =>
    hasLongForm(readFileSync(new URL(file, import.meta.url), 'utf8')),
  );
}

export default defineConfig({
  test: {
    // Two cores are what the smallest machine that runs these tests has, and many unit tests wait for timers.
    maxWorkers: 4,
    sequence: { sequencer: TestOrder },
    passWithNoTests: false,
    tags: [{ name: longTag, description: 'Runs in npm run test:faults only.' }],
    // Timers and browsers may be slow on a busy machine. Flaky tests are listed at the end of the run.
    retry: 1,
    // The groups run one after the other: a browser beside two busy workers is a slow browser, and real Electron disturbs
    // everything.
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/*.test.ts', 'test/{server,conformance,build,support,bench}/**/*.test.ts'],
          provide: { isLong: false },
          env: { ...inMemory, ...compiledOnce },
          environment: 'node',
          // No isolation: these tests do not modify shared modules, and loading the server for each file would take
          // longer than many of them.
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: patience,
        },
      },
      {
        test: {
          name: 'main',
          include: ['test/{main,preload}/**/*.test.ts'],
          provide: { isLong: false },
          env: inMemory,
          environment: 'node',
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: patience,
        },
      },
      {
        plugins: [rendererPlugins()],
        test: {
          name: 'renderer',
          include: ['test/renderer/**/*.test.ts'],
          provide: { isLong: false },
          ...inOneDocument,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: patience,
        },
      },
      {
        test: {
          name: 'e2e',
          sequence: { groupOrder: 1 },
          include: ['test/e2e/**/*.test.ts'],
          exclude: alone,
          provide: { isLong: false },
          env: { ...inMemory, ...compiledOnce },
          environment: 'node',
          // No isolation: these tests do not modify shared modules.
          isolate: false,
          globalSetup: ['test/support/e2e-setup.ts'],
          // Browsers and servers are processes of their own, which these workers wait for.
          maxWorkers: 5,
          // Slow machines share their CPU between five workers.
          testTimeout: 120_000,
          expect: patience,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          exclude: alone,
          provide: { isLong: false },
          // The effect of kill -9 is the same in memory, and full or failing disks are separate files; the full-length
          // form uses the real disk.
          env: { ...inMemory, ...compiledOnce },
          environment: 'node',
          globalSetup: ['test/support/build-setup.ts'],
          testTimeout: 240_000,
          expect: patience,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'package',
          include: [packaging],
          environment: 'node',
          globalSetup: ['test/support/build-setup.ts'],
          testTimeout: 240_000,
          expect: patience,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'alone',
          sequence: { groupOrder: 2 },
          include: alone,
          provide: { isLong: false },
          env: compiledOnce,
          environment: 'node',
          globalSetup: ['test/support/e2e-setup.ts'],
          fileParallelism: false,
          testTimeout: 240_000,
          expect: patience,
          hookTimeout: 60_000,
        },
      },
      {
        // Full-length tests, which take an hour: `npm run test:faults`. No other script runs them.
        test: {
          name: 'long',
          sequence: { groupOrder: 4 },
          include: ['test/faults/**/*.test.ts', ...repeated],
          provide: { isLong: true },
          environment: 'node',
          globalSetup: ['test/support/e2e-setup.ts'],
          fileParallelism: false,
          testTimeout: 240_000,
          expect: patience,
          hookTimeout: 120_000,
        },
      },
      {
        plugins: [rendererPlugins()],
        test: {
          name: 'long-renderer',
          sequence: { groupOrder: 5 },
          include: longFormsOf('test/renderer/**/*.test.ts'),
          provide: { isLong: true },
          ...inOneDocument,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: patience,
        },
      },
      {
        test: {
          name: 'desktop',
          sequence: { groupOrder: 3 },
          include: ['test/desktop/**/*.test.ts'],
          exclude: [packaging],
          environment: 'node',
          globalSetup: ['test/support/build-setup.ts'],
          fileParallelism: false,
          testTimeout: 240_000,
          expect: patience,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
