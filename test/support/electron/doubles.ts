import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  BaseWindow,
  Dialog,
  Menu as ElectronMenu,
  MenuItemConstructorOptions,
  MessageBoxOptions,
  NativeTheme,
  SaveDialogOptions,
  Screen,
  Shell,
} from 'electron';
import { app, mustBeReady } from './app.ts';
import type { BrowserWindow } from './browser-window.ts';
import { hasWindows } from './open-windows.ts';
import { mayFail, settings } from './settings.ts';
import { onOrder, tell } from './test-channel.ts';

/** Undefined while nobody replies. */
let button: number | undefined = 0;
/** Dialogs without a reply so far. */
const open: (() => void)[] = [];
let savePath: string | undefined;
/** The items of all created menus, the newest for each id. */
const items = new Map<string, MenuItemConstructorOptions>();

onOrder((order) => {
  if (order.type === 'answer') {
    button = order.button;
    if (button !== undefined) for (const answer of open.splice(0)) answer();
  }
  if (order.type === 'save-at') savePath = order.path;
  if (order.type === 'click-menu') {
    // The click handlers of our menus take no arguments.
    const click = items.get(order.id)?.click as (() => void) | undefined;
    click?.();
  }
});

/** The limit of Windows (docs, shell, "openExternal"). Characters. */
const longestAddress = 2_081;

export const shell = {
  async openExternal(address) {
    mayFail('shell.openExternal');
    if (settings.platform === 'win32' && address.length > longestAddress) throw new Error('Failed to open');
    tell({ type: 'opened', address });
  },
  showItemInFolder: (path) => tell({ type: 'shown-file', path }),
} satisfies Pick<Shell, 'openExternal' | 'showItemInFolder'>;

const early = 'dialog module can only be used after app is ready';

export const dialog = {
  showMessageBox: (async (first: BrowserWindow | MessageBoxOptions, second?: MessageBoxOptions) => {
    mustBeReady(early);
    const options = second ?? (first as MessageBoxOptions);
    tell({ type: 'asked', message: options.message, detail: options.detail ?? '' });
    if (second) await stayed(first as BrowserWindow);
    if (button === undefined) await answered(options, second !== undefined);
    return { response: button ?? options.cancelId ?? 0, checkboxChecked: false };
  }) as Dialog['showMessageBox'],
  // Only the form with a parent window is used.
  showSaveDialog: (async (_window: BaseWindow, options: SaveDialogOptions) => {
    mustBeReady(early);
    tell({ type: 'asked-where', name: options.defaultPath ?? '' });
    // Electron has no way to close it.
    if (button === undefined) await new Promise<never>(() => {});
    return savePath === undefined
      ? { canceled: true, filePath: '' }
      : { canceled: false, filePath: savePath };
  }) as Dialog['showSaveDialog'],
  showErrorBox(title, content) {
    // Before the app is ready there is no dialog on Linux, only a line in the terminal.
    if (settings.platform === 'linux' && !app.isReady()) process.stderr.write(`${title}\n${content}\n`);
    else tell({ type: 'error-box', title, content });
  },
} satisfies Pick<Dialog, 'showErrorBox' | 'showMessageBox' | 'showSaveDialog'>;

/** The user replies to the dialog that keeps a window once it is kept. */
async function stayed({ webContents }: BrowserWindow): Promise<void> {
  await nextTurn();
  await webContents.staying;
  await nextTurn();
}

/** Resolves when somebody replies to an open dialog, or the app closes it. */
function answered({ signal }: MessageBoxOptions, hasWindow: boolean): Promise<void> {
  // On macOS, a dialog without a window blocks everything until there is a reply (docs, dialog, "signal").
  if (settings.platform === 'darwin' && !hasWindow)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  return new Promise((resolve) => {
    open.push(resolve);
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
}

export const nativeTheme = { shouldUseDarkColors: false } satisfies Pick<NativeTheme, 'shouldUseDarkColors'>;

const workArea = { x: 0, y: 0, width: 1920, height: 1040 };

export const screen = {
  // The one property of a display that is used.
  getAllDisplays() {
    mustBeReady("The 'screen' module can't be used before the app 'ready' event");
    return [{ workArea }] as ReturnType<Screen['getAllDisplays']>;
  },
} satisfies Pick<Screen, 'getAllDisplays'>;

export const Menu = {
  buildFromTemplate(template: MenuItemConstructorOptions[]) {
    mayFail('Menu.buildFromTemplate');
    const all = itemsOf(template);
    for (const item of all) mustBeItem(item);
    for (const item of all) if (item.id) items.set(item.id, item);
    const roles = all.flatMap((item) => item.role ?? []);
    tell({ type: 'menu', ids: all.flatMap((item) => item.id ?? []), roles });
    return {
      popup() {
        if (!hasWindows()) throw new Error('Cannot open Menu without a BaseWindow present');
        tell({ type: 'popped-up', roles });
      },
    } as unknown as ElectronMenu;
  },
  setApplicationMenu(_menu: ElectronMenu | null) {
    mayFail('Menu.setApplicationMenu');
  },
};

/** An item without text makes the whole menu fail, and so does one of an unknown kind. */
function mustBeItem({ label, role, type, submenu }: MenuItemConstructorOptions): void {
  if (label === undefined && role === undefined && type !== 'separator')
    throw new TypeError('Invalid template for MenuItem: must have at least one of label, role or type');
  if (type === 'submenu' && !submenu) throw new Error('Invalid submenu');
  if (type !== undefined && !menuItemTypes.includes(type)) throw new Error(`Unknown menu item type: ${type}`);
}

const menuItemTypes = ['normal', 'separator', 'submenu', 'checkbox', 'radio', 'header', 'palette'];

function itemsOf(template: MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return template.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? itemsOf(item.submenu) : [])]);
}
