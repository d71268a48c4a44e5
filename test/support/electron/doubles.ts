import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
  Clipboard,
  Dialog,
  Menu as ElectronMenu,
  MenuItemConstructorOptions,
  MessageBoxOptions,
  NativeTheme,
  SafeStorage,
  Screen,
  Shell,
} from 'electron';
import { settings } from './settings.ts';
import { onOrder, tell } from './test-channel.ts';

let button = 0;
let copied = '';
/** The items of every menu that was made, the newest of the same id. */
const items = new Map<string, MenuItemConstructorOptions>();

onOrder((order) => {
  if (order.type === 'answer') button = order.button;
  if (order.type === 'copy') copied = order.text;
  if (order.type === 'click-menu') {
    // The click handlers of our menus take no arguments.
    const click = items.get(order.id)?.click as (() => void) | undefined;
    click?.();
  }
});

export const clipboard = {
  readText: async () => copied,
  async writeText(text) {
    copied = text;
    tell({ type: 'copied', text });
  },
} satisfies Pick<Clipboard, 'readText' | 'writeText'>;

export const shell = {
  async openExternal(address) {
    tell({ type: 'opened', address });
  },
  showItemInFolder: (path) => tell({ type: 'shown-file', path }),
} satisfies Pick<Shell, 'openExternal' | 'showItemInFolder'>;

export const dialog = {
  // Electron's form with a parent window first is not used.
  showMessageBox: (async (options: MessageBoxOptions) => {
    tell({ type: 'asked', message: options.message, detail: options.detail ?? '' });
    return { response: button, checkboxChecked: false };
  }) as Dialog['showMessageBox'],
} satisfies Pick<Dialog, 'showMessageBox'>;

export const nativeTheme = { shouldUseDarkColors: false } satisfies Pick<NativeTheme, 'shouldUseDarkColors'>;

const workArea = { x: 0, y: 0, width: 1920, height: 1040 };

export const screen = {
  // The one property of a display that is used.
  getAllDisplays: () => [{ workArea }] as ReturnType<Screen['getAllDisplays']>,
} satisfies Pick<Screen, 'getAllDisplays'>;

export const Menu = {
  buildFromTemplate(template: MenuItemConstructorOptions[]) {
    for (const item of itemsOf(template)) if (item.id) items.set(item.id, item);
    tell({ type: 'menu', ids: itemsOf(template).flatMap((item) => item.id ?? []) });
    return {} as ElectronMenu;
  },
  setApplicationMenu(_menu: ElectronMenu | null) {},
};

/** Seals with a key that lies beside: what is kept must not be readable as it is, and must be openable later. */
const keyFile = join(settings.userData, 'stand-in-key-store');

export const safeStorage = {
  isAsyncEncryptionAvailable: async () => true,
  getSelectedStorageBackend: () => settings.keyStore,
  async encryptStringAsync(text) {
    const start = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', sealingKey(), start);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([start, cipher.getAuthTag(), sealed]);
  },
  async decryptStringAsync(bytes) {
    const cipher = createDecipheriv('aes-256-gcm', sealingKey(), bytes.subarray(0, 12));
    cipher.setAuthTag(bytes.subarray(12, 28));
    const text = Buffer.concat([cipher.update(bytes.subarray(28)), cipher.final()]).toString('utf8');
    return { result: text, shouldReEncrypt: false };
  },
} satisfies Pick<
  SafeStorage,
  'decryptStringAsync' | 'encryptStringAsync' | 'getSelectedStorageBackend' | 'isAsyncEncryptionAvailable'
>;

function sealingKey(): Buffer {
  if (!existsSync(keyFile)) writeFileSync(keyFile, randomBytes(32), { mode: 0o600 });
  return readFileSync(keyFile);
}

function itemsOf(template: MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return template.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? itemsOf(item.submenu) : [])]);
}
