import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { scheduler } from '../../../server/platform/jobs/scheduler.ts';
import { testClock } from '../../support/clock.ts';

const minute = 60_000;
const day = 86_400_000;

function setUp() {
  const clock = testClock();
  const errors: unknown[] = [];
  const jobs = scheduler({ ...clock, log: { error: (...told: unknown[]) => void errors.push(told) } });
  return { clock, jobs, errors };
}

/** A job whose runs the test lets end. */
function countingJob(intervalMs = 10 * minute) {
  let runs = 0;
  let release = () => {};
  return {
    job: {
      name: 'count',
      intervalMs: () => intervalMs,
      run: () => {
        runs += 1;
        return new Promise<void>((resolve) => {
          release = resolve;
        });
      },
    },
    runs: () => runs,
    async finish() {
      release();
      await new Promise(setImmediate);
    },
  };
}

describe('a job', () => {
  test('runs at its interval', async () => {
    const { clock, jobs } = setUp();
    const { job, runs, finish } = countingJob();
    jobs.add(job);
    for (let passed = 0; passed < 60; passed += 1) {
      clock.advance(minute);
      jobs.look();
      await finish();
    }
    expect(runs()).toBe(6);
  });

  test('never overlaps itself', () => {
    const { clock, jobs } = setUp();
    const { job, runs } = countingJob();
    const scheduled = jobs.add(job);
    for (let passed = 0; passed < 10; passed += 1) {
      clock.advance(10 * minute);
      jobs.look();
      void scheduled.runNow();
    }
    expect([runs(), scheduled.state().running]).toEqual([1, true]);
  });

  test.each([
    [
      'two days of sleep that only the wall clock saw',
      (clock: ReturnType<typeof testClock>) => clock.jump(2 * day),
    ],
    [
      'two days in which the program stood still',
      (clock: ReturnType<typeof testClock>) => clock.advance(2 * day),
    ],
  ])('runs once after %s', async (_what, pass) => {
    const { clock, jobs } = setUp();
    const { job, runs, finish } = countingJob();
    jobs.add(job);
    pass(clock);
    for (let look = 0; look < 5; look += 1) {
      jobs.look();
      await finish();
    }
    expect(runs()).toBe(1);
  });

  test('continues at its interval when the system clock is set back', async () => {
    const { clock, jobs } = setUp();
    const { job, runs, finish } = countingJob();
    jobs.add(job);
    clock.jump(-2 * day);
    for (let passed = 0; passed < 30; passed += 1) {
      clock.advance(minute);
      jobs.look();
      await finish();
    }
    expect(runs()).toBe(3);
  });

  describe('of a started scheduler', () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    test('is checked every 15 seconds, so that an overdue one waits no longer (F-08: 30 s)', () => {
      const { clock, jobs } = setUp();
      const { job, runs } = countingJob();
      jobs.add(job);
      jobs.start();
      vi.advanceTimersByTime(1_000);
      clock.jump(2 * day);
      vi.advanceTimersByTime(13_999);
      expect(runs()).toBe(0);
      vi.advanceTimersByTime(1);
      expect(runs()).toBe(1);
    });

    test('runs after a second with work that an earlier process left', () => {
      const { jobs } = setUp();
      const { job, runs } = countingJob();
      jobs.add({ ...job, firstMs: 0 });
      jobs.start();
      vi.advanceTimersByTime(999);
      expect(runs()).toBe(0);
      vi.advanceTimersByTime(1);
      expect(runs()).toBe(1);
    });
  });

  test('runs again after a failure, which is reported', async () => {
    const { clock, jobs, errors } = setUp();
    let runs = 0;
    const scheduled = jobs.add({
      name: 'fails',
      intervalMs: () => minute,
      run() {
        runs += 1;
        throw new Error('no');
      },
    });
    await scheduled.runNow();
    expect(scheduled.state()).toMatchObject({ running: false, outcome: 'failed' });
    clock.advance(minute);
    jobs.look();
    expect([runs, errors.length]).toEqual([2, 2]);
  });

  test('reports its last and next run', async () => {
    const { clock, jobs } = setUp();
    const { job, finish } = countingJob();
    const scheduled = jobs.add({ ...job, firstMs: minute });
    expect(scheduled.state()).toMatchObject({ startedAt: null, nextAt: null });
    jobs.start();
    expect(scheduled.state().nextAt).toBe(clock.now() + minute);
    const startedAt = clock.now();
    const run = scheduled.runNow();
    clock.advance(1000);
    await finish();
    await run;
    expect(scheduled.state()).toEqual({
      running: false,
      startedAt,
      finishedAt: startedAt + 1000,
      outcome: 'done',
      nextAt: startedAt + 10 * minute,
    });
    await jobs.stop();
  });

  test('is told to stop and waited for when the server stops', async () => {
    const { jobs } = setUp();
    let ended = false;
    const scheduled = jobs.add({
      name: 'long',
      intervalMs: () => minute,
      run: (signal) =>
        new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => {
            ended = true;
            resolve();
          });
        }),
    });
    void scheduled.runNow();
    await jobs.stop();
    expect(ended).toBe(true);
  });
});
