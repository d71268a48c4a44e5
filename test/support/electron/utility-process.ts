import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { constants } from 'node:os';
import type { UtilityProcess } from 'electron';
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
    if (options.stdio !== 'pipe') throw new Error('The stand-in knows stdio: "pipe" only.');
    const child = fork(modulePath, args, {
      execArgv: ['--import', parentPort],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      serialization: 'advanced',
    });
    tell({ type: 'server', pid: child.pid ?? 0 });
    return utilityOf(child);
  },
};

function utilityOf(child: ChildProcess): Used {
  const events = new EventEmitter();
  child.on('spawn', () => events.emit('spawn'));
  child.on('message', (message) => events.emit('message', message));
  child.on('exit', (code, signal) => events.emit('exit', code ?? constants.signals[signal ?? 'SIGKILL']));
  return {
    on: events.on.bind(events) as unknown as UtilityProcess['on'],
    get pid() {
      return child.exitCode === null && child.signalCode === null ? child.pid : undefined;
    },
    stdout: child.stdout,
    stderr: child.stderr,
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
