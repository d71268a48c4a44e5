import type { Logger } from 'pino';

export interface Job {
  name: string;
  /** Milliseconds between two starts; read on every check, so that changed settings take effect immediately. */
  intervalMs: () => number;
  /** Milliseconds from the scheduler's start to the first run; the interval by default. */
  firstMs?: number;
  /** The work. `signal` is aborted when the server stops: work in progress should then end. */
  run: (signal: AbortSignal) => Promise<void> | void;
}

/** The state of a job's runs; timestamps are wall-clock milliseconds. */
interface JobState {
  running: boolean;
  startedAt: number | null;
  finishedAt: number | null;
  outcome: 'done' | 'failed' | null;
  /** Null while the scheduler is stopped. */
  nextAt: number | null;
}

export interface ScheduledJob {
  /** Runs the job now, or joins the current run. Resolves when it has finished, even after an error. */
  runNow(): Promise<void>;
  state(): JobState;
}

export interface Scheduler {
  add(job: Job): ScheduledJob;
  start(): void;
  /** Checks all jobs and starts those that are due; called by the scheduler's timer. */
  look(): void;
  /** Starts no more runs, aborts current ones, and waits for them. */
  stop(): Promise<void>;
}

interface Options {
  now: () => number;
  /** Monotonic milliseconds. */
  monotonic: () => number;
  log: Pick<Logger, 'error'>;
  /** The longest interval between two checks: after a sleep an overdue job starts within it (F-08: 30 s). */
  lookMs?: number | undefined;
}

/** The first check comes sooner: work that the end of the last process interrupted, and messages, wait for it. */
const firstLookMs = 1_000;

/**
 * Runs jobs at fixed intervals. A job never overlaps itself, and runs once if overdue, however long the machine slept.
 * The monotonic clock decides, so a wall clock that is set back delays nothing; if the monotonic clock stops while the
 * machine sleeps, the wall clock shows the elapsed time (F-07, F-08).
 */
export function scheduler({ now, monotonic, log, lookMs = 15_000 }: Options): Scheduler {
  const looks: (() => void)[] = [];
  const runs = new Set<Promise<void>>();
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let firstLook: NodeJS.Timeout | undefined;
  let started = false;

  function add(job: Job): ScheduledJob {
    const state: JobState = {
      running: false,
      startedAt: null,
      finishedAt: null,
      outcome: null,
      nextAt: null,
    };
    let base = { monotonic: monotonic(), wall: now() };
    let wait: number | undefined = job.firstMs;
    let underWay: Promise<void> | undefined;

    function passed(): number {
      // The larger of the two: a wall clock set forward runs the job early, once, which is harmless.
      return Math.max(monotonic() - base.monotonic, now() - base.wall);
    }

    async function run(): Promise<void> {
      base = { monotonic: monotonic(), wall: now() };
      wait = undefined;
      Object.assign(state, { running: true, startedAt: base.wall });
      try {
        await job.run(stopping.signal);
        state.outcome = 'done';
      } catch (error) {
        // The next run is a new attempt; the job's own records have details.
        log.error({ err: error, job: job.name }, 'a job failed');
        state.outcome = 'failed';
      } finally {
        Object.assign(state, { running: false, finishedAt: now() });
        underWay = undefined;
      }
    }

    function runNow(): Promise<void> {
      if (underWay) return underWay;
      const current = run();
      underWay = current;
      // `run` may have finished already if the job is synchronous.
      if (!state.running) underWay = undefined;
      runs.add(current);
      void current.then(() => runs.delete(current));
      return current;
    }

    looks.push(() => {
      if (!underWay && passed() >= (wait ?? job.intervalMs())) void runNow();
    });
    return {
      runNow,
      state() {
        const left = Math.max(0, (wait ?? job.intervalMs()) - passed());
        return { ...state, nextAt: started ? now() + left : null };
      },
    };
  }

  function look(): void {
    if (stopping.signal.aborted) return;
    for (const each of looks) each();
  }

  return {
    add,
    look,
    start() {
      started = true;
      timer = setInterval(look, lookMs);
      firstLook = setTimeout(look, Math.min(firstLookMs, lookMs));
      // They must not keep an otherwise idle process alive.
      timer.unref();
      firstLook.unref();
    },
    async stop() {
      clearInterval(timer);
      clearTimeout(firstLook);
      started = false;
      stopping.abort();
      await Promise.all(runs);
    },
  };
}
