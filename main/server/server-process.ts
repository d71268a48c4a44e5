import type { UtilityProcess } from 'electron';
import { z } from 'zod';
import type { ServerState, Unsubscribe } from '../../preload/contract.ts';
import { safeParse } from '../../server/contract/safe-parse.ts';
import { type LogFile, lineSplitter } from './log-file.ts';
import { restartBudget } from './restart-budget.ts';

/** The part of Electron's utility process that is used; tests substitute a plain child process. */
export type Child = Pick<UtilityProcess, 'kill' | 'on' | 'pid' | 'postMessage' | 'stderr' | 'stdout'>;

/** The origin of the running server, and the data folder it serves. */
export interface RunningServer {
  readonly origin: string;
  /** Identifies the data folder permanently, whatever port it is served on. */
  readonly instanceId: string;
}

export interface ServerProcess {
  start(): void;
  state(): ServerState;
  running(): RunningServer | undefined;
  onChange(listener: (state: ServerState) => void): Unsubscribe;
  /** Restarts the server and resets the restart budget. */
  restart(): Promise<void>;
  /**
   * While the app may be quitting, a server that exits is not restarted (Ctrl+C in a terminal stops both). If the app
   * stays open after all, `mayEnd(false)` starts it again.
   */
  mayEnd(isEnding: boolean): void;
  /** Asks the server to stop, waits up to 10 s for it to finish, then kills it. */
  stop(): Promise<void>;
}

interface ServerProcessOptions {
  /** Starts the server bundle with these arguments. */
  fork: (args: string[]) => Child;
  dataFolder: string;
  log: LogFile;
  /** Monotonic clock, in milliseconds. */
  now: () => number;
  /** The port to try first, and where to store the port actually used. */
  port: { read(): number; keep(port: number): void };
}

/**
 * Messages from our own child process. The origin comes from here only, so that another program listening on our port
 * never receives a key (T-34).
 */
const announcement = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('listening'),
    origin: z.string().regex(/^http:\/\/127\.0\.0\.1:\d{1,5}$/),
    port: z.number().int().min(1).max(65_535),
    instanceId: z.string().min(1).max(100),
  }),
  z.object({
    type: z.literal('failed'),
    code: z.string().max(50),
    message: z.string().max(2_000),
  }),
]);

type Failure = Extract<z.output<typeof announcement>, { type: 'failed' }>;

/** How long a server that is asked to stop may take to begin at all. Milliseconds. */
const BEGIN_TIME = 2_000;

/** How long a server may take to finish what it does when it is asked to stop, and to die when it is told to. */
const STOP_TIME = 10_000;
const KILL_TIME = 5_000;

const NOT_STARTED: Failure = {
  type: 'failed',
  code: 'not_started',
  message: 'The server could not be started. See the log file.',
};

/** Errors that a restart cannot fix; they need user action (exit codes: decision 0053). */
const FINAL_FAILURES = [
  'port_taken',
  'data_unwritable',
  'database_damaged',
  'database_newer',
  'wrong_options',
];

/** Delay before killing a server that reported an error: a utility process does not exit by itself. Milliseconds. */
const LAST_WORDS_TIME = 2_000;

/** Time limit for spawning the process: Electron reports nothing if it never starts. Milliseconds. */
const SPAWN_TIME = 30_000;

/** How long to wait for remaining output after the exit. Milliseconds. */
const LAST_LINES_TIME = 1_000;

/** After a crash of the app, its old server may take a moment to notice and release the data folder. */
const DATA_IN_USE_TRIES = 2;

/** Runs the server inside the desktop app and restarts it when it exits unexpectedly (decision 0054; F-15). */
export function serverProcess({ fork, dataFolder, log, now, port }: ServerProcessOptions): ServerProcess {
  const listeners = new Set<(state: ServerState) => void>();
  const budget = restartBudget(now);
  let state: ServerState = { state: 'starting' };
  let running: RunningServer | undefined;
  let child: Child | undefined;
  let exited: Promise<void> = Promise.resolve();
  let begun: Promise<void> = Promise.resolve();
  /** Goes on without the process that was started last. */
  let giveUp = () => {};
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let stopping = false;
  let isEnding = false;
  let restart: Promise<void> | undefined;

  function become(next: ServerState): void {
    state = next;
    for (const listener of listeners) listener(next);
  }

  function start(): void {
    const wanted = port.read();
    let started: Child;
    try {
      started = fork([
        'serve',
        ...['--port', `${wanted}`],
        ...['--host', '127.0.0.1'],
        ...['--data', dataFolder],
        '--desktop',
      ]);
    } catch (error) {
      log.note('the server could not be started', { why: (error as Error).message });
      become({ state: 'stopped', message: NOT_STARTED.message, logFile: log.path });
      return;
    }
    let failure: Failure | undefined;
    let isGone = false;
    child = started;
    const streams = [started.stdout, started.stderr].map((stream) => listenTo(stream));
    begun = new Promise((resolve) => {
      started.on('spawn', resolve);
    });
    exited = new Promise((resolve) => {
      const unbegun = setTimeout(() => {
        failure = NOT_STARTED;
        end(1);
      }, SPAWN_TIME);
      giveUp = () => end(1);
      function end(code: number): void {
        if (isGone) return;
        isGone = true;
        clearTimeout(unbegun);
        resolve();
        onExit(code, failure);
      }
      started.on('spawn', () => {
        clearTimeout(unbegun);
        // Already replaced by another process.
        if (isGone) started.kill();
      });
      started.on('exit', (code) => {
        for (const listenAnew of streams) listenAnew();
        end(code);
      });
    });
    started.on('error', (type, location) => log.note('the server failed', { type, location }));
    started.on('message', (message) => {
      if (isGone) return;
      const told = safeParse(announcement, message);
      if (!told.success) log.note('the server sent a message that is not understood');
      else if (told.data.type === 'listening') onListening(told.data, wanted);
      else {
        failure = told.data;
        void within(LAST_WORDS_TIME, exited).then((ended) => ended || started.kill());
      }
    });
  }

  /**
   * Writes a stream's lines to the log. Electron removes all listeners when the process exits, while the last output is
   * still buffered; the returned function, called on exit, attaches them again.
   */
  function listenTo(stream: Child['stdout']): () => void {
    if (!stream) return () => {};
    const lines = lineSplitter(log.line);
    const listen = () => {
      stream.on('data', lines.push);
      stream.on('end', lines.end);
    };
    stream.setEncoding('utf8');
    listen();
    return () => {
      // Remove our listeners individually: after `removeAllListeners` the stream keeps flowing and drops its data.
      stream.removeListener('data', lines.push);
      stream.removeListener('end', lines.end);
      stream.pause();
      setImmediate(() => {
        listen();
        stream.resume();
      });
      // Flush a last line that has no line break.
      setTimeout(lines.end, LAST_LINES_TIME).unref();
    };
  }

  function onListening(told: RunningServer & { port: number }, wanted: number): void {
    running = { origin: told.origin, instanceId: told.instanceId };
    log.note('the server is listening', { origin: told.origin, pid: child?.pid ?? 0 });
    if (told.port !== wanted) port.keep(told.port);
    become({
      state: 'running',
      origin: told.origin,
      ...(told.port !== wanted && { portTaken: wanted }),
    });
  }

  function onExit(code: number, failure: Failure | undefined): void {
    running = undefined;
    child = undefined;
    if (stopping) return;
    log.note('the server ended', { code, why: failure?.code ?? 'it died' });
    if (isEnding) return;
    const pause = mayStartAgain(failure) ? budget.spend() : undefined;
    if (pause === undefined) {
      const message = failure?.message ?? `The server stopped several times, last with code ${code}.`;
      become({ state: 'stopped', message, logFile: log.path });
      return;
    }
    become({ state: 'restarting', attempt: budget.spent() });
    waiting = setTimeout(start, pause);
  }

  function mayStartAgain(failure: Failure | undefined): boolean {
    if (failure?.code === 'data_in_use') return budget.spent() < DATA_IN_USE_TRIES;
    return failure === undefined || !FINAL_FAILURES.includes(failure.code);
  }

  async function stop(): Promise<void> {
    stopping = true;
    // Stop routing requests to it: a live stream that reconnected would delay the shutdown until its timeout.
    running = undefined;
    clearTimeout(waiting);
    if (child) {
      child.postMessage({ type: 'stop' });
      // One that the system has not begun has nothing to finish, and may never hear of it.
      if (!(await within(BEGIN_TIME, Promise.race([begun, exited])))) {
        log.note('the server did not start and is abandoned');
        giveUp();
        return;
      }
      const ended = await within(STOP_TIME, exited);
      if (!ended) {
        log.note('the server did not stop in time and is killed');
        child?.kill();
        await within(KILL_TIME, exited);
      }
    }
  }

  async function startAnew(): Promise<void> {
    const stopped = stop();
    become({ state: 'starting' });
    await stopped;
    stopping = false;
    budget.reset();
    // The app may have started quitting in the meantime; if a window prevents that, `mayEnd` starts the server.
    if (!isEnding) start();
  }

  return {
    start,
    state: () => state,
    running: () => running,
    onChange(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    restart() {
      // Two clicks cause one restart: a second server would compete for the data folder.
      restart ??= startAnew().finally(() => {
        restart = undefined;
      });
      return restart;
    },
    mayEnd(ending) {
      const wasEnding = isEnding;
      isEnding = ending;
      if (wasEnding && !ending && !child && !stopping) start();
    },
    stop,
  };
}

/** Whether `what` resolves within so many milliseconds. */
async function within(milliseconds: number, what: Promise<void>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  const inTime = await Promise.race([what.then(() => true), tooLate]);
  clearTimeout(timer);
  return inTime;
}
