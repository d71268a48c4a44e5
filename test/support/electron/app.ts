import { EventEmitter } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from 'electron';
import { closeBrowser, openBrowser } from './browser.ts';
import { closeWindows } from './open-windows.ts';
import { settings } from './settings.ts';
import { onOrder } from './test-channel.ts';

type Used = Pick<
  App,
  | 'enableSandbox'
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
  | 'whenReady'
>;

const events = new EventEmitter();
const lockFile = join(settings.userData, 'stand-in.lock');
let isReady = false;
let isLocked = false;

// As Electron does: ready comes after the entry module has run, never during it.
const ready = new Promise<void>((resolve) => {
  setImmediate(async () => {
    // A second start ends before it shows anything.
    if (!isLocked) return;
    await openBrowser();
    isReady = true;
    resolve();
  });
});

export const app = {
  isPackaged: settings.isPackaged,
  isReady: () => isReady,
  whenReady: () => ready,
  getPath(name) {
    if (name === 'userData') return settings.userData;
    if (name === 'appData') return join(settings.userData, 'stand-in-app-data');
    throw new Error(`The stand-in has no path of the name ${name}.`);
  },
  getVersion: () => '0.0.0-stand-in',
  setAsDefaultProtocolClient: () => true,
  // The tests run as on Linux, where the app writes a file instead.
  getLoginItemSettings() {
    throw new Error('Electron has no login items on Linux.');
  },
  setLoginItemSettings() {
    throw new Error('Electron has no login items on Linux.');
  },
  enableSandbox() {
    if (isReady) throw new Error('app.enableSandbox() can only be called before app is ready.');
  },
  requestSingleInstanceLock() {
    isLocked = takeLock();
    return isLocked;
  },
  quit() {
    void quit();
  },
  // One listener type for every event is what an emitter has; Electron's overloads say which events there are.
  on: events.on.bind(events) as unknown as App['on'],
} satisfies Used;

/** Tells the app that its last window is closed, as Electron does; without a listener it would quit. */
export function lastWindowClosed(): void {
  if (!events.emit('window-all-closed')) void quit();
}

/** The holder's process id in a file; a holder that is dead holds nothing. The second start knocks by a signal. */
function takeLock(): boolean {
  mkdirSync(settings.userData, { recursive: true });
  try {
    writeFileSync(lockFile, `${process.pid}`, { flag: 'wx' });
    return true;
  } catch {
    const holder = Number(readFileSync(lockFile, 'utf8'));
    try {
      process.kill(holder, 'SIGUSR2');
      return false;
    } catch {
      // The holder died without tidying up.
      writeFileSync(lockFile, `${process.pid}`);
      return true;
    }
  }
}

async function quit(): Promise<void> {
  events.emit('before-quit', preventable());
  await closeWindows();
  const event = preventable();
  events.emit('will-quit', event);
  if (event.defaultPrevented) return;
  events.emit('quit', preventable(), 0);
  await closeBrowser();
  process.exit(0);
}

function preventable(): { preventDefault(): void; defaultPrevented: boolean } {
  return {
    defaultPrevented: false,
    preventDefault() {
      this.defaultPrevented = true;
    },
  };
}

// Electron turns these into a proper quit on POSIX systems.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void quit());
process.on('SIGUSR2', () => {
  void ready.then(() => events.emit('second-instance', preventable(), [], '', {}));
});
// A test that died must not leave an app behind.
process.on('disconnect', () => void closeBrowser().finally(() => process.exit(1)));
onOrder((order) => {
  if (order.type === 'quit') void quit();
  if (order.type === 'open-url') events.emit('open-url', preventable(), order.address);
  if (order.type === 'close-window') void closeWindows().then(lastWindowClosed);
});
