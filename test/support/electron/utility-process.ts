import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { constants } from 'node:os';
import type { UtilityProcess } from 'electron';
import { app, childGone } from './app.ts';
import { mayFail } from './settings.ts';
import { tell } from './test-channel.ts';

type Used = Pick<UtilityProcess, 'kill' | 'on' | 'pid' | 'postMessage' | 'stderr' | 'stdout'>;

const parentPort = new URL('./parent-port.ts', import.meta.url).href;

/** After a polite signal Chromium waits so long and then ends the process for good. Milliseconds. */
const PATIENCE = 2_000;

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
    const child = fork(modulePath, args, {
      execArgv: ['--import', parentPort],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      serialization: 'advanced',
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

function utilityOf(child: ChildProcess): Used {
  const events = new EventEmitter();
  child.on('spawn', () => events.emit('spawn'));
  child.on('message', (message) => events.emit('message', message));
  let isGone = false;
  child.on('exit', (code, signal) => {
    try {
      events.emit('exit', code ?? constants.signals[signal ?? 'SIGKILL']);
    } finally {
      // Nobody hears what the process wrote last unless they listen anew; the properties are empty from now on.
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
      // A process that has just died is past hearing; Electron drops the message too.
      if (child.connected) child.send(message as object);
    },
    kill() {
      setTimeout(() => child.kill('SIGKILL'), PATIENCE).unref();
      return child.kill('SIGTERM');
    },
  };
}
