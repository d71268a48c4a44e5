import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { burstLoad, freeLoad, spareTime } from '../../platform/concurrency/spare-time.ts';
import type { Counted, Rollups } from './rollups.ts';

export interface CatchUp {
  /** Makes sure that what was just recorded gets counted soon. */
  wake(): void;
  /**
   * Counts what was recorded before, for an answer that shows it: in slices with turns for everybody else between them,
   * and for a few milliseconds in all. What is still waiting then is counted later.
   */
  countRecent(): Promise<void>;
  close(): void;
}

interface Options {
  rollups: Rollups;
  /** Monotonic milliseconds. */
  monotonic: () => number;
  log: Pick<Logger, 'error'>;
  /** Whether the write-ahead log has to be written back before more is added to it; without it it never has. */
  mustWait?: () => boolean;
  /** Called after each slice, when there is time for what else is to be done now and then. */
  afterSlice?: () => void;
  /** Whether there is room on the disk for what is counted; without it there always is. */
  hasSpace?: () => boolean;
}

const delayMs = 100;
const retryMs = 30_000;
/** How long counting waits for the log to be written back before it looks again. */
const waitMs = 5;
/** How long one slice may hold up redirects, its commit not included: while few come, and while many do. */
const sliceMs = 3;
const busySliceMs = 1;
/** How much of it an answer may wait for. */
const recentMs = 8;
/** How long clicks are gathered under load: the more of them are counted together, the less each costs. */
const gatherMs = 800;
/** The share of the thread's time beyond which a slice is short, and clicks are gathered. */
const busyLoad = 0.1;
/** How many slices follow each other while the thread is free, with turns for everybody else between them. */
const slicesInTurn = 4;

/**
 * Runs the counting beside the redirects on their thread, in slices of a few milliseconds: one after the other while
 * the process is idle, and as much time as it leaves free while it is not. In a burst that leaves none, counting has a
 * twentieth of the time, until so much waits that it gets a third.
 */
export function catchUp({ rollups, monotonic, log, afterSlice, ...options }: Options): CatchUp {
  const { hasSpace = () => true, mustWait = () => false } = options;
  let isScheduled = false;
  let closed = false;
  const time = spareTime({ monotonic, waiting: rollups.waiting });
  let load = 0;
  let slicesLeft = 0;
  /** The counting for answers that is under way: however many ask at once, it is done once. */
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
        // The answer shows what is counted; the next tick tries again.
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
      // What a slice has not written is read again; on a full disk trying again at once would only fill the log.
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
    // Without a pause it still comes after what has arrived meanwhile; the shortest timer would take a third of a
    // slice. It stays referenced: for one that is not, an idle loop sleeps until a request or another timer wakes it.
    if (afterMs > 0) setTimeout(tick, afterMs).unref();
    else setImmediate(tick);
  }

  return {
    wake: () => schedule(delayMs),
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
