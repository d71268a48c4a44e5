import { mkdirSync } from 'node:fs';

/**
 * The state of the system's key store. `locked` opens later, `refused` was denied by the user; `fixed_key` is
 * Chromium's fallback on Linux: it encrypts with a publicly known key without saying so.
 */
type KeyStore = 'open' | 'locked' | 'basic_text' | 'fixed_key' | 'foreign';

/** The configuration of the fake; set by launchDesktop in the environment of the process. */
export interface Settings {
  userData: string;
  /** Where the fake stores the files of Electron and Chromium if that cannot be userData; userData by default. */
  ownFolder?: string;
  keyStore: KeyStore;
  isPackaged: boolean;
  /** The platform reported to the app. */
  platform: 'darwin' | 'linux' | 'win32';
  /** A URL that the system starts the app with: before it is ready, as on macOS. */
  startAddress?: string;
  /** Whether the system started it at sign-in (reported by macOS). */
  wasOpenedAtLogin?: boolean;
  /** The status of a requested login item in System Settings (macOS). */
  loginItemStatus?: 'enabled' | 'requires-approval';
  /** Whether the login item is disabled in the Task Manager (Windows), where it stays in the list. */
  isLoginItemSwitchedOff?: boolean;
  /** Whether other programs use all shortcuts. */
  areKeysTaken?: boolean;
  /** Whether the system refuses notifications, as macOS does to programs without a signature. */
  refusesNotifications?: boolean;
  /** Whether the system has anything that shows notifications; some Linux sessions have not. */
  hasNoNotifications?: boolean;
  /** The number of server processes that never start, as when the system has no memory or processes left. */
  unlaunchedServers?: number;
  /** The number of windows that never have content. */
  undrawnWindows?: number;
  /** How often a page's process dies at its start. */
  deadPages?: number;
  /** The system shuts down without waiting for the app: after asking its windows (Windows), or after announcing it. */
  cutOffAt?: 'query' | 'end';
  /** Names of Electron functions that fail, for tests of the app's reaction. */
  failing?: readonly string[];
}

const text = process.env.ELECTRON_STAND_IN;
if (!text) throw new Error('The stand-in of Electron is started by launchDesktop().');

export const settings: Settings = JSON.parse(text);
/** The folder for the fake's own files. */
export const ownFolder = settings.ownFolder ?? settings.userData;
mkdirSync(ownFolder, { recursive: true });
mkdirSync(settings.userData, { recursive: true });
// The platform that the app sees; Node itself decided long before.
Object.defineProperty(process, 'platform', { value: settings.platform });

/** The system ends everything that has come this far, at once. */
export function mayCutOff(at: Settings['cutOffAt']): void {
  if (settings.cutOffAt === at) process.kill(process.pid, 'SIGKILL');
}

/** Throws if the test wants this Electron function to fail. */
export function mayFail(name: string): void {
  if (settings.failing?.includes(name)) throw new Error(`The stand-in was told to fail at ${name}.`);
}
