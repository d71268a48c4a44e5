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
import { mayFail, settings } from './settings.ts';
import { onOrder, tell } from './test-channel.ts';

let button = 0;
let savePath: string | undefined;
/** The items of every menu that was made, the newest of the same id. */
const items = new Map<string, MenuItemConstructorOptions>();

onOrder((order) => {
  if (order.type === 'answer') button = order.button;
  if (order.type === 'save-at') savePath = order.path;
  if (order.type === 'click-menu') {
    // The click handlers of our menus take no arguments.
    const click = items.get(order.id)?.click as (() => void) | undefined;
    click?.();
  }
});

export const shell = {
  async openExternal(address) {
    mayFail('shell.openExternal');
    tell({ type: 'opened', address });
  },
  showItemInFolder: (path) => tell({ type: 'shown-file', path }),
} satisfies Pick<Shell, 'openExternal' | 'showItemInFolder'>;

const early = 'dialog module can only be used after app is ready';

export const dialog = {
  // Electron's form with a parent window first is not used.
  showMessageBox: (async (options: MessageBoxOptions) => {
    mustBeReady(early);
    tell({ type: 'asked', message: options.message, detail: options.detail ?? '' });
    return { response: button, checkboxChecked: false };
  }) as Dialog['showMessageBox'],
  showMessageBoxSync: ((_window: BaseWindow, options: MessageBoxOptions) => {
    mustBeReady(early);
    tell({ type: 'asked', message: options.message, detail: options.detail ?? '' });
    return button;
  }) as Dialog['showMessageBoxSync'],
  // Only the form with a parent window is used.
  showSaveDialog: (async (_window: BaseWindow, options: SaveDialogOptions) => {
    mustBeReady(early);
    tell({ type: 'asked-where', name: options.defaultPath ?? '' });
    return savePath === undefined
      ? { canceled: true, filePath: '' }
      : { canceled: false, filePath: savePath };
  }) as Dialog['showSaveDialog'],
  showErrorBox(title, content) {
    // Before the app is ready there is no box on Linux, only a line in the terminal.
    if (settings.platform === 'linux' && !app.isReady()) process.stderr.write(`${title}\n${content}\n`);
    else tell({ type: 'error-box', title, content });
  },
} satisfies Pick<Dialog, 'showErrorBox' | 'showMessageBox' | 'showMessageBoxSync' | 'showSaveDialog'>;

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
    for (const item of all) if (item.id) items.set(item.id, item);
    const roles = all.flatMap((item) => item.role ?? []);
    tell({ type: 'menu', ids: all.flatMap((item) => item.id ?? []), roles });
    return { popup: () => tell({ type: 'popped-up', roles }) } as unknown as ElectronMenu;
  },
  setApplicationMenu(_menu: ElectronMenu | null) {
    mayFail('Menu.setApplicationMenu');
  },
};

function itemsOf(template: MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return template.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? itemsOf(item.submenu) : [])]);
}
