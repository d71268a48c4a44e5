import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json. */
export const projectRoot = fileURLToPath(new URL('..', import.meta.url));

/** The exit code for a program that could not be started at all, as shells have it. */
export const NOT_STARTED = 127;

/**
 * Runs a program in the project's folder until it ends, handing SIGINT, SIGTERM and SIGHUP on to it.
 * Returns its exit code; death by a signal is 128 and the signal's number, as shells have it.
 */
export function run(program: string, args: string[], options: SpawnOptions = {}): Promise<number> {
  const child = spawn(program, args, { cwd: projectRoot, stdio: 'inherit', ...options });
  return endOf(child, (signal) => {
    // A console of Windows that is closed tells each of its programs, and Node can send no such signal there.
    if (signal === 'SIGHUP' && process.platform === 'win32') return;
    // Ctrl+C has reached the child already, as it shares our terminal; a second one would mean "at once".
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  });
}

/** What npm, its shell and a terminal send for one wish comes within this time. Milliseconds. */
const ONE_WISH = 5_000;
/** Interruptions on top of the first within that time, npm's among them, that say: at once. */
const IMPATIENCE = 4;

/**
 * Runs Electron as `run` runs a program. A second interruption would cut it off while its server still stops, so it
 * hears of each wish to end once, and from here alone: in a group of its own the terminal does not reach it. Whoever
 * goes on pressing Ctrl+C, or presses Ctrl+\, ends all of it at once. One that cannot be started counts as ended with
 * `NOT_STARTED`.
 */
export function runElectron(path: string, args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  // Windows would open a console for it. Its console reaches every program by itself, and a signal from here would end
  // it on the spot.
  const isAlone = process.platform !== 'win32';
  const child = spawn(path, args, { cwd: projectRoot, stdio: 'inherit', env, detached: isAlone });
  let last = Number.NEGATIVE_INFINITY;
  let repeated = 0;
  function toAll(signal: NodeJS.Signals): void {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, signal);
  }
  function forward(signal: NodeJS.Signals): void {
    if (!isAlone) return;
    if (signal === 'SIGQUIT') {
      toAll(signal);
      return;
    }
    const now = performance.now();
    // A terminal that is closed leaves nobody to answer what an interruption has asked.
    if (signal !== 'SIGHUP' && now - last < ONE_WISH) {
      if (signal === 'SIGINT') repeated += 1;
      if (repeated >= IMPATIENCE) toAll('SIGKILL');
      return;
    }
    last = now;
    repeated = 0;
    child.kill(signal);
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', ...(isAlone ? (['SIGQUIT'] as const) : [])] as const;
  // A program for another system, or for another C library, is not even begun.
  return endOf(child, forward, signals).catch((error: Error) => {
    process.stderr.write(`Electron could not be started: ${error.message}\n`);
    return NOT_STARTED;
  });
}

/** The exit code of a program; signals that come before its end are handed to `forward`. */
function endOf(
  child: ChildProcess,
  forward: (signal: NodeJS.Signals) => void,
  signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'],
): Promise<number> {
  for (const signal of signals) process.on(signal, forward);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      for (const name of signals) process.off(name, forward);
      resolve(code ?? 128 + constants.signals[signal ?? 'SIGTERM']);
    });
  });
}

/** Runs one of the project's scripts, or a built bundle, with the Node that runs this one. */
export function runScript(path: string, args: string[] = [], options: SpawnOptions = {}): Promise<number> {
  return run(process.execPath, [join(projectRoot, path), ...args], options);
}

/**
 * Flags of the Node that runs the server. By itself it lets what was just made take 134 MB, and under
 * load most of that is rubbish that waits to be cleared.
 */
export const serverFlags: readonly string[] = ['--max-semi-space-size=16'];

/**
 * Runs the built server with these arguments, and returns its exit code. Paths among them are of the folder it is
 * called in.
 */
export function runServer(args: string[]): Promise<number> {
  const bundle = join(projectRoot, 'out/main/server.js');
  return run(process.execPath, [...serverFlags, bundle, ...args], { cwd: process.cwd() });
}

/** Runs the command of an installed package by its script, as `node_modules/.bin` would. */
export function runTool(script: string, args: string[] = [], options: SpawnOptions = {}): Promise<number> {
  return runScript(join('node_modules', script), args, options);
}
