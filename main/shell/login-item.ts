import { join } from 'node:path';
import type { App } from 'electron';
import { Refused } from '../requests/refused.ts';
import { autostart } from './autostart.ts';
import { hiddenArgument } from './start-options.ts';

export interface LoginItem {
  /** Whether there is anything to choose: sources have no program of their own that could be started. */
  readonly isPossible: boolean;
  isSet(): boolean;
  /** Whether it was chosen and the system waits for the person to allow it (macOS, System Settings). */
  needsApproval(): boolean;
  /** Throws Refused where it is not possible, or the system does not let us. */
  set(isOn: boolean): void;
  /** Has an entry that was made before the program was moved lead to it again. Throws as `set` does. */
  renew(): void;
}

interface LoginItemOptions {
  app: Pick<App, 'getLoginItemSettings' | 'getPath' | 'setLoginItemSettings'>;
  platform: NodeJS.Platform;
  isPackaged: boolean;
  /** What a login starts (see `programOf`). */
  program: string;
  /** What the program cannot start without on this machine, such as `--no-sandbox`. */
  switches: readonly string[];
}

/**
 * The file that a start at login starts. An AppImage is mounted elsewhere each time, so it is its own file; what
 * another AppImage has left to us, in whose terminal we were started, is not ours.
 */
export function programOf(
  { APPIMAGE: image, APPDIR: mounted }: { APPIMAGE?: string; APPDIR?: string },
  execPath: string,
): string {
  return image && mounted && execPath.startsWith(`${mounted}/`) ? image : execPath;
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
      // The system knows the app itself, wherever it is.
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
        // An entry that was switched off in the Task Manager is still there.
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
