import { join } from 'node:path';
import type { App } from 'electron';
import { Refused } from '../requests/refused.ts';
import { autostart } from './autostart.ts';
import { hiddenArgument } from './start-options.ts';

export interface LoginItem {
  /** False in development, where there is no executable of our own to start. */
  readonly isPossible: boolean;
  isSet(): boolean;
  /** Whether it is enabled but awaits the user's approval (macOS, System Settings). */
  needsApproval(): boolean;
  /** Throws Refused if it is not possible or the system does not allow it. */
  set(isOn: boolean): void;
  /** Updates an entry created before the executable was moved. Throws like `set`. */
  renew(): void;
}

interface LoginItemOptions {
  app: Pick<App, 'getLoginItemSettings' | 'getPath' | 'setLoginItemSettings'>;
  platform: NodeJS.Platform;
  isPackaged: boolean;
  /** The executable started at login (see `programOf`). */
  program: string;
  /** Switches that the program needs on this machine, such as `--no-sandbox`. */
  switches: readonly string[];
}

/**
 * The executable to start at login. An AppImage is mounted at a different path each time, so the image file itself is
 * used; but not if the variables were inherited from another AppImage, such as a terminal.
 */
export function programOf(
  { APPIMAGE: image, APPDIR: mounted }: { APPIMAGE?: string; APPDIR?: string },
  execPath: string,
): string {
  return image && mounted && execPath.startsWith(`${mounted}/`) ? image : execPath;
}

/** Whether the app was started at login, when no window should open. */
export function isStartAtLogin(
  app: Pick<App, 'getLoginItemSettings'>,
  platform: NodeJS.Platform,
  args: readonly string[],
): boolean {
  // macOS starts the app without arguments and reports it here.
  if (platform === 'darwin') return app.getLoginItemSettings().wasOpenedAtLogin;
  return args.includes(hiddenArgument);
}

/** Start at login. Electron implements it on macOS and Windows; Linux desktops read a folder (XDG autostart). */
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
      renew() {},
    };
  }
  if (platform === 'darwin') {
    const status = () => app.getLoginItemSettings().status;
    return {
      isPossible: true,
      isSet: () => ['enabled', 'requires-approval'].includes(status()),
      needsApproval: () => status() === 'requires-approval',
      set: (isOn) => app.setLoginItemSettings({ openAtLogin: isOn }),
      // The system tracks the app wherever it is moved.
      renew() {},
    };
  }
  if (platform === 'win32') {
    return {
      isPossible: true,
      isSet() {
        const { openAtLogin, executableWillLaunchAtLogin } = app.getLoginItemSettings({
          args: [hiddenArgument],
        });
        // An entry disabled in the Task Manager still exists.
        return openAtLogin && executableWillLaunchAtLogin;
      },
      needsApproval: () => false,
      set: (isOn) => app.setLoginItemSettings({ openAtLogin: isOn, args: [hiddenArgument] }),
      // The installer puts every version in the same place.
      renew() {},
    };
  }
  const folder = join(app.getPath('appData'), 'autostart');
  return { isPossible: true, needsApproval: () => false, ...autostart({ folder, program, switches }) };
}
