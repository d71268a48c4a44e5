import { existsSync } from 'node:fs';
import type {
  Notification as ElectronNotification,
  Tray as ElectronTray,
  GlobalShortcut,
  NativeImage,
  NotificationConstructorOptions,
} from 'electron';
import { onOrder, tell } from './test-channel.ts';

/** What a desktop has around its windows: notifications, a tray, keys for all programs. */

export class Notification implements Pick<ElectronNotification, 'show'> {
  readonly on = (() => this) as unknown as ElectronNotification['on'];
  readonly #options: NotificationConstructorOptions;

  constructor(options: NotificationConstructorOptions = {}) {
    this.#options = options;
  }

  static isSupported(): boolean {
    return true;
  }

  show(): void {
    tell({ type: 'notified', title: this.#options.title ?? '', body: this.#options.body ?? '' });
  }
}

export const nativeImage = {
  createFromPath(path: string): NativeImage {
    if (!existsSync(path)) throw new Error(`There is no picture at ${path}.`);
    return { setTemplateImage() {} } as unknown as NativeImage;
  },
};

/** Its menu is made by `Menu.buildFromTemplate`, which tells of it. */
export class Tray implements Pick<ElectronTray, 'setContextMenu' | 'setToolTip'> {
  readonly on = (() => this) as unknown as ElectronTray['on'];
  setContextMenu(): void {}
  setToolTip(): void {}
}

let pressed: (() => void) | undefined;

export const globalShortcut = {
  register(accelerator, callback) {
    pressed = callback;
    tell({ type: 'keys', accelerator });
    return true;
  },
  unregisterAll() {
    pressed = undefined;
    tell({ type: 'keys', accelerator: undefined });
  },
} satisfies Pick<GlobalShortcut, 'register' | 'unregisterAll'>;

onOrder((order) => {
  if (order.type === 'press-keys') pressed?.();
});
