import { expect, test } from 'vitest';
import { spareTime } from '../../../server/platform/concurrency/spare-time.ts';

/** Keeps the thread busy, as a burst of visitors does. */
function keepBusy(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

function timeOf(waiting: number, pieceMs = 10) {
  let now = 0;
  const time = spareTime({ monotonic: () => now, waiting: () => waiting });
  const work = () =>
    time.spend(() => {
      now += pieceMs;
    });
  return { ...time, work };
}

test('deferrable work gets a twentieth of the time in a burst, and a third when too much waits', () => {
  for (const [waiting, rest] of [
    [100, 190],
    [300_000, 20],
  ] as const) {
    const time = timeOf(waiting);
    for (let window = 0; window < 5; window += 1) {
      keepBusy(60);
      time.othersLoad();
    }
    const load = time.othersLoad();
    expect(load).toBe(1);
    time.work();
    expect(time.restAfter(load)).toBeCloseTo(rest);
  }
});

test('a piece delayed by the disk does not cause a long pause', () => {
  const time = timeOf(100, 2_000);
  keepBusy(60);
  const load = time.othersLoad();
  time.work();
  expect(time.restAfter(load)).toBe(1_000);
  expect(time.restAfter(0.5)).toBe(1_000);
});

test('what comes right after a piece does not look like a burst', async () => {
  const time = spareTime({ monotonic: () => performance.now(), waiting: () => 0 });
  const load = async () => {
    for (let piece = 0; piece < 40; piece += 1) {
      await new Promise((resolve) => setTimeout(resolve, 3));
      time.othersLoad();
      time.spend(() => keepBusy(1));
      keepBusy(1);
    }
    return time.othersLoad();
  };
  await expect.poll(load, { timeout: 20_000 }).toBeLessThan(0.6);
});

test('its own work does not make a thread look busy, and it does not pause while the thread is idle', async () => {
  const time = spareTime({ monotonic: () => performance.now(), waiting: () => 0 });
  const load = async () => {
    time.othersLoad();
    time.spend(() => keepBusy(100));
    await new Promise((resolve) => setTimeout(resolve, 20));
    return time.othersLoad();
  };
  await expect.poll(load, { timeout: 10_000 }).toBeLessThan(0.3);
  time.spend(() => keepBusy(1));
  expect(time.restAfter(0.2)).toBe(0);
  expect(time.restAfter(0.5)).toBeGreaterThanOrEqual(1);
});
