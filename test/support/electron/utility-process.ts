import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { constants } from 'node:os';
import { PassThrough } from 'node:stream';
import type { UtilityProcess } from 'electron';
import { app, childGone } from './app.ts';
import { mayFail, settings } from './settings.ts';
import { onOrder, tell } from './test-channel.ts';

type Used = Pick<UtilityProcess, 'kill' | 'on' | 'pid' | 'postMessage' | 'stderr' | 'stdout'>;

const parentPort = new URL('./parent-port.ts', import.meta.url).href;

/**
 * Electron has the system's GLib in each of its processes on Linux, which takes the place of the one that a native
 * module brings. Which mistake of it ends the process differs between its versions; here every one does.
 */
const systemLibraries =
  settings.platform === 'linux' ? { LD_PRELOAD: 'libgobject-2.0.so.0', G_DEBUG: 'fatal-criticals' } : {};

/** How long Chromium waits after SIGTERM before it kills the process. Milliseconds. */
const PATIENCE = 2_000;

let unlaunched = settings.unlaunchedServers ?? 0;

let failNewest: (() => void) | undefined;
onOrder((order) => {
  if (order.type === 'server-fails') failNewest?.();
});

export const utilityProcess = {
  /** A real process: Node running the bundle, with `process.parentPort` as Electron makes it. */
  fork(
    modulePath: string,
    args: string[] = [],
    options: { stdio?: unknown; serviceName?: string } = {},
  ): Used {
    mayFail('utilityProcess.fork');
    if (!app.isReady()) throw new Error('utilityProcess cannot be created before app is ready.');
    if (options.stdio !== 'pipe') throw new Error('The stand-in knows stdio: "pipe" only.');
    if (unlaunched > 0) {
      unlaunched -= 1;
      return neverSpawned();
    }
    const child = fork(modulePath, args, {
      execArgv: ['--import', parentPort],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      serialization: 'advanced',
      env: { ...process.env, ...systemLibraries },
    });
    tell({ type: 'server', pid: child.pid ?? 0 });
    child.on('exit', (code, signal) => {
      const name = options.serviceName ?? 'Node Utility Process';
      const died = signal !== null && ['SIGSEGV', 'SIGABRT', 'SIGILL', 'SIGBUS'].includes(signal);
      const reason = signal === null ? 'abnormal-exit' : died ? 'crashed' : 'killed';
      if (code !== 0) childGone({ name, reason, exitCode: code ?? constants.signals[signal ?? 'SIGKILL'] });
    });
    return utilityOf(child);
  },
};

/** A process that the system does not start: neither `spawn` nor an exit is guaranteed. */
function neverSpawned(): Used {
  const events = new EventEmitter();
  return {
    on: events.on.bind(events) as unknown as UtilityProcess['on'],
    pid: undefined,
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    postMessage() {},
    kill: () => false,
  };
}

function utilityOf(child: ChildProcess): Used {
  const events = new EventEmitter();
  failNewest = () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    // It comes before the end, and is an exception here without a listener.
    events.emit('error', 'FatalError', 'v8::ToLocalChecked', '{}');
    child.kill('SIGKILL');
  };
  child.on('spawn', () => events.emit('spawn'));
  child.on('message', (message) => events.emit('message', message));
  let isGone = false;
  child.on('exit', (code, signal) => {
    try {
      events.emit('exit', code ?? constants.signals[signal ?? 'SIGKILL']);
    } finally {
      // The last output is only received by those who listen again; the properties are empty from now on.
      isGone = true;
      child.stdout?.removeAllListeners();
      child.stderr?.removeAllListeners();
    }
  });
  return {
    on: events.on.bind(events) as unknown as UtilityProcess['on'],
    get pid() {
      return child.exitCode === null && child.signalCode === null ? child.pid : undefined;
    },
    get stdout() {
      return isGone ? null : child.stdout;
    },
    get stderr() {
      return isGone ? null : child.stderr;
    },
    postMessage(message) {
      // A process that has just died receives nothing; Electron drops the message too.
      if (child.connected) child.send(message as object);
    },
    kill() {
      setTimeout(() => child.kill('SIGKILL'), PATIENCE).unref();
      return child.kill('SIGTERM');
    },
  };
}
