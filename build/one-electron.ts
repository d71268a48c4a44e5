import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { cannotRun, isNotLoaded } from './electron-runtime.ts';
import { NOT_STARTED, projectRoot } from './processes.ts';

/** Polling interval for the exit of the previous process. Milliseconds. */
const LOOK_EVERY = 50;

const folder = join(projectRoot, 'out', 'dev');

/** A marker file beside the pid file, created if Electron cannot run. */
const refusalBeside = (pidFile: string) => join(dirname(pidFile), 'cannot-run');

/**
 * Environment variables that make electron-vite run one Electron at a time. After each change it kills the app and
 * starts the next one immediately, while the old one is still stopping its server and holds the data folder's lock; the
 * new one would exit, and with it the whole command. So electron-vite starts this file instead of Electron, which waits
 * for the previous process. On Windows processes are killed immediately, so there is nothing to wait for.
 */
export function oneAtATime(electron: string): Record<string, string> {
  if (process.platform === 'win32') return { ELECTRON_EXEC_PATH: electron };
  mkdirSync(folder, { recursive: true });
  const starter = join(folder, 'electron');
  const pidFile = join(folder, 'electron.pid');
  // A stale pid may belong to another program by now.
  rmSync(pidFile, { force: true });
  rmSync(refusalBeside(pidFile), { force: true });
  const quoted = [process.execPath, import.meta.filename, electron, pidFile].map(
    (text) => `'${text.replaceAll("'", "'\\''")}'`,
  );
  writeFileSync(starter, `#!/bin/sh\nexec ${quoted.join(' ')} "$@"\n`, { mode: 0o755 });
  return { ELECTRON_EXEC_PATH: starter };
}

/**
 * Whether electron-vite, started with the environment of `oneAtATime`, exited with this code because Electron cannot
 * run on this machine. The code alone is ambiguous: electron-vite itself or the app may exit with the same one.
 */
export function couldNotRun(code: number): boolean {
  return process.platform === 'win32'
    ? isNotLoaded(code)
    : existsSync(refusalBeside(join(folder, 'electron.pid')));
}

/**
 * Waits for the Electron whose process id is in the file, starts the next one, and exits with its exit code. If the app
 * fails, it waits for the next change instead, because electron-vite would end the whole command. If Electron cannot
 * run at all, the command ends.
 */
async function startInTurn(electron: string, pidFile: string, args: string[]): Promise<void> {
  let child: ChildProcess | undefined;
  let isAsked = false;
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) {
    process.on(signal, () => {
      isAsked = true;
      if (!child) process.exit(0);
      // In a terminal, Ctrl+C reaches the child directly.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  const isFirst = !existsSync(pidFile);
  for (let before = runningPid(pidFile); before; before = runningPid(pidFile)) await pause(LOOK_EVERY);
  const began = Date.now();
  child = spawn(electron, args, { stdio: 'inherit' });
  writeFileSync(pidFile, String(child.pid ?? ''));
  function giveUp(code: number): void {
    writeFileSync(refusalBeside(pidFile), String(code));
    process.exit(code);
  }
  // The executable is for another system or C library.
  child.once('error', (error) => {
    process.stderr.write(`Electron could not be started: ${error.message}\n`);
    giveUp(NOT_STARTED);
  });
  child.once('exit', (code, signal) => {
    if (code === 0 || isAsked) process.exit(code ?? 1);
    const ended = code ?? 128 + constants.signals[signal ?? 'SIGTERM'];
    if (isFirst && cannotRun(ended, Date.now() - began)) giveUp(ended);
    child = undefined;
    process.stderr.write(`The app ended (exit code ${code ?? signal}). Save a change to start it again.\n`);
    const { ppid } = process;
    // Exit if the parent process was killed, which sends no signal.
    setInterval(() => process.ppid === ppid || process.exit(1), 1_000);
  });
}

/** The pid in a file if that process is running. */
function runningPid(file: string): number | undefined {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    if (!pid) return undefined;
    process.kill(pid, 0);
    return pid;
  } catch {
    // No file, or no such process.
    return undefined;
  }
}

if (import.meta.main) {
  const [electron = '', pidFile = '', ...args] = process.argv.slice(2);
  await startInTurn(electron, pidFile, args);
}
