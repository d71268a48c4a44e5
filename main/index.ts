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

/** Setup that must happen before Electron is ready. */
function begin(): void {
  // Development builds need their own user data folder: sharing one would open the installed app's window and write to
  // its data.
  if (!app.isPackaged && !app.commandLine.hasSwitch('user-data-dir')) {
    const folder = join(app.getPath('appData'), 'Waypost Development');
    makeSettingsFolder(folder);
    app.setPath('userData', folder);
  }
  makeSettingsFolder(app.getPath('userData'));
  if (platform === 'win32') identifyToWindows(app, process.execPath);
  if (!app.requestSingleInstanceLock()) {
    // The running instance focuses its window (see `second-instance` in desktop.ts).
    app.quit();
    return;
  }
  protocol.registerSchemesAsPrivileged([appScheme]);
  // In development the executable is Electron itself, which would be registered without the app.
  if (app.isPackaged) app.setAsDefaultProtocolClient(deepLinkScheme);
  // Each window enables its own sandbox. If the sandbox was disabled for the whole program, enabling it here would be
  // too late for the zygote process, and the page would fail to load.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();

  // macOS emits the launch URL once, before the app is ready.
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
