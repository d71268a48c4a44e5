import { performance } from 'node:perf_hooks';
import { afterEach, expect, test, vi } from 'vitest';
import { quietSeconds } from '../../../server/platform/concurrency/quiet-seconds.ts';

afterEach(() => vi.restoreAllMocks());

test('a second is quiet after half a minute with next to nothing to do', () => {
  let now = 0;
  let active = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  vi.spyOn(performance, 'eventLoopUtilization').mockImplementation((current, before) => {
    if (!current || !before) return { active, idle: now - active, utilization: active / now };
    const span = { active: current.active - before.active, idle: current.idle - before.idle };
    return { ...span, utilization: span.active / (span.active + span.idle) };
  });
  const isQuiet = quietSeconds();
  const after = (ms: number, busyMs: number) => {
    now += ms;
    active += busyMs;
    return isQuiet();
  };
  expect(after(29_000, 0)).toBe(false);
  expect(after(2_000, 100)).toBe(true);
  expect(after(900, 900)).toBe(true);
  expect(after(200, 0)).toBe(false);
  // The second of work itself does not count against the next one.
  expect(after(59_000, 0)).toBe(true);
  expect(after(60_000, 6_000)).toBe(false);
  expect(after(60_000, 0)).toBe(true);
});
