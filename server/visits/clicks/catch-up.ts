import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import type { Logger } from 'pino';
import type { Rollups } from './rollups.ts';

export interface CatchUp {
  /** Makes sure that what was just recorded gets counted soon. */
  wake(): void;
  /** Counts at once for at most `budgetMs`; true when everything is counted. */
  run(budgetMs?: number): boolean;
  close(): void;
}

interface Options {
  rollups: Rollups;
  /** Monotonic milliseconds. */
  monotonic: () => number;
  log: Pick<Logger, 'error'>;
  /** Called after each slice, when there is time for what else is to be done now and then. */
  afterSlice?: () => void;
  /** Whether there is room on the disk for what is counted; without it there always is. */
  hasSpace?: () => boolean;
}

const delayMs = 100;
const retryMs = 30_000;
/** How long one slice may hold up redirects. */
const sliceMs = 4;

/**
 * Runs the counting beside the redirects on their thread: in slices of a few milliseconds, one after the other while
 * the process is idle, and with a twentieth of the time when it is busy (the log then grows and is counted later).
 */
export function catchUp({ rollups, monotonic, log, afterSlice, hasSpace = () => true }: Options): CatchUp {
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  /** Clicks a slice, adapted to take about `sliceMs`. */
  let most = 100;
  let before: EventLoopUtilization = performance.eventLoopUtilization();
  let ownMs = 0;

  /** Returns whether there may be more. */
  function countSlice(): boolean {
    const startedAt = monotonic();
    const taken = rollups.countSlice(most);
    afterSlice?.();
    const took = Math.max(0.1, monotonic() - startedAt);
    const full = taken === most;
    if (full) most = nextSize(most, took);
    return full;
  }

  function tick(): void {
    timer = undefined;
    if (!hasSpace()) {
      schedule(retryMs);
      return;
    }
    const load = othersLoad();
    const startedAt = monotonic();
    try {
      if (!countSlice()) return;
    } catch (error) {
      // The position has not moved, so nothing is lost; on a full disk trying again at once would only fill the log.
      log.error({ err: error }, 'clicks could not be counted');
      schedule(retryMs);
      return;
    }
    ownMs = monotonic() - startedAt;
    schedule(load > 0.7 ? Math.max(delayMs, ownMs * 19) : load > 0.4 ? ownMs * 3 : 1);
  }

  /** The share of the time since the last slice in which the thread did something else than counting. */
  function othersLoad(): number {
    const current = performance.eventLoopUtilization();
    const { active, idle } = performance.eventLoopUtilization(current, before);
    before = current;
    const load = active + idle > 0 ? (active - ownMs) / (active + idle) : 0;
    ownMs = 0;
    return load;
  }

  function schedule(afterMs: number): void {
    if (closed || timer) return;
    timer = setTimeout(tick, afterMs);
    timer.unref();
  }

  return {
    wake: () => schedule(delayMs),
    run(budgetMs = Number.POSITIVE_INFINITY) {
      const end = monotonic() + budgetMs;
      while (countSlice()) if (monotonic() >= end) return false;
      return true;
    },
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

/** Clicks of the next slice after one that took so long: shrinks at once, grows carefully. */
function nextSize(size: number, tookMs: number): number {
  return Math.max(20, Math.min(2000, size * 1.25, Math.ceil(size * (sliceMs / tookMs)))) | 0;
}
