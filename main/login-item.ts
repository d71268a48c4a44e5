import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { App } from 'electron';

/** How a start at login is told from one by hand: it shows no window. */
export const hiddenArgument = '--hidden';

export interface LoginItem {
  isSet(): boolean;
  set(isOn: boolean): void;
}

interface LoginItemOptions {
  app: Pick<App, 'getLoginItemSettings' | 'getPath' | 'setLoginItemSettings'>;
  platform: NodeJS.Platform;
  /** What a login starts: an AppImage is mounted elsewhere each time, so its own file. */
  program: string;
}

/** Starting with the system. Electron does it on macOS and Windows; desktops of Linux read a folder (XDG autostart). */
export function loginItem({ app, platform, program }: LoginItemOptions): LoginItem {
  if (platform !== 'linux') {
    return {
      isSet: () => app.getLoginItemSettings({ args: [hiddenArgument] }).openAtLogin,
      set: (isOn) => app.setLoginItemSettings({ openAtLogin: isOn, args: [hiddenArgument] }),
    };
  }
  const file = join(app.getPath('appData'), 'autostart', 'waypost.desktop');
  return {
    isSet: () => existsSync(file),
    set(isOn) {
      if (!isOn) return rmSync(file, { force: true });
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, autostartEntry(program));
    },
  };
}

/** A file of the desktop entry specification; the program's path is quoted as it wants it. */
export function autostartEntry(program: string): string {
  const quoted = `"${program.replace(/[\\"`$]/g, '\\$&').replaceAll('%', '%%')}"`;
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Waypost',
    `Exec=${quoted} ${hiddenArgument}`,
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}
