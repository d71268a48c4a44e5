import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { cannotRun, isNotLoaded } from './electron-runtime.ts';
import { NOT_STARTED, projectRoot } from './processes.ts';

/** How often is looked whether the one before has gone. Milliseconds. */
const LOOK_EVERY = 50;

const folder = join(projectRoot, 'out', 'dev');

/** The file that says of the Electron of the file beside it that it cannot run. */
const refusalBeside = (pidFile: string) => join(dirname(pidFile), 'cannot-run');

/**
 * What electron-vite's environment needs so that one Electron runs at a time. After each change it ends the app and
 * starts the next one in the same breath; the old one still stops its server then and holds the lock of the data
 * folder, so the new one would end at once and the whole command with it. In Electron's place it therefore starts this
 * file, which waits for the one before. Windows ends a process without asking it, so nobody has to be waited for there.
 */
export function oneAtATime(electron: string): Record<string, string> {
  if (process.platform === 'win32') return { ELECTRON_EXEC_PATH: electron };
  mkdirSync(folder, { recursive: true });
  const starter = join(folder, 'electron');
  const pidFile = join(folder, 'electron.pid');
  // Of an earlier day: by now the number may be another program's.
  rmSync(pidFile, { force: true });
  rmSync(refusalBeside(pidFile), { force: true });
  const quoted = [process.execPath, import.meta.filename, electron, pidFile].map(
    (text) => `'${text.replaceAll("'", "'\\''")}'`,
  );
  writeFileSync(starter, `#!/bin/sh\nexec ${quoted.join(' ')} "$@"\n`, { mode: 0o755 });
  return { ELECTRON_EXEC_PATH: starter };
}

/**
 * Whether the command that `oneAtATime` was for, which ended with this code, ended because Electron cannot run on this
 * machine. The code alone does not say so: electron-vite may end with the same, and so may an app that was asked to.
 */
export function couldNotRun(code: number): boolean {
  return process.platform === 'win32'
    ? isNotLoaded(code)
    : existsSync(refusalBeside(join(folder, 'electron.pid')));
}

/**
 * Waits for the Electron whose process id the file has, starts the next one, and ends as it does. One that fails is
 * waited for no longer but until the next change: electron-vite ends the whole command with what it has started. Where
 * Electron cannot run at all no change helps, and the command is to end.
 */
async function startInTurn(electron: string, pidFile: string, args: string[]): Promise<void> {
  let child: ChildProcess | undefined;
  let isAsked = false;
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) {
    process.on(signal, () => {
      isAsked = true;
      if (!child) process.exit(0);
      // A terminal sends Ctrl+C to the child by itself.
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
  // A program for another system, or for another C library, is not even begun.
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
    // A command that was killed tells nobody.
    setInterval(() => process.ppid === ppid || process.exit(1), 1_000);
  });
}

/** The process that a file names, as long as there is one. */
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
