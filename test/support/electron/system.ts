import { EventEmitter } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import type {
  Notification as ElectronNotification,
  Tray as ElectronTray,
  GlobalShortcut,
  NativeImage,
  NotificationConstructorOptions,
  PowerMonitor,
} from 'electron';
import { isAccelerator } from './accelerator.ts';
import { app, mustBeReady } from './app.ts';
import { mayCutOff, mayFail, settings } from './settings.ts';
import { onOrder, tell } from './test-channel.ts';

/** Desktop features besides windows: notifications, a tray, global shortcuts. */

export class Notification implements Pick<ElectronNotification, 'show'> {
  readonly #events = new EventEmitter();
  readonly on = this.#events.on.bind(this.#events) as unknown as ElectronNotification['on'];
  readonly #options: NotificationConstructorOptions;

  constructor(options: NotificationConstructorOptions = {}) {
    mustBeReady('Cannot create Notification before app is ready');
    this.#options = options;
  }

  static isSupported(): boolean {
    return settings.hasNoNotifications !== true;
  }

  show(): void {
    // Electron has nobody then to hand it to, and tells nobody.
    if (settings.hasNoNotifications) return;
    if (settings.refusesNotifications) {
      // Linux says nothing of it.
      if (settings.platform === 'linux') return;
      setImmediate(() =>
        this.#events.emit('failed', {}, 'Notifications are not allowed for this application'),
      );
      return;
    }
    tell({ type: 'notified', title: this.#options.title ?? '', body: this.#options.body ?? '' });
  }
}

/** PNG everywhere, and the icons of Windows there alone (docs, nativeImage, "Supported Formats"). */
function isPicture(path: string): boolean {
  const start = existsSync(path) ? readFileSync(path).toString('hex', 0, 8) : '';
  return start === '89504e470d0a1a0a' || (settings.platform === 'win32' && start.startsWith('00000100'));
}

/** Which file a picture came from. */
const files = new WeakMap<NativeImage, string>();

export const nativeImage = {
  createFromPath(path: string): NativeImage {
    mayFail('nativeImage.createFromPath');
    // Electron silently turns unreadable files into an empty, invisible picture.
    const isEmpty = !isPicture(path) || settings.failing?.includes('pictures') === true;
    const image = { isEmpty: () => isEmpty, setTemplateImage() {} } as unknown as NativeImage;
    files.set(image, path);
    return image;
  },
};

/** Its menu is created by `Menu.buildFromTemplate`, which reports it. */
export class Tray implements Pick<ElectronTray, 'setContextMenu' | 'setToolTip'> {
  readonly #events = new EventEmitter();
  readonly on = this.#events.on.bind(this.#events) as unknown as ElectronTray['on'];

  constructor(image: NativeImage | string) {
    mayFail('Tray');
    if (!app.isReady()) throw new Error('Cannot create Tray before app is ready');
    tell({ type: 'tray', picture: typeof image === 'string' ? image : (files.get(image) ?? '') });
    onOrder((order) => {
      // On macOS this event comes with the menu, on other systems instead of it.
      if (order.type === 'click-tray') this.#events.emit('click', {}, {}, {});
    });
  }

  setContextMenu(): void {}
  setToolTip(): void {}
}

let pressed: (() => void) | undefined;

export const globalShortcut = {
  register(accelerator, callback) {
    mayFail('globalShortcut.register');
    if (!app.isReady()) throw new Error('globalShortcut cannot be used before the app is ready');
    if (!isAccelerator(accelerator)) {
      throw new TypeError(`Error processing argument at index 0, conversion failure from ${accelerator}`);
    }
    if (settings.areKeysTaken) return false;
    pressed = callback;
    tell({ type: 'keys', accelerator });
    return true;
  },
  unregisterAll() {
    if (!app.isReady()) throw new Error('globalShortcut cannot be used before the app is ready');
    pressed = undefined;
    tell({ type: 'keys', accelerator: undefined });
  },
} satisfies Pick<GlobalShortcut, 'register' | 'unregisterAll'>;

const power = new EventEmitter();

export const powerMonitor = {
  on: power.on.bind(power) as unknown as PowerMonitor['on'],
} satisfies Pick<PowerMonitor, 'on'>;

onOrder((order) => {
  if (order.type === 'press-keys') pressed?.();
  // Linux and macOS announce it here, Windows to its windows.
  if (order.type === 'system-ends' && settings.platform !== 'win32') endSystem();
});

/** Electron delays a shutdown for those who ask, for as long as they take to quit. */
function endSystem(): void {
  let isHeldUp = false;
  power.emit('shutdown', {
    preventDefault() {
      isHeldUp = true;
    },
  });
  mayCutOff('end');
  if (!isHeldUp) process.kill(process.pid, 'SIGKILL');
}
