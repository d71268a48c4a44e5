import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import {
  app,
  type BrowserWindow,
  clipboard,
  dialog,
  powerMonitor,
  protocol,
  session,
  shell,
  utilityProcess,
} from 'electron';
import { connections } from './connections.ts';
import { browserSignIns } from './instances/browser-sign-in.ts';
import { instanceImages } from './instances/instance-image.ts';
import { subscriptionsOf } from './requests/subscriptions.ts';
import { serverProcess } from './server/server-process.ts';
import { appProtocol, isPageDocument, startPage } from './shell/app-protocol.ts';
import { backgroundParts } from './shell/background.ts';
import { copyPicture } from './shell/copy-picture.ts';
import { damageReport } from './shell/damage-report.ts';
import { offerAmong, type WaitingOffer } from './shell/deep-link.ts';
import { answerCalls } from './shell/ipc.ts';
import { isStartAtLogin, loginItem } from './shell/login-item.ts';
import { setMenu } from './shell/menu.ts';
import { openExternal } from './shell/open-external.ts';
import { pageWindow } from './shell/page-window.ts';
import { questions } from './shell/questions.ts';
import { finishBeforeQuit } from './shell/quit.ts';
import { fileSaver } from './shell/save-file.ts';
import { sessionEndListener } from './shell/session-end.ts';
import { hiddenArgument, startOptionsOf } from './shell/start-options.ts';
import { updateFeed } from './shell/update-feed.ts';
import { mainWindow } from './shell/window.ts';
import { denyPermissions, ofSourceServer } from './shell/window-guards.ts';
import { appFiles } from './storage/app-files.ts';
import { ignoreRejection } from './storage/json-file.ts';
import { defaultPort, type Preferences } from './storage/preferences.ts';
import { suggestedProfile } from './storage/profile.ts';

interface DesktopOptions {
  /** Deep links received before and after startup. */
  offers: WaitingOffer;
  /** Origin of the Vite development server; undefined for a built page. */
  sourceServer: string | undefined;
  /** The executable that the login item launches. */
  program: string;
  /** Linux on Wayland, where registering global shortcuts prompts the user. */
  isWayland: boolean;
  platform: NodeJS.Platform;
  args: readonly string[];
}

/** Wires up the app and starts it once Electron is ready. Throws if an essential part fails. */
export function runDesktop(options: DesktopOptions): void {
  const { offers, sourceServer, platform, args } = options;
  const folder = app.getPath('userData');
  const files = appFiles(folder, () => new Date());
  const { log, preferences } = files;
  process.on('uncaughtExceptionMonitor', (error) =>
    log.note('the app failed', { stack: error.stack ?? error.message }),
  );
  log.note('the app is starting', { version: app.getVersion() });
  /** For writes that the user did not request: a failure is only logged. */
  const remember = (change: Partial<Preferences>) =>
    ignoreRejection(() => preferences.write({ ...preferences.read(), ...change }), log.note);

  const pictures = join(import.meta.dirname, '../pictures');
  // Only for development: a link on any web page can launch an installed app with arguments of its choice.
  const startOptions = app.isPackaged ? {} : startOptionsOf(args);

  const server = serverProcess({
    fork: (args) =>
      utilityProcess.fork(join(import.meta.dirname, 'server.js'), args, {
        stdio: 'pipe',
        serviceName: 'Waypost server',
      }),
    dataFolder: startOptions.data ?? join(folder, 'data'),
    log,
    now: () => performance.now(),
    port: {
      read: () => startOptions.port ?? preferences.read().port ?? defaultPort,
      keep: (port) => remember({ port }),
    },
  });

  const { instances, certificates, requests, uploads, events, ...connected } = connections({
    files,
    server,
    platform,
    now: Date.now,
  });
  const { show, find, findPage, push, send } = pageWindow({
    open: openWindow,
    isEnding: () => ending.isUnderWay(),
  });
  const questionsAsked = questions({ dialog, window: find });
  const { ask } = questionsAsked;
  const openAddress = (address: string) => openExternal(address, ask, platform);
  const subscriptions = subscriptionsOf(
    events,
    (name, document) => push('events:document', name, document),
    (name) => push('events:refused', name),
  );
  offers.onWaiting(() => push('offers:waiting'));
  const background = backgroundParts({
    remembered: preferences,
    requests,
    instances,
    events,
    server,
    log,
    ask,
    platform,
    // On Wayland the prompt on first run would just be dismissed, and a development build would take the installed
    // app's shortcuts.
    hasUsualKeys: !options.isWayland && app.isPackaged,
    login: loginItem({
      app,
      platform,
      isPackaged: app.isPackaged,
      program: options.program,
      switches: app.commandLine.hasSwitch('no-sandbox') ? ['--no-sandbox'] : [],
    }),
    pictures,
    updateFeed,
    fetcher: connected.system,
    showWindow: show,
    newLink: () => send('new-link'),
    onChange: (state) => push('app:changed', state),
  });
  const throughBrowser = browserSignIns({
    instances,
    secrets: connected.secrets,
    fetcher: connected.fetchers.remote,
    open: openAddress,
    onReturn: show,
    device: connected.device,
    randomBytes,
  });
  const showLog = async () => {
    await log.flush();
    shell.showItemInFolder(log.path);
  };

  answerCalls({
    page: findPage,
    isPageAddress: isPageDocument,
    log,
    handlers: {
      'instances:list': () => instances.list(),
      'instances:current': () => instances.current(),
      'instances:select': (id) => instances.select(id),
      'instances:add': (choice) => instances.add(choice),
      'instances:edit': (id, choice) => connected.leave(id, () => instances.edit(id, choice)),
      'instances:remove': (id) => connected.leave(id, () => instances.remove(id)),
      'instances:keep-key': (id, key) => instances.keepKey(id, key),
      'instances:sign-in': (id) => (id === '' ? throughBrowser.cancel() : throughBrowser.begin(id)),
      'instances:forget-key': (id) => instances.forgetKey(id),
      'instances:certificate': (id) => certificates.look(id),
      'instances:accept-certificate': (id, fingerprint) => certificates.accept(id, fingerprint),
      'api:request': (id, requestId, request) => requests.send(id, requestId, request),
      'api:cancel': (requestId) => requests.cancel(requestId),
      'upload:begin': (id, uploadId, path, size, account) => uploads.begin(id, uploadId, path, size, account),
      'upload:part': (uploadId, bytes) => uploads.part(uploadId, bytes),
      'upload:end': (uploadId) => uploads.end(uploadId),
      'upload:cancel': (uploadId) => uploads.cancel(uploadId),
      'events:subscribe': (name, id, account) => subscriptions.open(name, id, account),
      'events:unsubscribe': (name) => subscriptions.close(name),
      'profile:suggest': () => suggestedProfile(),
      'external:open': async (address) => void (await openAddress(address)),
      'clipboard:copy': (text) => clipboard.writeText(text),
      'clipboard:copy-picture': (png) => copyPicture(clipboard, png),
      'file:save': fileSaver({ dialog, ask, window: find, log }),
      'server:state': () => server.state(),
      'server:restart': () => server.restart(),
      'server:show-log': showLog,
      'app:state': () => background.getState(),
      'app:update': (change) => background.update(change),
      'offers:take': () => offers.take(),
    },
  });
  server.onChange((state) => push('server:changed', state));
  instances.onChange((list) => push('instances:changed', list));

  protocol.handle(
    'app',
    appProtocol({
      folder: join(import.meta.dirname, '../renderer'),
      images: instanceImages({ instances, fetchers: connected.fetchers }),
      sources: sourceServer === undefined ? undefined : { server: sourceServer, fetcher: fetch },
    }),
  );
  denyPermissions(session.defaultSession, log, sourceServer === undefined ? [] : ofSourceServer);
  // The app is useful without any of these, so a failure must not prevent the window from opening.
  const attempt = (what: string, part: () => void) => {
    try {
      part();
    } catch (error) {
      log.note(`${what} could not be set up`, { why: error instanceof Error ? error.message : 'unknown' });
    }
  };
  attempt('the menu', () =>
    setMenu({ platform, isDevelopment: !app.isPackaged, send, showLog: () => void showLog() }),
  );

  const ending = finishBeforeQuit({
    app,
    power: powerMonitor,
    signals: process,
    platform,
    hurry() {
      log.note('the system is shutting down');
      questionsAsked.close();
      // The server waits for uploads in flight, and nothing will send the rest of these.
      uploads.cancelAll();
      void server.stop();
    },
    closeAll: () => find()?.destroy(),
    async finish() {
      await server.stop();
      log.note('the app exits');
      await log.flush();
    },
  });
  const sessionEnd = sessionEndListener(platform, ending.endWithSystem);
  app.on('before-quit', () => server.mayEnd(true));
  app.on('second-instance', (_event, given) => {
    const offer = offerAmong(given);
    // A restored session may relaunch the app, which then looks like a start at login.
    if (offer !== undefined || !given.includes(hiddenArgument)) show();
    offers.add(offer);
  });
  app.on('activate', show);
  app.on('open-url', show);
  app.on('child-process-gone', (_event, { type, reason, exitCode, name }) => {
    log.note('a process of the app ended', { type, reason, exitCode, name: name ?? '' });
  });
  app.on('window-all-closed', () => {
    // On macOS an app keeps running without windows; clicking its Dock icon opens a new one.
    if (platform === 'darwin') return;
    // Before asking, because the session may end while the question is open.
    attempt('the end of the session', sessionEnd.listen);
    background.mayStay().then(
      (stays) => {
        if (!stays) app.quit();
      },
      () => app.quit(),
    );
  });

  // Read all files now, so that damage is reported once and up front.
  const tellDamages = damageReport({ found: files.findDamages(), remembered: preferences, remember, ask });
  server.start();
  let isHidden = false;
  // The user did not ask for a window when the app starts at login.
  attempt('the start at sign-in', () => {
    isHidden = isStartAtLogin(app, platform, args);
  });
  if (isHidden) attempt('the end of the session', sessionEnd.listen);
  else show();
  background.start();
  offers.add(offerAmong(args));

  function openWindow(): BrowserWindow {
    const window = mainWindow({
      page: startPage,
      preload: join(import.meta.dirname, '../preload/index.cjs'),
      version: app.getVersion(),
      isDevelopment: !app.isPackaged,
      isPage: isPageDocument,
      // The macOS Dock shows the app bundle's own icon.
      icon:
        platform === 'darwin' ? undefined : join(pictures, platform === 'win32' ? 'tray.ico' : 'icon.png'),
      log,
      state: {
        read: () => preferences.read().window,
        keep: (state) => remember({ window: state }),
      },
      leaving: {
        mayAsk: () => !ending.isOfSystem(),
        ask,
        isQuitting: ending.isAskedFor,
        quit: () => app.quit(),
        onStay() {
          ending.putOff();
          server.mayEnd(false);
        },
      },
      // Windows kills remaining processes after a few seconds without requesting a quit.
      onSystemEnd: ending.endWithSystem,
      onNewDocument() {
        throughBrowser.cancel();
        requests.cancelAll();
        uploads.cancelAll();
        subscriptions.closeAll();
      },
    });
    // Wait until the window is visible: if it closes earlier, nobody has seen the message.
    window.once('show', () => void tellDamages());
    sessionEnd.stop();
    return window;
  }
}
