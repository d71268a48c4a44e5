import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { App } from 'electron';
import { Refused } from '../requests/refused.ts';

/** How a start at login is told from one by hand: it shows no window. */
export const hiddenArgument = '--hidden';

export interface LoginItem {
  /** Whether there is anything to choose: sources have no program of their own that could be started. */
  readonly isPossible: boolean;
  isSet(): boolean;
  /** Whether it was chosen and the system waits for the person to allow it (macOS, System Settings). */
  needsApproval(): boolean;
  /** Throws Refused where it is not possible, or the system does not let us. */
  set(isOn: boolean): void;
}

interface LoginItemOptions {
  app: Pick<App, 'getLoginItemSettings' | 'getPath' | 'setLoginItemSettings'>;
  platform: NodeJS.Platform;
  isPackaged: boolean;
  /** What a login starts: an AppImage is mounted elsewhere each time, so its own file. */
  program: string;
  /** What the program cannot start without on this machine, such as `--no-sandbox`. */
  switches: readonly string[];
}

/** Whether this start is one at login, which is not somebody who wants to see a window. */
export function isStartAtLogin(
  app: Pick<App, 'getLoginItemSettings'>,
  platform: NodeJS.Platform,
  args: readonly string[],
): boolean {
  // macOS starts the app without any argument, and says so here.
  if (platform === 'darwin') return app.getLoginItemSettings().wasOpenedAtLogin;
  return args.includes(hiddenArgument);
}

/** Starting with the system. Electron does it on macOS and Windows; desktops of Linux read a folder (XDG autostart). */
export function loginItem(options: LoginItemOptions): LoginItem {
  const { app, platform, isPackaged, program, switches } = options;
  if (!isPackaged) {
    return {
      isPossible: false,
      isSet: () => false,
      needsApproval: () => false,
      set() {
        throw new Refused('Only an installed Waypost can start at sign-in.');
      },
    };
  }
  if (platform === 'darwin') {
    const status = () => app.getLoginItemSettings().status;
    return {
      isPossible: true,
      isSet: () => ['enabled', 'requires-approval'].includes(status()),
      needsApproval: () => status() === 'requires-approval',
      set: (isOn) => app.setLoginItemSettings({ openAtLogin: isOn }),
    };
  }
  if (platform === 'win32') {
    return {
      isPossible: true,
      isSet: () => app.getLoginItemSettings({ args: [hiddenArgument] }).openAtLogin,
      needsApproval: () => false,
      set: (isOn) => app.setLoginItemSettings({ openAtLogin: isOn, args: [hiddenArgument] }),
    };
  }
  const file = join(app.getPath('appData'), 'autostart', 'waypost.desktop');
  return {
    isPossible: true,
    isSet: () => existsSync(file),
    needsApproval: () => false,
    set(isOn) {
      try {
        // Whatever lies there, another program's link or a pipe, is not written through.
        rmSync(file, { force: true });
        if (!isOn) return;
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, autostartEntry(program, switches), { flag: 'wx' });
      } catch (error) {
        const { message } = error as Error;
        throw new Refused(
          `The start at sign-in cannot be changed (${message}). Look at what is in that place.`,
        );
      }
    },
  };
}

/** A file of the desktop entry specification; the program's path is quoted as it wants it. */
export function autostartEntry(program: string, switches: readonly string[] = []): string {
  const quoted = `"${program.replace(/[\\"`$]/g, '\\$&').replaceAll('%', '%%')}"`;
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Waypost',
    `Exec=${[quoted, ...switches, hiddenArgument].join(' ')}`,
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}
