import type { App } from 'electron';

/** The installer gives this to the entry in the Start menu (`appId` in build/electron-builder.yml). */
const installedId = 'app.waypost.desktop';

/** What Windows calls when somebody clicks a notification; made up once, and never changed. */
const toastActivator = '{7C1D0D5E-3B0B-4C58-9E0E-6A2F4B9D8C31}';

/**
 * Tells Windows which program this is, before it shows anything: its windows then belong to the entry in the Start menu
 * and its notifications come under its name. Sources go by the path of the program, or they would take over that entry.
 */
export function identifyToWindows(
  app: Pick<App, 'isPackaged' | 'setAppUserModelId' | 'setToastActivatorCLSID'>,
  program: string,
): void {
  app.setAppUserModelId(app.isPackaged ? installedId : program);
  if (app.isPackaged) app.setToastActivatorCLSID(toastActivator);
}
