import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { burstLoad, freeLoad, spareTime } from '../../platform/concurrency/spare-time.ts';
import type { Counted, Rollups } from './rollups.ts';

export interface CatchUp {
  /** Schedules counting of recently recorded clicks. */
  wake(): void;
  /**
   * Counts recently recorded clicks for a response that shows them: in slices, yielding in between, and for a few
   * milliseconds in total. The rest is counted later.
   */
  countRecent(): Promise<void>;
  close(): void;
}

interface Options {
  rollups: Rollups;
  /** Monotonic milliseconds. */
  monotonic: () => number;
  log: Pick<Logger, 'error'>;
  /** Whether the write-ahead log must be written back before more is added; never by default. */
  mustWait?: () => boolean;
  /** Called after each slice, for occasional maintenance. */
  afterSlice?: () => void;
  /** Whether the disk has room for counted data; always by default. */
  hasSpace?: () => boolean;
}

const delayMs = 100;
const retryMs = 30_000;
/** How long counting waits for the log to be written back before checking again. */
const waitMs = 5;
/** How long a slice may delay redirects, not including its commit: under low load, and under high load. */
const sliceMs = 3;
const busySliceMs = 1;
/** How much of it a response may wait for. */
const recentMs = 8;
/** How long clicks are collected under load: counting more of them together makes each cheaper. */
const gatherMs = 500;
/** The share of the thread's time above which slices are short and clicks are collected. */
const busyLoad = 0.1;
/** How many slices run in succession while the thread is idle, yielding in between. */
const slicesInTurn = 4;

/**
 * Counts clicks on the redirect thread, in slices of a few milliseconds: continuously while the process is idle,
 * otherwise in the time that redirects leave free. In a burst, counting gets a twentieth of the time, until the
 * backlog is so large that it gets a third.
 */
export function catchUp({ rollups, monotonic, log, afterSlice, ...options }: Options): CatchUp {
  const { hasSpace = () => true, mustWait = () => false } = options;
  let isScheduled = false;
  let closed = false;
  const time = spareTime({ monotonic, waiting: rollups.waiting });
  let load = 0;
  let slicesLeft = 0;
  /** The current counting for responses, shared by all that wait for it. */
  let recent: Promise<void> | undefined;

  function countSlice(mostMs: number): Counted {
    const end = monotonic() + mostMs;
    const counted = rollups.step(() => monotonic() < end);
    afterSlice?.();
    return counted;
  }

  async function countForAnswer(): Promise<void> {
    for (let spent = 0; spent < recentMs && !closed && hasSpace() && !mustWait(); ) {
      const startedAt = monotonic();
      try {
        if (countSlice(sliceMs) === 'all') return;
      } catch (error) {
        // The response shows what has been counted; the next run tries again.
        log.error({ err: error }, 'clicks could not be counted');
        return;
      }
      spent += monotonic() - startedAt;
      await nextTurn();
    }
  }

  function tick(): void {
    isScheduled = false;
    if (closed) return;
    if (!hasSpace()) {
      schedule(retryMs);
      return;
    }
    if (mustWait()) {
      schedule(waitMs);
      return;
    }
    if (slicesLeft === 0) {
      load = time.othersLoad();
      slicesLeft = load > freeLoad ? 1 : slicesInTurn;
    }
    slicesLeft -= 1;
    try {
      // In a burst visitors wait for each other anyway, and every slice costs a commit.
      const mostMs = load > busyLoad && load <= burstLoad ? busySliceMs : sliceMs;
      const counted = time.spend(() => countSlice(mostMs));
      if (counted === 'part' && slicesLeft > 0) {
        schedule(0);
        return;
      }
      slicesLeft = 0;
      if (counted !== 'all') schedule(pauseAfter(counted));
    } catch (error) {
      slicesLeft = 0;
      // Clicks that a slice has not written are read again; on a full disk an immediate retry would only fill the log.
      log.error({ err: error }, 'clicks could not be counted');
      schedule(retryMs);
    }
  }

  function pauseAfter(counted: Counted): number {
    const isBurst = load > burstLoad;
    if (!isBurst && counted === 'batch' && load > busyLoad) return gatherMs;
    return load > freeLoad ? time.restAfter(load) : 1;
  }

  function schedule(afterMs: number): void {
    if (closed || isScheduled) return;
    isScheduled = true;
    // Even without a delay this runs after pending requests; the shortest timer would take a third of a slice. It stays
    // referenced: otherwise an idle event loop sleeps until a request or another timer wakes it.
    if (afterMs > 0) setTimeout(tick, afterMs).unref();
    else setImmediate(tick);
  }

  return {
    wake() {
      // So that the load is the load from now on, not that of the time in which nothing was to be counted.
      if (!isScheduled) time.othersLoad();
      schedule(delayMs);
    },
    countRecent() {
      recent ??= countForAnswer().finally(() => {
        recent = undefined;
      });
      return recent;
    },
    close() {
      closed = true;
    },
  };
}
