import { join } from 'node:path';
import { app, dialog, protocol } from 'electron';
import { runDesktop } from './desktop.ts';
import { appScheme } from './shell/app-protocol.ts';
import { deepLinkScheme, offerOf, waitingOffer } from './shell/deep-link.ts';
import { programOf } from './shell/login-item.ts';
import { startFailure } from './shell/start-failure.ts';
import { identifyToWindows } from './shell/windows-identity.ts';
import { makeSettingsFolder } from './storage/settings-folder.ts';

const { env, platform } = process;
const failed = startFailure({
  dialog,
  folder: () => app.getPath('userData'),
  now: () => new Date(),
  ready: () => app.whenReady(),
  exit: (code) => app.exit(code),
});

try {
  begin();
} catch (error) {
  failed(error);
}

/** What has to be done before Electron is ready. */
function begin(): void {
  // Sources and an installed app are two programs: with the same folder, one would show the other's window and write
  // to its data.
  if (!app.isPackaged && !app.commandLine.hasSwitch('user-data-dir')) {
    const folder = join(app.getPath('appData'), 'Waypost Development');
    makeSettingsFolder(folder);
    app.setPath('userData', folder);
  }
  makeSettingsFolder(app.getPath('userData'));
  if (platform === 'win32') identifyToWindows(app, process.execPath);
  if (!app.requestSingleInstanceLock()) {
    // The one that runs already comes to the front (see `second-instance` in desktop.ts).
    app.quit();
    return;
  }
  protocol.registerSchemesAsPrivileged([appScheme]);
  // In development the program is Electron's own, which would be registered without the app.
  if (app.isPackaged) app.setAsDefaultProtocolClient(deepLinkScheme);
  // Every window asks for its sandbox by itself. Where it was switched off for the whole program, switching it on here
  // would come too late for the process that begets the page's, and the page would not come up.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();

  // macOS tells of the address that the app was started with before it is ready, once.
  const offers = waitingOffer();
  app.on('open-url', (event, address) => {
    event.preventDefault();
    offers.add(offerOf(address));
  });
  app
    .whenReady()
    .then(() =>
      runDesktop({
        offers,
        // Set by electron-vite in development.
        sourceServer: app.isPackaged ? undefined : env.ELECTRON_RENDERER_URL,
        program: programOf(env, process.execPath),
        isWayland:
          platform === 'linux' && (env.XDG_SESSION_TYPE === 'wayland' || Boolean(env.WAYLAND_DISPLAY)),
        platform,
        args: process.argv,
      }),
    )
    .catch(failed);
}
