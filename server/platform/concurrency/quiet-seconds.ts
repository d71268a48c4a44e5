import { type EventLoopUtilization, performance } from 'node:perf_hooks';

/** How long the thread must have had next to nothing to do. */
const leastMs = 30_000;
/** The share of its time that counts as nothing; a quiet second takes less of the time until the next one. */
const mostLoad = 0.05;
const quietMs = 1_000;

/**
 * Returns whether it is a quiet second of the thread: it had next to nothing to do for half a minute, so that work
 * whose steps take long probably delays nobody. After the second it is asked how the thread fared since.
 */
export function quietSeconds(): () => boolean {
  let before: EventLoopUtilization = performance.eventLoopUtilization();
  let until = 0;
  return () => {
    const now = performance.now();
    if (now < until) return true;
    const current = performance.eventLoopUtilization();
    const { active, idle, utilization } = performance.eventLoopUtilization(current, before);
    if (active + idle < leastMs) return false;
    before = current;
    if (utilization < mostLoad) until = now + quietMs;
    return now < until;
  };
}
