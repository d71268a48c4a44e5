import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { rendererPlugins } from './build/renderer-plugins.ts';
import { hasLongForm, longTag, TestOrder } from './build/test-order.ts';

/** For how long a poll waits for what takes a moment on a quiet machine. Milliseconds. */
const patience = { poll: { timeout: 20_000 } };

const { WAYPOST_TEST_FOLDER: scratch } = process.env;

/** Where tests write that are not about disks: `npm test` finds a faster place than a disk, if there is one. */
const inMemory = scratch ? { TMPDIR: scratch } : {};

/** The programs and threads that tests start are read, freed of their types and compiled once, not each time. */
const compiledOnce = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url)),
};

/** Do more in `npm run test:faults` than in `npm test`. */
const repeated = globSync('test/{*,{e2e,server}/**/*}.test.ts', { cwd: import.meta.dirname }).filter((file) =>
  hasLongForm(textOf(file)),
);

/**
 * Want the machine to themselves: they change its networks, and a browser gives up whatever it is loading when those
 * change (ERR_NETWORK_CHANGED).
 */
const alone = ['test/faults/held-connections.exploit.test.ts', 'test/e2e/desktop-two-machines.test.ts'];

/**
 * Show components, which hold on to the document that they were loaded in: each of these files has modules of its own.
 * The others share theirs, because loading Vue and Nuxt UI takes longer than most of them.
 */
const showing = globSync('test/renderer/**/*.test.ts', { cwd: import.meta.dirname }).filter((file) =>
  /'vue'|\.vue'|@vue\/test-utils|\/page\.ts'/.test(textOf(file)),
);

function textOf(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8');
}

export default defineConfig({
  test: {
    // Two cores are what the smallest machine that runs these tests has, and many unit tests wait for timers.
    maxWorkers: 4,
    sequence: { sequencer: TestOrder },
    passWithNoTests: false,
    tags: [{ name: longTag, description: 'Runs in npm run test:faults only.' }],
    // A busy machine may stumble over a timer or a browser. What passes only when tried again is named at the end of the run.
    retry: 1,
    // The groups run one after the other: a browser beside two busy workers is a slow browser, and real Electron disturbs
    // everything. Faults go beside the components, because most of the time they wait for time limits of others.
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/*.test.ts', 'test/{server,conformance,build,support,bench}/**/*.test.ts'],
          provide: { isLong: false },
          env: { ...inMemory, ...compiledOnce },
          environment: 'node',
          // Nothing here changes what its modules share, and loading the server anew for each file takes longer than
          // many of them.
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
          exclude: showing,
          environment: 'happy-dom',
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: patience,
        },
      },
      {
        plugins: [rendererPlugins()],
        test: {
          name: 'components',
          include: showing,
          provide: { isLong: false },
          environment: 'happy-dom',
          setupFiles: ['test/support/renderer-setup.ts'],
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
          // Nothing here changes what its modules share either.
          isolate: false,
          globalSetup: ['test/support/e2e-setup.ts'],
          // Browsers and servers are processes of their own, which these workers wait for.
          maxWorkers: 5,
          // A fifth of a slow machine needs patience.
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
          // What kill -9 leaves is the same there, and disks that fill up or lose their power are files of their own; the long
          // form writes to the disk of the machine.
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
        // The tests at full length, which takes an hour: `npm run test:faults`. No other script runs it.
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
          name: 'long-components',
          sequence: { groupOrder: 5 },
          include: showing.filter((file) => hasLongForm(textOf(file))),
          provide: { isLong: true },
          environment: 'happy-dom',
          setupFiles: ['test/support/renderer-setup.ts'],
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
