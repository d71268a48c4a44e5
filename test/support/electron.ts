/*
 * The stand-in of Electron, for machines that can have no Electron runtime: the files in electron/ implement just the
 * interfaces that main/ and preload/ use. What only the real Electron can show (test/desktop, `npm run test:desktop`):
 *
 * - isolation: the sandbox of the page's process, and the world of the preload script apart from the page's;
 * - the scheme: that `app:` gives the page a secure origin, storage, history and the code cache, and that the policy
 *   of its pages holds there (here the page has an https origin of its own);
 * - the utility process: its exit codes, its end together with the app, native modules inside it;
 * - the system's key stores behind safeStorage; the dialogs of the system as they look;
 * - Chromium's network stack behind net.request: the system's proxies and certificates;
 * - will-redirect, will-attach-webview, a crash of the page's process and its reload;
 * - windows: showing without a flash, sizes and displays, maximizing, the Dock and `activate`; menus as they look,
 *   their keys and roles; opening a browser or a folder; the packaged app with its fuses.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from 'playwright';
import { freePort } from '../../build/free-port.ts';
import type { Settings } from './electron/settings.ts';
import type { Order, Told } from './electron/test-channel.ts';

const projectRoot = fileURLToPath(new URL('../..', import.meta.url));
const register = new URL('./electron/register.ts', import.meta.url).href;

/** The timeout for each step of a start on a slow machine. Milliseconds. */
const PATIENCE = 60_000;

/** A started desktop app, window or not. */
export interface DesktopProcess {
  readonly pid: number;
  /** All that happened so far. */
  readonly told: readonly Told[];
  /** Resolves to the first matching event, past or future. */
  waitFor<Type extends Told['type']>(
    type: Type,
    fits?: (told: Extract<Told, { type: Type }>) => boolean,
  ): Promise<Extract<Told, { type: Type }>>;
  order(order: Order): void;
  /** The exit code. */
  readonly exited: Promise<number | null>;
  /** Kills it as the system would, without cleanup, and waits until all its processes are gone. */
  kill(): Promise<void>;
  /** Quits like a user and waits for the end. */
  close(): Promise<void>;
  /** The app's log file so far. */
  log(): string;
}

export interface DesktopApp extends DesktopProcess {
  /** The page in the app's window. */
  readonly page: Page;
  /** The process of the server that runs now. */
  serverPid(): number;
}

export type DesktopOptions = Pick<Settings, 'userData'> &
  Partial<Settings> & {
    /** The port that the app tries first; a free one when left out and none was kept before. */
    port?: number;
    /** The app's own arguments. */
    args?: string[];
    /** Beside this process's own environment. */
    env?: NodeJS.ProcessEnv;
  };

/**
 * Starts the built desktop app (out/main/index.js) in a process of its own, on the stand-in of Electron: real
 * Chromium for the page, a real child process for the server. The caller has built before.
 */
export async function startDesktop(options: DesktopOptions): Promise<DesktopProcess> {
  const { userData, port: _port, args = [], env, ...others } = options;
  await choosePort(userData, options.port);
  const settings: Settings = {
    userData,
    keyStore: 'open',
    isPackaged: true,
    platform: 'linux',
    ...others,
  };
  const child = fork(join(projectRoot, 'out/main/index.js'), args, {
    execArgv: ['--import', register],
    env: { ...process.env, ...env, ELECTRON_STAND_IN: JSON.stringify(settings) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return processOf(child, userData);
}

/** Starts the app and waits for its window. */
export async function launchDesktop(options: DesktopOptions): Promise<DesktopApp> {
  const started = await startDesktop(options);
  const window = await Promise.race([
    started.waitFor('window'),
    started.exited.then((code) => {
      throw new Error(`The app ended with code ${code} before it had a window:\n${started.log()}`);
    }),
  ]);
  const browser = await chromium.connectOverCDP(window.endpoint);
  const page = browser
    .contexts()
    .flatMap((context) => context.pages())
    .find((open) => open.url().startsWith('https://waypost.app.test/'));
  if (!page) throw new Error('The window shows another page.');
  // Playwright waits for animations to finish.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  // The stand-in answers what a page asks at its end; without this, Playwright would answer here as well.
  page.on('dialog', () => {});
  return {
    ...started,
    page,
    serverPid() {
      const last = started.told.findLast((told) => told.type === 'server');
      if (!last) throw new Error('No server has been started.');
      return last.pid;
    },
    async close() {
      await started.close();
      await browser.close();
    },
  };
}

/** Tests must not meet on the usual port; what a start before has kept stays. */
async function choosePort(userData: string, port: number | undefined): Promise<void> {
  const file = join(userData, 'preferences.json');
  if (port === undefined && existsSync(file)) return;
  mkdirSync(userData, { recursive: true });
  writeFileSync(file, JSON.stringify({ port: port ?? (await freePort()) }));
}

function processOf(child: ChildProcess, userData: string): DesktopProcess {
  const told: Told[] = [];
  const listeners = new Set<() => void>();
  child.on('message', (message) => {
    told.push(message as Told);
    for (const listener of [...listeners]) listener();
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const log = () => {
    const file = join(userData, 'logs', 'waypost.log');
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  };

  async function kill(): Promise<void> {
    const browser = told.find((one) => one.type === 'browser');
    const browserPid = browser && (await pidOf(browser.endpoint));
    child.kill('SIGKILL');
    await exited;
    const servers = told.flatMap((one) => (one.type === 'server' ? [one.pid] : []));
    // A Chromium whose starter was killed lives on, and keeps the profile from the next start.
    if (browserPid !== undefined && !hasEnded(browserPid)) process.kill(browserPid, 'SIGTERM');
    // Running processes could still write to a folder that is being removed.
    const pids = browserPid === undefined ? servers : [...servers, browserPid];
    await until(() => pids.every(hasEnded));
  }

  /** What has just ended may still count as connected, and gets nothing any more. */
  function send(order: Order): void {
    if (child.connected) child.send(order, () => {});
  }

  return {
    pid: child.pid ?? 0,
    told,
    exited,
    log,
    kill,
    async close() {
      send({ type: 'quit' });
      const timer = setTimeout(() => void kill(), PATIENCE);
      await exited;
      clearTimeout(timer);
    },
    waitFor(type, fits = () => true) {
      type Wanted = Extract<Told, { type: typeof type }>;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          listeners.delete(look);
          reject(new Error(`Nothing like "${type}" happened in ${PATIENCE} ms:\n${log()}`));
        }, PATIENCE);
        listeners.add(look);
        look();
        function look() {
          const found = told.find((one): one is Wanted => one.type === type && fits(one as Wanted));
          if (!found) return;
          clearTimeout(timer);
          listeners.delete(look);
          resolve(found);
        }
      });
    },
    order: send,
  };
}

/** The process id of a running Chromium; undefined when it has just gone. */
async function pidOf(endpoint: string): Promise<number | undefined> {
  try {
    const browser = await chromium.connectOverCDP(endpoint);
    const session = await browser.newBrowserCDPSession();
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    await browser.close();
    return processInfo.find(({ type }) => type === 'browser')?.id;
  } catch {
    // Nothing responds there any more.
    return undefined;
  }
}

/**
 * Whether a process does nothing any more; on Linux it may still have its number until somebody takes note of its end.
 */
function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform === 'linux' && /^\d+ \(.*\) [XZ]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    // There is no such process.
    return true;
  }
}

async function until(isSo: () => boolean): Promise<void> {
  const end = Date.now() + PATIENCE;
  while (!isSo()) {
    if (Date.now() > end) throw new Error('A process of the app that was killed does not end.');
    await pause(20);
  }
}
