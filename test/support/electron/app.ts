import { EventEmitter } from 'node:events';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App, Details, LoginItemSettings, Settings as LoginSettings } from 'electron';
import { closeBrowser, openBrowser } from './browser.ts';
import { closeWindows, hasWindows } from './open-windows.ts';
import { mayFail, settings } from './settings.ts';
import { onOrder, tell } from './test-channel.ts';

type Used = Pick<
  App,
  | 'commandLine'
  | 'enableSandbox'
  | 'exit'
  | 'getLoginItemSettings'
  | 'getPath'
  | 'getVersion'
  | 'isPackaged'
  | 'isReady'
  | 'on'
  | 'quit'
  | 'requestSingleInstanceLock'
  | 'setAsDefaultProtocolClient'
  | 'setLoginItemSettings'
  | 'setPath'
  | 'whenReady'
>;

const events = new EventEmitter();
const paths: Record<string, string> = {
  userData: settings.userData,
  appData: join(settings.userData, 'stand-in-app-data'),
};
let isReady = false;
let isLocked = false;
let isQuitting = false;
let signals = 0;
let isSandboxEnabled = false;

const lockFile = () => join(settings.ownFolder ?? paths.userData ?? '', 'stand-in.lock');
const argumentsFile = () => join(settings.ownFolder ?? paths.userData ?? '', 'stand-in.arguments.json');

// Like Electron: ready comes after the entry module has run, never during it; what the system wants opened at the start
// is announced before that, once, to current listeners.
const ready = new Promise<void>((resolve) => {
  setImmediate(async () => {
    // A second start that quits ends before it shows anything; one that does not goes on.
    if (isQuitting) return;
    if (settings.startAddress !== undefined && settings.platform === 'darwin')
      events.emit('open-url', preventable(), settings.startAddress);
    await openBrowser();
    isReady = true;
    events.emit('ready', preventable(), {});
    resolve();
  });
});

export const app = {
  isPackaged: settings.isPackaged,
  isReady: () => isReady,
  whenReady: () => ready,
  getPath(name) {
    const path = paths[name];
    if (path === undefined) throw new Error(`Failed to get '${name}' path`);
    return path;
  },
  setPath(name, path) {
    if (!(name in paths)) throw new Error(`Failed to set path for '${name}'`);
    if (!existsSync(path)) throw new Error(`The folder ${path} does not exist.`);
    paths[name] = path;
    tell({ type: 'path', name, path });
  },
  getVersion: () => '0.0.0-stand-in',
  // The system passes such addresses to the running executable: to a bare Electron when running from source.
  setAsDefaultProtocolClient(scheme) {
    mayFail('app.setAsDefaultProtocolClient');
    if (!/^[a-z][a-z\d+.-]*$/i.test(scheme)) return false;
    tell({ type: 'scheme', scheme });
    // Linux needs a desktop entry for it, which only installed programs have.
    return settings.platform !== 'linux' || settings.isPackaged;
  },
  getLoginItemSettings(options = {}) {
    mayFail('app.getLoginItemSettings');
    if (settings.platform === 'linux') throw new Error('Electron has no login items on Linux.');
    const items = loginItems();
    // Windows compares the whole command line; macOS knows the app and nothing of arguments.
    const wanted = settings.platform === 'win32' ? (options.args ?? []).join(' ') : '';
    const openAtLogin = items.includes(wanted) && settings.loginItemStatus !== 'requires-approval';
    return {
      openAtLogin,
      wasOpenedAtLogin: settings.platform === 'darwin' && settings.wasOpenedAtLogin === true,
      status: items.includes(wanted) ? (settings.loginItemStatus ?? 'enabled') : 'not-registered',
      executableWillLaunchAtLogin: items.length > 0 && !settings.isLoginItemSwitchedOff,
      launchItems: [],
    } as LoginItemSettings;
  },
  setLoginItemSettings(chosen: LoginSettings) {
    mayFail('app.setLoginItemSettings');
    if (settings.platform === 'linux') throw new Error('Electron has no login items on Linux.');
    const item = settings.platform === 'win32' ? (chosen.args ?? []).join(' ') : '';
    const others = loginItems().filter((known) => known !== item);
    writeFileSync(loginFile(), JSON.stringify(chosen.openAtLogin ? [...others, item] : others));
  },
  commandLine: {
    hasSwitch: (name: string) =>
      switches().some((argument) => argument === `--${name}` || argument.startsWith(`--${name}=`)),
  } as App['commandLine'],
  enableSandbox() {
    if (isReady) throw new Error('app.enableSandbox() can only be called before app is ready.');
    isSandboxEnabled = true;
  },
  requestSingleInstanceLock() {
    isLocked = takeLock();
    return isLocked;
  },
  exit(code = 0) {
    tell({ type: 'exit', code });
    void closeBrowser().finally(() => process.exit(code));
  },
  quit,
  // An emitter has one listener type for all events; Electron's overloads list the events.
  on: events.on.bind(events) as unknown as App['on'],
  // These two exist on Windows only, and so do their uses.
  ...(settings.platform === 'win32' && {
    setAppUserModelId: (id: string) => tell({ type: 'identity', name: 'app', id }),
    setToastActivatorCLSID(id: string) {
      if (!/^\{?[\dA-F]{8}(-[\dA-F]{4}){3}-[\dA-F]{12}\}?$/i.test(id))
        throw new Error('Invalid CLSID format');
      tell({ type: 'identity', name: 'toast', id });
    },
  }),
} satisfies Used;

/** Throws, like most of Electron, if used before the app is ready. */
export function mustBeReady(message: string): void {
  if (!isReady) throw new Error(message);
}

/**
 * Whether the page's processes start at all: if the sandbox is disabled for the process that creates them, it cannot be
 * enabled for them afterwards, and they die at their start.
 */
export function canStartPages(): boolean {
  return !(isSandboxEnabled && app.commandLine.hasSwitch('no-sandbox'));
}

/** Notifies the app that one of its processes, other than a page's, ended unexpectedly. */
export function childGone(details: Pick<Details, 'exitCode' | 'name' | 'reason'>): void {
  events.emit('child-process-gone', preventable(), { type: 'Utility', ...details } satisfies Details);
}

/** Notifies the app that its last window is closed, like Electron; without a listener it would quit. */
export function lastWindowClosed(): void {
  if (hasWindows()) return;
  // While the app quits, that event does not come.
  if (isQuitting) void shutDown();
  else if (!events.emit('window-all-closed')) quit();
}

/** A page that stays keeps the app: the requested quit is cancelled. */
export function closeCancelled(): void {
  isQuitting = false;
}

/**
 * The lock is a file with the owner's process id; a dead owner holds nothing. The second start leaves its arguments
 * there and sends a signal.
 */
function takeLock(): boolean {
  try {
    // Chromium creates a file there; if it cannot, the result is the same as for a second start.
    mkdirSync(paths.userData ?? '', { recursive: true });
    accessSync(paths.userData ?? '', constants.W_OK);
  } catch {
    return false;
  }
  try {
    writeFileSync(lockFile(), `${process.pid}`, { flag: 'wx' });
    return true;
  } catch {
    const holder = Number(readFileSync(lockFile(), 'utf8'));
    writeFileSync(argumentsFile(), JSON.stringify(process.argv));
    try {
      process.kill(holder, 'SIGUSR2');
      return false;
    } catch {
      // The owner died without cleanup.
      writeFileSync(lockFile(), `${process.pid}`);
      return true;
    }
  }
}

function quit(): void {
  if (isQuitting) return;
  isQuitting = true;
  const before = preventable();
  events.emit('before-quit', before);
  if (before.defaultPrevented) {
    isQuitting = false;
    return;
  }
  if (hasWindows()) closeWindows();
  else void shutDown();
}

async function shutDown(): Promise<void> {
  const event = preventable();
  tell({ type: 'quitting' });
  events.emit('will-quit', event);
  if (event.defaultPrevented) {
    // A prevented quit is cancelled; the app has to quit again.
    isQuitting = false;
    return;
  }
  events.emit('quit', preventable(), 0);
  await closeBrowser();
  process.exit(0);
}

/**
 * Chromium forwards a second start's arguments in its own order, with its own switches (docs, app, "second-instance").
 */
function chromiumOrder([program = '', ...args]: string[]): string[] {
  const isSwitch = (text: string) => text.startsWith('-');
  return [
    program,
    '--allow-file-access-from-files',
    ...args.filter(isSwitch),
    '--original-process-start-time=13412345678901234',
    ...args.filter((text) => !isSwitch(text)),
  ];
}

/** Chromium's switches: nothing after a bare `--`. */
function switches(): string[] {
  const end = process.argv.indexOf('--');
  return end === -1 ? process.argv : process.argv.slice(0, end);
}

function loginFile(): string {
  return join(settings.userData, 'stand-in-login-items.json');
}

function loginItems(): string[] {
  return existsSync(loginFile()) ? JSON.parse(readFileSync(loginFile(), 'utf8')) : [];
}

function preventable(): { preventDefault(): void; defaultPrevented: boolean } {
  return {
    defaultPrevented: false,
    preventDefault() {
      this.defaultPrevented = true;
    },
  };
}

// On POSIX systems, Electron turns the first signal into a quit, and exits at the second. It replaces earlier handlers
// when it becomes ready; later ones replace its own.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (process.listenerCount(signal) > 1) return;
    signals += 1;
    if (signals > 1) process.kill(process.pid, 'SIGKILL');
    quit();
  });
}
process.on('SIGUSR2', () => {
  const args: string[] = JSON.parse(readFileSync(argumentsFile(), 'utf8'));
  void ready.then(() => events.emit('second-instance', preventable(), chromiumOrder(args), '', {}));
});
// Electron keeps running after both: it shows its own dialog for the first, unless there is a listener, and writes a
// line to the terminal for the second.
process.on('uncaughtException', (error) => {
  if (process.listenerCount('uncaughtException') > 1) return;
  tell({ type: 'uncaught', message: `${error.stack}` });
});
process.on('unhandledRejection', (error) => {
  tell({ type: 'unhandled', message: error instanceof Error ? `${error.stack}` : String(error) });
});
// A test that died must not leave an app behind.
process.on('disconnect', () => void closeBrowser().finally(() => process.exit(1)));
onOrder((order) => {
  if (order.type === 'quit') quit();
  // Nobody else has these.
  if (settings.platform === 'darwin') {
    if (order.type === 'open-url') events.emit('open-url', preventable(), order.address);
    if (order.type === 'activate') events.emit('activate', preventable(), false);
  }
  if (order.type === 'close-window') closeWindows();
});
