import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { NOT_STARTED } from './processes.ts';

/** Exit codes with which Electron dies before any of our code runs: missing libraries, no usable sandbox. */
const CANNOT_START = [NOT_STARTED, 128 + 5, 128 + 6];

/**
 * The same on Windows, whose loader gives these before a program's first line: a library that is missing, is without
 * what is wanted of it, or is made for another processor (ntstatus.h).
 */
const NOT_LOADED = [0xc0000135, 0xc0000139, 0xc000007b];

/** A start that fails later than this was a start. Milliseconds. */
const STARTED_AFTER = 5_000;

/** Where Electron is, or why it cannot show a window here. */
export type ElectronRuntime = { path: string } | { reason: string };

const electronFolder = dirname(fileURLToPath(import.meta.resolve('electron/package.json')));

/** Without any answer of the download host for so long, the download is given up; a cached one is quicker. */
const ANSWER_TIMEOUT = 10_000;

/** A hundred megabytes on a slow line. */
const DOWNLOAD_TIMEOUT = 15 * 60_000;

/** Whether windows can be shown: macOS and Windows always can, others need X11 or Wayland. */
export function hasDisplay(): boolean {
  if (process.platform === 'darwin' || process.platform === 'win32') return true;
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/** The Electron that is installed, without downloading anything; for tests. */
export function findElectron(): ElectronRuntime {
  if (!hasDisplay()) return { reason: 'there is no display (DISPLAY and WAYLAND_DISPLAY are empty)' };
  const path = installedPath();
  return path ? { path } : { reason: 'the Electron runtime is not installed' };
}

/**
 * The installed Electron, or the one that its own installer downloads now: the package brings none along.
 * When the download host does not answer, the reason comes back within about ten seconds.
 */
export async function provideElectron(): Promise<ElectronRuntime> {
  const found = findElectron();
  if ('path' in found || !hasDisplay()) return found;
  process.stderr.write('Downloading the Electron runtime (about 110 MB, once)…\n');
  const reason = await installRuntime({
    folder: electronFolder,
    hostAnswers,
    silence: (signal) => pause(ANSWER_TIMEOUT, undefined, { signal }),
  });
  if (reason) return { reason: `the Electron runtime could not be downloaded (${reason})` };
  return findElectron();
}

/** Chromium sandboxes no page for root on Linux, and without this flag would refuse to start. */
export function mustRunUnsandboxed(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0;
}

/** Whether Electron, which ended with this code after so many milliseconds, cannot run on this machine at all. */
export function cannotRun(code: number, after: number, platform = process.platform): boolean {
  if (isNotLoaded(code, platform)) return true;
  const codes = platform === 'win32' ? [NOT_STARTED] : CANNOT_START;
  return codes.includes(code) && after < STARTED_AFTER;
}

/** Whether a program that ended with this code was never loaded. Windows alone says so; no program ends so later on. */
export function isNotLoaded(code: number, platform = process.platform): boolean {
  return platform === 'win32' && NOT_LOADED.includes(code);
}

/** The executable that the package's installer left behind, when it is of the version that is wanted. */
function installedPath(): string | undefined {
  const dist = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  const name = readIfThere(join(electronFolder, 'path.txt'));
  if (dist) return existing(join(dist, name ?? 'electron'));
  const installed = readIfThere(join(electronFolder, 'dist', 'version'))?.replace(/^v/, '');
  return name && installed === wantedVersion() ? existing(join(electronFolder, 'dist', name)) : undefined;
}

interface Installation {
  /** Where the package is, with its install.js. */
  folder: string;
  hostAnswers(): Promise<boolean>;
  /** Resolves when a host that has not answered by then counts as silent. */
  silence(signal: AbortSignal): Promise<unknown>;
}

/** Runs the package's own installer, which knows mirrors, caches and checksums. Returns why it failed, if so. */
export async function installRuntime({
  folder,
  hostAnswers,
  silence,
}: Installation): Promise<string | undefined> {
  const began = Date.now();
  const installer = spawn(process.execPath, [join(folder, 'install.js')], {
    stdio: ['ignore', 'inherit', 'pipe'],
    // Proxies of the environment count for the download as for every other program.
    env: { ...process.env, NODE_USE_ENV_PROXY: '1' },
  });
  let errors = '';
  installer.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  let gaveUp: string | undefined;
  const giveUp = (why: string) => {
    gaveUp = why;
    installer.kill();
  };
  const ended = new AbortController();
  const { signal } = ended;
  const timer = setTimeout(() => giveUp('it took too long'), DOWNLOAD_TIMEOUT);
  let answered = false;
  // The installer would wait for a silent host without end, so ask the host whether it is there.
  void hostAnswers().then((answers) => {
    answered = answers;
  });
  void silence(signal).then(
    () => {
      // What is being unpacked is here already, from the cache or the host, and a slow disk may take its time.
      if (!answered && !hasBegunToUnpack(folder, began)) giveUp('the download host does not answer');
    },
    // The installer has ended before.
    () => {},
  );
  const code = await new Promise((resolve) => installer.once('close', resolve));
  clearTimeout(timer);
  ended.abort();
  if (code === 0) return undefined;
  return (
    gaveUp ??
    errors
      .trim()
      .split('\n')[0]
      ?.replace(/^\w*Error: /, '') ??
    `exit code ${code}`
  );
}

/** Whether the installer has written into `dist` since; what an older version left there does not count. */
function hasBegunToUnpack(folder: string, since: number): boolean {
  const dist = statSync(join(folder, 'dist'), { throwIfNoEntry: false });
  return dist !== undefined && dist.mtimeMs >= since;
}

/** Whether the host that the runtime comes from gives any answer at all. */
async function hostAnswers(): Promise<boolean> {
  // The installer goes through the proxy, which this program does not: leave it to the installer's own limit.
  if (process.env.HTTPS_PROXY || process.env.https_proxy) return true;
  const mirror = process.env.ELECTRON_MIRROR || process.env.npm_config_electron_mirror;
  const version = `v${wantedVersion()}`;
  const file = `electron-${version}-${process.platform}-${process.arch}.zip`;
  const address = `${mirror || 'https://github.com/electron/electron/releases/download/'}${version}/${file}`;
  try {
    await fetch(address, { method: 'HEAD', signal: AbortSignal.timeout(ANSWER_TIMEOUT) });
    return true;
  } catch {
    // No name, no route or no answer: the installer will say or has said which.
    return false;
  }
}

function wantedVersion(): string {
  return JSON.parse(readFileSync(join(electronFolder, 'package.json'), 'utf8')).version;
}

function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

function existing(path: string): string | undefined {
  return existsSync(path) ? path : undefined;
}

// `npm run electron`: has the runtime there for tests and packages, or says why not.
if (import.meta.main) {
  const runtime = await provideElectron();
  process.stdout.write('path' in runtime ? `${runtime.path}\n` : `No Electron, because ${runtime.reason}.\n`);
  process.exitCode = 'path' in runtime ? 0 : 1;
}
