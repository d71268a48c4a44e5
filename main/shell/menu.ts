import { Menu, type MenuItemConstructorOptions } from 'electron';
import type { Command } from '../../preload/contract.ts';

interface MenuOptions {
  platform: NodeJS.Platform;
  /** Developer tools are only available in development. */
  isDevelopment: boolean;
  send: (command: Command) => void;
  showLog: () => void;
}

/** Sets the application menu for this platform. */
export function setMenu(options: MenuOptions): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(options)));
}

/** The menu template: labels, accelerators and actions. */
export function menuTemplate(options: MenuOptions): MenuItemConstructorOptions[] {
  const { platform, isDevelopment, send, showLog } = options;
  const isMac = platform === 'darwin';
  const command = (label: string, accelerator: string, name: Command): MenuItemConstructorOptions => ({
    id: name,
    label,
    accelerator,
    click: () => send(name),
  });
  const separator: MenuItemConstructorOptions = { type: 'separator' };
  const settings = command('Settings…', 'CmdOrCtrl+,', 'settings');

  const appMenu: MenuItemConstructorOptions = {
    role: 'appMenu',
    submenu: [
      { role: 'about' },
      separator,
      settings,
      separator,
      { role: 'services' },
      separator,
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      separator,
      { role: 'quit' },
    ],
  };
  return [
    ...(isMac ? [appMenu] : []),
    {
      label: isMac ? 'File' : '&File',
      submenu: [
        command('New link', 'CmdOrCtrl+N', 'new-link'),
        command('Search…', 'CmdOrCtrl+K', 'search'),
        separator,
        ...(isMac ? [{ role: 'close' } as const] : [settings, separator, { role: 'quit' } as const]),
      ],
    },
    { role: 'editMenu' },
    {
      label: isMac ? 'View' : '&View',
      submenu: [
        command('Reload', 'CmdOrCtrl+R', 'reload'),
        { role: 'forceReload', label: 'Reload window' },
        separator,
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        separator,
        { role: 'togglefullscreen' },
        ...(isDevelopment ? [separator, { role: 'toggleDevTools' } as const] : []),
      ],
    },
    { role: 'windowMenu' },
    {
      role: 'help',
      submenu: [
        command('Keyboard shortcuts', 'CmdOrCtrl+/', 'shortcuts'),
        { id: 'show-log', label: 'Show log file', click: showLog },
        ...(isMac ? [] : [separator, { role: 'about' } as const]),
      ],
    },
  ];
}
