import { mkdirSync } from 'node:fs';

/**
 * What the system's key store is like. `locked` is one that opens later, `refused` one that a person did not let us
 * into; `fixed_key` is Chromium's own way out on Linux: it seals with a key that everyone knows and says nothing of it.
 */
type KeyStore = 'open' | 'locked' | 'basic_text' | 'fixed_key' | 'foreign';

/** How a stand-in is told what to be; set by launchDesktop in the environment of the process it starts. */
export interface Settings {
  userData: string;
  /** Where the stand-in keeps what Electron and Chromium keep, when that cannot be in userData; there when left out. */
  ownFolder?: string;
  keyStore: KeyStore;
  isPackaged: boolean;
  /** The system that the app believes to be on. */
  platform: 'darwin' | 'linux' | 'win32';
  /** An address that the system starts the app with: before it is ready, as on macOS. */
  startAddress?: string;
  /** Whether the system started it because somebody signed in (macOS tells so). */
  wasOpenedAtLogin?: boolean;
  /** What System Settings say of a login item that was asked for (macOS). */
  loginItemStatus?: 'enabled' | 'requires-approval';
  /** Whether somebody has switched the login item off in the Task Manager (Windows), where it stays in the list. */
  isLoginItemSwitchedOff?: boolean;
  /** Whether another program has every combination of keys. */
  areKeysTaken?: boolean;
  /** Whether the system refuses notifications, as macOS does to programs without a signature. */
  refusesNotifications?: boolean;
  /** Whether the system has anything that shows notifications; some Linux sessions have not. */
  hasNoNotifications?: boolean;
  /** So many server processes never come up, as where the system has no memory or no process left. */
  unlaunchedServers?: number;
  /** So many windows have nothing to show, however long one waits. */
  undrawnWindows?: number;
  /** So often the process of a page dies at its start. */
  deadPages?: number;
  /** The system ends without waiting for the app: once it has asked its windows (Windows), or has told of the end. */
  cutOffAt?: 'query' | 'end';
  /** Names of Electron's functions that fail, for tests of what the app does then. */
  failing?: readonly string[];
}

const text = process.env.ELECTRON_STAND_IN;
if (!text) throw new Error('The stand-in of Electron is started by launchDesktop().');

export const settings: Settings = JSON.parse(text);
/** Where the stand-in keeps files of its own. */
export const ownFolder = settings.ownFolder ?? settings.userData;
mkdirSync(ownFolder, { recursive: true });
mkdirSync(settings.userData, { recursive: true });
// What the app asks when it wants to know where it runs; Node itself has long decided.
Object.defineProperty(process, 'platform', { value: settings.platform });

/** The system ends everything that has come this far, at once. */
export function mayCutOff(at: Settings['cutOffAt']): void {
  if (settings.cutOffAt === at) process.kill(process.pid, 'SIGKILL');
}

/** Fails where the test wants this function of Electron to fail. */
export function mayFail(name: string): void {
  if (settings.failing?.includes(name)) throw new Error(`The stand-in was told to fail at ${name}.`);
}
