import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { NOT_STARTED } from './processes.ts';

/** Exit codes of an Electron that fails before running our code: missing libraries or no usable sandbox. */
const CANNOT_START = [NOT_STARTED, 128 + 5, 128 + 6];

/**
 * The same on Windows: loader errors for a DLL that is missing, lacks an entry point or is for another processor
 * (ntstatus.h).
 */
const NOT_LOADED = [0xc0000135, 0xc0000139, 0xc000007b];

/** A process that ran longer than this counts as started. Milliseconds. */
const STARTED_AFTER = 5_000;

/** The path of Electron, or the reason why it cannot show a window here. */
export type ElectronRuntime = { path: string } | { reason: string };

const electronFolder = dirname(fileURLToPath(import.meta.resolve('electron/package.json')));

/** Cancel the download if the host does not respond within this time; a cached download is faster. Milliseconds. */
const ANSWER_TIMEOUT = 10_000;

/** Allows for 100 MB on a slow connection. Milliseconds. */
const DOWNLOAD_TIMEOUT = 15 * 60_000;

/** Whether windows can be shown: always on macOS and Windows, elsewhere with X11 or Wayland. */
export function hasDisplay(): boolean {
  if (process.platform === 'darwin' || process.platform === 'win32') return true;
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/** The installed Electron, without downloading anything; for tests. */
export function findElectron(): ElectronRuntime {
  if (!hasDisplay()) return { reason: 'there is no display (DISPLAY and WAYLAND_DISPLAY are empty)' };
  const path = installedPath();
  return path ? { path } : { reason: 'the Electron runtime is not installed' };
}

/**
 * The installed Electron, or after a download by its own installer: the package does not include the executable. If the
 * download host does not respond, returns the reason within about ten seconds.
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

/** Whether `--no-sandbox` is required: on Linux, Chromium refuses to run sandboxed as root. */
export function mustRunUnsandboxed(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0;
}

/** Whether an Electron that exited with this code after so many milliseconds cannot run on this machine. */
export function cannotRun(code: number, after: number, platform = process.platform): boolean {
  if (isNotLoaded(code, platform)) return true;
  const codes = platform === 'win32' ? [NOT_STARTED] : CANNOT_START;
  return codes.includes(code) && after < STARTED_AFTER;
}

/** Whether the exit code means that the executable was not loaded. Only Windows has such codes. */
export function isNotLoaded(code: number, platform = process.platform): boolean {
  return platform === 'win32' && NOT_LOADED.includes(code);
}

/** The executable installed by the package's installer, if its version is the required one. */
function installedPath(): string | undefined {
  const dist = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  const name = readIfThere(join(electronFolder, 'path.txt'));
  if (dist) return existing(join(dist, name ?? 'electron'));
  const installed = readIfThere(join(electronFolder, 'dist', 'version'))?.replace(/^v/, '');
  return name && installed === wantedVersion() ? existing(join(electronFolder, 'dist', name)) : undefined;
}

interface Installation {
  /** The folder of the package, which contains install.js. */
  folder: string;
  hostAnswers(): Promise<boolean>;
  /** Resolves when a host that has not responded yet counts as unreachable. */
  silence(signal: AbortSignal): Promise<unknown>;
}

/** Runs the package's own installer, which handles mirrors, caches and checksums. Returns the reason of a failure. */
export async function installRuntime({
  folder,
  hostAnswers,
  silence,
}: Installation): Promise<string | undefined> {
  const began = Date.now();
  const installer = spawn(process.execPath, [join(folder, 'install.js')], {
    stdio: ['ignore', 'inherit', 'pipe'],
    // Use the environment's proxies for the download.
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
  // The installer has no timeout for an unresponsive host, so check the host here.
  void hostAnswers().then((answers) => {
    answered = answers;
  });
  void silence(signal).then(
    () => {
      // While unpacking, the download is complete, and a slow disk may take its time.
      if (!answered && !hasBegunToUnpack(folder, began)) giveUp('the download host does not answer');
    },
    // The installer has already finished.
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

/** Whether the installer has written to `dist` since the given time; files of an older version do not count. */
function hasBegunToUnpack(folder: string, since: number): boolean {
  const dist = statSync(join(folder, 'dist'), { throwIfNoEntry: false });
  return dist !== undefined && dist.mtimeMs >= since;
}

/** Whether the download host responds at all. */
async function hostAnswers(): Promise<boolean> {
  // The installer uses the proxy, but this process does not: rely on the installer's timeout.
  if (process.env.HTTPS_PROXY || process.env.https_proxy) return true;
  const mirror = process.env.ELECTRON_MIRROR || process.env.npm_config_electron_mirror;
  const version = `v${wantedVersion()}`;
  const file = `electron-${version}-${process.platform}-${process.arch}.zip`;
  const address = `${mirror || 'https://github.com/electron/electron/releases/download/'}${version}/${file}`;
  try {
    await fetch(address, { method: 'HEAD', signal: AbortSignal.timeout(ANSWER_TIMEOUT) });
    return true;
  } catch {
    // Not resolved, no route or no response: the installer reports which.
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

// `npm run electron`: installs the runtime for tests and packages, or prints why that failed.
if (import.meta.main) {
  const runtime = await provideElectron();
  process.stdout.write('path' in runtime ? `${runtime.path}\n` : `No Electron, because ${runtime.reason}.\n`);
  process.exitCode = 'path' in runtime ? 0 : 1;
}
