import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type LaunchOptions } from 'playwright';

/** Five minutes for a package manager: downloads included, so that a dead mirror cannot hold the tests up. */
const INSTALL_TIMEOUT = 5 * 60_000;

/** What headless Chromium needs to start as root, and to stay quiet on the network. */
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Tests never leave this machine: other names do not resolve.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.*, EXCLUDE [::1]',
];

/** The headless build of Chromium is the same engine without its window, and shows a page in a quarter of the time. */
const chromiums = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/**
 * Finds a Chromium: the one that CHROMIUM_PATH names, one on the path, or Playwright's own.
 * Returns undefined when there is none; provideChromium() then tries to install one.
 */
export function findChromium(): string | undefined {
  const named = process.env.CHROMIUM_PATH;
  if (named) return named;
  for (const name of chromiums) {
    const found = findProgram(name);
    if (found) return found;
  }
  const own = chromium.executablePath();
  return own && existsSync(own) ? own : undefined;
}

/** How Playwright starts the Chromium that findChromium() found. Throws when there is none. */
export function launchOptions(): LaunchOptions {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('There is no Chromium; provideChromium() says why.');
  // Without a locale of Unicode, Chromium calls every file whose name is not ASCII "download".
  const env = { ...process.env, LC_ALL: 'C.UTF-8' };
  return { executablePath, args: flags, chromiumSandbox: false, env };
}

/** Finds or installs Chromium. Returns its path, or undefined after printing what is skipped and why. */
export async function provideChromium(): Promise<string | undefined> {
  if (findChromium()) return findChromium();
  const why = canUseApt()
    ? aptInstall('chromium-headless-shell') && aptInstall('chromium')
    : attempt('npx', ['--no-install', 'playwright', 'install', 'chromium']);
  return findChromium() ?? skipLoudly('Chromium', 'every test in a browser', why);
}

/** Finds or installs a Debian program such as wrk or pebble; like provideChromium(). */
export async function provideProgram(name: string, debianPackage = name): Promise<string | undefined> {
  if (findProgram(name)) return findProgram(name);
  const why = canUseApt()
    ? aptInstall(debianPackage)
    : 'it is not installed, and only root on Debian can install it';
  return findProgram(name) ?? skipLoudly(name, `what needs ${name}`, why);
}

/** Finds or installs pebble, its name server and openssl; false after printing what is skipped and why. */
export async function providePebble(): Promise<boolean> {
  for (const [program, debianPackage] of [
    ['pebble', 'pebble'],
    ['pebble-challtestsrv', 'pebble'],
    ['openssl', 'openssl'],
  ] as const) {
    if ((await provideProgram(program, debianPackage)) === undefined) return false;
  }
  return true;
}

/** The full path of a program on the path, or undefined. */
export function findProgram(name: string): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Absent and forbidden are the same here: this program cannot be run.
    return false;
  }
}

function canUseApt(): boolean {
  return process.getuid?.() === 0 && findProgram('apt-get') !== undefined;
}

function aptInstall(name: string): string | undefined {
  // Test files run two at a time, and each may want a program: apt takes one at a time, so the other one waits. An
  // update that was turned away does not matter, because the first one has made it.
  const turn = `DPkg::Lock::Timeout=${INSTALL_TIMEOUT / 1000}`;
  const stale = attempt('apt-get', ['update', '-q']);
  const failed = attempt('apt-get', ['install', '-q', '-y', '--no-install-recommends', '-o', turn, name]);
  return failed && (stale ?? failed);
}

/** Runs a command quietly. Returns undefined if it succeeded, otherwise the reason. */
function attempt(program: string, args: string[]): string | undefined {
  process.stdout.write(`provision: ${program} ${args.join(' ')}\n`);
  const result = spawnSync(program, args, {
    timeout: INSTALL_TIMEOUT,
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (result.status === 0) return undefined;
  const lastLine = `${result.stderr ?? ''}`.trim().split('\n').at(-1);
  return result.error?.message ?? `${program} ended with ${result.status}: ${lastLine}`;
}

function skipLoudly(what: string, skipped: string, why: string | undefined): undefined {
  process.stdout.write(
    `\nprovision: NO ${what.toUpperCase()}, so ${skipped} is skipped: ${why ?? 'it was not found'}\n\n`,
  );
}
