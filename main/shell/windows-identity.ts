import type { App } from 'electron';

/** The `appId` in build/electron-builder.yml, which the installer assigns to the Start menu entry. */
const installedId = 'app.waypost.desktop';

/** The COM class that Windows activates when a notification is clicked; generated once and never changed. */
const toastActivator = '{7C1D0D5E-3B0B-4C58-9E0E-6A2F4B9D8C31}';

/**
 * Sets the app's identity on Windows before anything is shown, so that windows group under the Start menu entry and
 * notifications show its name. Development builds use the executable's path, so as not to take over that entry.
 */
export function identifyToWindows(
  app: Pick<App, 'isPackaged' | 'setAppUserModelId' | 'setToastActivatorCLSID'>,
  program: string,
): void {
  app.setAppUserModelId(app.isPackaged ? installedId : program);
  if (app.isPackaged) app.setToastActivatorCLSID(toastActivator);
}
