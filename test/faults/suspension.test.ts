import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';

const program = join(import.meta.dirname, '../support/stoppable-job.ts');
const intervalMs = 1_500;
const lookMs = 300;

let child: ChildProcess | undefined;
afterEach(() => {
  child?.kill('SIGKILL');
  child = undefined;
});

/** Starts the process with its job; the list grows by the moment of each run. */
function start(): number[] {
  const runs: number[] = [];
  child = spawn(process.execPath, [program, String(intervalMs), String(lookMs)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdout?.on('data', (chunk: Buffer) => {
    for (const [, timestamp] of chunk.toString().matchAll(/run (\d+)/g)) runs.push(Number(timestamp));
  });
  return runs;
}

describe.skipIf(process.platform === 'win32')('a suspended process (F-08)', () => {
  test('runs an overdue job once, soon after it resumes, and then at its interval again', {
    tags: 'long',
  }, async () => {
    const runs = start();
    await expect.poll(() => runs.length, { timeout: 20_000 }).toBe(2);
    child?.kill('SIGSTOP');
    await pause(4.5 * intervalMs);
    expect(runs).toHaveLength(2);

    const resumedAt = Date.now();
    child?.kill('SIGCONT');
    await expect.poll(() => runs.length, { timeout: 30_000 }).toBe(4);
    const [, , caughtUp = 0, next = 0] = runs;
    expect(caughtUp).toBeGreaterThanOrEqual(resumedAt);
    expect(caughtUp - resumedAt).toBeLessThan(30_000);
    // The intervals that were slept through are not made up for: the one after it is a whole interval away.
    expect(next - caughtUp).toBeGreaterThan(intervalMs - 100);
  });
});
