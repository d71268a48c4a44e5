/** How long the thread of the requests has worked and rested since the process began, in milliseconds. */
export interface ThreadTime {
  active: number;
  idle: number;
}

export interface ThreadShare {
  /** Notes that counting has had the thread for so long. */
  spend(ms: number): void;
  /** Looks how much of the thread the others use. To be asked between two slices. */
  look(): void;
  /** Whether the others use so much that slices are short and far between, and clicks are gathered. */
  isBusy(): boolean;
  /** Whether the others take whatever they get: their answers come first. */
  isBurst(): boolean;
  /** Milliseconds to leave to the others after what was spent since the last pause; `isLate` where counting cannot wait. */
  pause(isLate: boolean): number;
}

/** The shares of what counting leaves of the thread beyond which others are busy, and in a burst. */
const busyLoad = 0.1;
const burstLoad = 0.95;
/** The part of what the others do not need that counting takes: with all of it, none would be left for what comes at once. */
const takenOfFree = 0.7;
/** What counting has of the thread in a burst, and when it cannot wait any longer. */
const shareInBurst = 1 / 20;
const shareWhenLate = 1 / 3;
/**
 * How long the load is remembered. Right after a slice the others always work, as they have waited for it: looked at alone,
 * the few milliseconds until the next one would be a burst.
 */
const memoryMs = 200;

/** Finds out how much of its thread counting may take without redirects waiting in a queue that grows. */
export function threadShare(elapsed: () => ThreadTime): ThreadShare {
  let before = elapsed();
  /** What others and counting had of the remembered time, and how much of it nobody had. */
  let others = 0;
  let own = 0;
  let idle = 0;
  /** What counting has had since the last look, and since the last pause. */
  let sinceLook = 0;
  let sincePause = 0;

  /** The share of what counting leaves that the others use. */
  const load = () => (others + idle > 0 ? others / (others + idle) : 0);

  return {
    spend(ms) {
      sinceLook += ms;
      sincePause += ms;
    },
    look() {
      const now = elapsed();
      const active = now.active - before.active;
      const rested = now.idle - before.idle;
      before = now;
      const kept = Math.exp(-(active + rested) / memoryMs);
      // Counting itself must not make a thread that has no time left look half idle.
      others = others * kept + Math.max(0, active - sinceLook);
      own = own * kept + Math.min(sinceLook, active);
      idle = idle * kept + rested;
      sinceLook = 0;
    },
    isBusy: () => load() > busyLoad,
    isBurst: () => load() > burstLoad,
    pause(isLate) {
      const spent = sincePause;
      sincePause = 0;
      if (load() <= busyLoad) return 1;
      const isBurst = load() > burstLoad;
      const free = (takenOfFree * (own + idle)) / (others + own + idle);
      const share = isBurst ? (isLate ? shareWhenLate : shareInBurst) : Math.max(free, shareInBurst);
      return spent * (1 / share - 1);
    },
  };
}
