import type { Logger } from 'pino';

export interface Job {
  name: string;
  /** Milliseconds between two starts; asked again at every look, so that a changed setting holds at once. */
  intervalMs: () => number;
  /** Milliseconds after the start of the scheduler until the first run; the interval unless told otherwise. */
  firstMs?: number;
  /** The work. `signal` is aborted when the server stops: what is under way should then come to an end. */
  run: (signal: AbortSignal) => Promise<void> | void;
}

/** What is known of a job's runs; moments are wall-clock milliseconds. */
interface JobState {
  running: boolean;
  startedAt: number | null;
  finishedAt: number | null;
  outcome: 'done' | 'failed' | null;
  /** Null while the scheduler stands still. */
  nextAt: number | null;
}

export interface ScheduledJob {
  /** Runs the job now, or joins the run that is under way. Resolves when it is over, also after a failure. */
  runNow(): Promise<void>;
  state(): JobState;
}

export interface Scheduler {
  add(job: Job): ScheduledJob;
  start(): void;
  /** Looks at all jobs and starts those that are due; the scheduler's own timer does so. */
  look(): void;
  /** Starts no more runs, aborts those under way, and waits for them. */
  stop(): Promise<void>;
}

interface Options {
  now: () => number;
  /** Monotonic milliseconds. */
  monotonic: () => number;
  log: Pick<Logger, 'error'>;
  /** Longest pause between two looks: after a sleep an overdue job starts within it (F-08: 30 s). */
  lookMs?: number | undefined;
}

/**
 * Runs jobs at fixed intervals. A job never overlaps itself, and however much time was slept through, an overdue job
 * runs once. The monotonic clock decides, so a wall clock that is set back holds nothing up; where it stands still
 * while the machine sleeps, the wall clock's advance shows that time has passed (F-07, F-08).
 */
export function scheduler({ now, monotonic, log, lookMs = 15_000 }: Options): Scheduler {
  const looks: (() => void)[] = [];
  const runs = new Set<Promise<void>>();
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
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
      // The larger of the two: a wall clock set forward runs the job early, once, and does no harm.
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
        // The next run is a fresh attempt; the job's own records tell more.
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
      // `run` may be over already when the job is synchronous.
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
      // A server that has nothing else to do may end.
      timer.unref();
    },
    async stop() {
      clearInterval(timer);
      started = false;
      stopping.abort();
      await Promise.all(runs);
    },
  };
}
