import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json. */
export const projectRoot = fileURLToPath(new URL('..', import.meta.url));

/** Exit code for a program that could not be started, as in shells. */
export const NOT_STARTED = 127;

/**
 * Runs a program in the project folder until it exits, forwarding SIGINT, SIGTERM and SIGHUP. Returns its exit code;
 * for a signal that is 128 plus the signal's number, as in shells.
 */
export function run(program: string, args: string[], options: SpawnOptions = {}): Promise<number> {
  const child = spawn(program, args, { cwd: projectRoot, stdio: 'inherit', ...options });
  return endOf(child, (signal) => {
    // When a Windows console closes, it notifies each program itself, and Node cannot send the signal.
    if (signal === 'SIGHUP' && process.platform === 'win32') return;
    // In a terminal, Ctrl+C already reaches the child; a second SIGINT would force it to exit.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  });
}

/** Signals from npm, its shell and the terminal within this time count as one. Milliseconds. */
const ONE_WISH = 5_000;
/** Number of additional interrupts within that time that force an immediate exit, npm's among them. */
const IMPATIENCE = 4;

/**
 * Like `run`, for Electron. A second interrupt would kill it while its server is stopping, so repeated signals are
 * merged, and it runs in its own process group, which the terminal does not signal. Pressing Ctrl+C repeatedly, or
 * Ctrl+\, kills everything at once. Returns `NOT_STARTED` if it cannot be started.
 */
export function runElectron(path: string, args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  // On Windows, detaching would open a console. The console signals all programs itself, and a signal from here would
  // kill it.
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
    // A closed terminal means that nobody can answer a question raised by an interrupt.
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
  // The executable is for another system or C library.
  return endOf(child, forward, signals).catch((error: Error) => {
    process.stderr.write(`Electron could not be started: ${error.message}\n`);
    return NOT_STARTED;
  });
}

/** Resolves to a program's exit code; signals received before are passed to `forward`. */
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

/** Runs a project script or a built bundle with the current Node. */
export function runScript(path: string, args: string[] = [], options: SpawnOptions = {}): Promise<number> {
  return run(process.execPath, [join(projectRoot, path), ...args], options);
}

/**
 * Flags of the Node that runs the server. By default the young generation grows to 134 MB, most of which is garbage
 * under load.
 */
export const serverFlags: readonly string[] = ['--max-semi-space-size=16'];

/**
 * What the Node that runs the server finds in its environment. The allocator of most Linux systems raises this limit
 * with every large block that is freed, and from then on keeps those of statistics instead of giving them back.
 */
export const serverEnvironment = { MALLOC_MMAP_THRESHOLD_: '131072' } as const;

/**
 * Runs the built server with these arguments and returns its exit code. Relative paths are resolved against the
 * caller's folder.
 */
export function runServer(args: string[]): Promise<number> {
  const bundle = join(projectRoot, 'out/main/server.js');
  const env = { ...process.env, ...serverEnvironment };
  return run(process.execPath, [...serverFlags, bundle, ...args], { cwd: process.cwd(), env });
}

/** Runs the command of an installed package by its script, as `node_modules/.bin` would. */
export function runTool(script: string, args: string[] = [], options: SpawnOptions = {}): Promise<number> {
  return runScript(join('node_modules', script), args, options);
}
