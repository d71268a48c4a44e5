import { scheduler } from '../../server/platform/jobs/scheduler.ts';

/**
 * A process of its own for test/faults/suspension.test.ts: the server's scheduler on the clocks of the server, with one
 * job. Prints `run` and the moment at each run. Arguments: milliseconds of the interval, and between two looks.
 */
const [intervalMs = 0, lookMs = 0] = process.argv.slice(2).map(Number);
const jobs = scheduler({
  now: Date.now,
  monotonic: () => performance.now(),
  log: {
    error(told: unknown) {
      process.stderr.write(`${String(told)}\n`);
    },
  },
  lookMs,
});
jobs.add({
  name: 'domains',
  intervalMs: () => intervalMs,
  firstMs: 0,
  run: () => void process.stdout.write(`run ${Date.now()}\n`),
});
jobs.start();
// The scheduler's own timer keeps no process alive.
process.stdin.resume();
