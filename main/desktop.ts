import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import {
  app,
  type BrowserWindow,
  clipboard,
  dialog,
  net,
  powerMonitor,
  protocol,
  safeStorage,
  session,
  shell,
  utilityProcess,
} from 'electron';
import type { Command } from '../preload/contract.ts';
import { browserSignIns } from './instances/browser-sign-in.ts';
import { instanceImages } from './instances/instance-image.ts';
import { knownInstances, localId, storedInstances } from './instances/instances.ts';
import { tokenKeeper } from './instances/keep-token.ts';
import { pins, remoteFetcher, remoteSender } from './instances/pins.ts';
import { signInAt } from './instances/sign-in.ts';
import { apiRequests } from './requests/api-request.ts';
import { chromiumFetcher, chromiumSender } from './requests/chromium-fetch.ts';
import { liveEvents } from './requests/live-events.ts';
import { fetchSender } from './requests/stream-senders.ts';
import { subscriptionsOf } from './requests/subscriptions.ts';
import { uploads } from './requests/uploads.ts';
import { logFile } from './server/log-file.ts';
import { serverProcess } from './server/server-process.ts';
import { appProtocol, isPageDocument, startPage } from './shell/app-protocol.ts';
import { backgroundParts } from './shell/background.ts';
import { copyPicture } from './shell/copy-picture.ts';
import { offerAmong, type WaitingOffer } from './shell/deep-link.ts';
import { answerCalls, pushTo } from './shell/ipc.ts';
import { isStartAtLogin, loginItem } from './shell/login-item.ts';
import { setMenu } from './shell/menu.ts';
import { openExternal } from './shell/open-external.ts';
import { finishBeforeQuit } from './shell/quit.ts';
import { fileSaver } from './shell/save-file.ts';
import { hiddenArgument, startOptionsOf } from './shell/start-options.ts';
import { updateFeed } from './shell/update-feed.ts';
import { focusWindow, mainWindow } from './shell/window.ts';
import { denyPermissions, ofSourceServer } from './shell/window-guards.ts';
import { ignoreRejection, jsonFile } from './storage/json-file.ts';
import { defaultPort, preferences } from './storage/preferences.ts';
import { suggestedProfile } from './storage/profile.ts';
import { secretStore, storedSecrets } from './storage/secrets.ts';

interface DesktopOptions {
  /** What the system has asked to open, before and after the start. */
  offers: WaitingOffer;
  /** The address of the server that has the page's sources and tells the page of changes; undefined for a built page. */
  sourceServer: string | undefined;
  /** What a start at login starts. */
  program: string;
  /** Linux without X, where the system asks before it gives away keys. */
  isWayland: boolean;
  platform: NodeJS.Platform;
  args: readonly string[];
}

/** Puts the app together and starts it, once Electron is ready. What it cannot do without throws. */
export function runDesktop(options: DesktopOptions): void {
  const { offers, sourceServer, platform, args } = options;
  const folder = app.getPath('userData');
  const damages: string[] = [];
  const log = logFile({
    path: join(folder, 'logs', 'waypost.log'),
    now: () => new Date(),
    onDamage: (message) => damages.push(message),
  });
  process.on('uncaughtExceptionMonitor', (error) =>
    log.note('the app failed', { stack: error.stack ?? error.message }),
  );
  log.note('the app starts', { version: app.getVersion() });

  const onDamage = (message: string) => {
    log.note(message);
    damages.push(message);
  };
  const onNotWritten = (message: string) => log.note(message);
  const remembered = jsonFile({
    path: join(folder, 'preferences.json'),
    schema: preferences,
    empty: {},
    onDamage,
  });
  const keys = jsonFile({ path: join(folder, 'keys.json'), schema: storedSecrets, empty: {}, onDamage });
  const secrets = secretStore({
    keyStore: safeStorage,
    platform,
    file: keys,
    log,
  });

  const pictures = join(import.meta.dirname, '../pictures');
  // For people who run the sources; a link in any web page can start an installed app, with words of its own.
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
      read: () => startOptions.port ?? remembered.read().port ?? defaultPort,
      keep: (port) => ignoreRejection(() => remembered.write({ ...remembered.read(), port }), onNotWritten),
    },
  });

  const instances = knownInstances({
    file: jsonFile({
      path: join(folder, 'instances.json'),
      schema: storedInstances,
      empty: { remotes: [], current: localId },
      onDamage,
    }),
    secrets,
    server,
    onNotWritten,
  });
  // Node's fetch for our own server: no proxy, cache or cookie jar can come between. Chromium's for others: it
  // knows the system's proxies and the certificates that the system trusts. Node's again where a person accepted a
  // certificate themselves, because there nothing else may be trusted.
  const fetchers = {
    local: fetch,
    remote: remoteFetcher(instances.pinOf, chromiumFetcher(net.request)),
  };
  const device = `Waypost on ${hostname()}`.slice(0, 120);
  const accepted = pins(instances, Date.now);
  const requests = apiRequests({
    instances,
    secrets,
    fetchers,
    keepToken: tokenKeeper({
      secrets,
      instances,
      signIn: signInAt(fetchers, device),
      log,
    }),
  });

  const files = uploads({
    instances,
    secrets,
    senders: {
      local: fetchSender(fetch),
      remote: remoteSender(instances.pinOf, chromiumSender(net.request)),
    },
  });

  let window: BrowserWindow | undefined;
  const openWindow = () => (window && !window.isDestroyed() ? window : undefined);
  const page = () => openWindow()?.webContents;
  const push = pushTo(page);
  const events = liveEvents({ instances, secrets, fetchers });
  const subscriptions = subscriptionsOf(events, (name, document) => push('events:document', name, document));
  offers.onWaiting(() => push('offers:waiting'));
  const background = backgroundParts({
    remembered,
    requests,
    instances,
    events,
    server,
    log,
    platform,
    asksForKeys: options.isWayland,
    login: loginItem({
      app,
      platform,
      isPackaged: app.isPackaged,
      program: options.program,
      switches: app.commandLine.hasSwitch('no-sandbox') ? ['--no-sandbox'] : [],
    }),
    pictures,
    updateFeed,
    fetcher: chromiumFetcher(net.request),
    showWindow,
    newLink: () => send('new-link'),
    onChange: (state) => push('app:changed', state),
  });
  const throughBrowser = browserSignIns({
    instances,
    secrets,
    fetcher: fetchers.remote,
    open: openExternal,
    onReturn: showWindow,
    device,
    randomBytes,
  });
  const showLog = async () => {
    await log.flush();
    shell.showItemInFolder(log.path);
  };

  answerCalls({
    page,
    isPageAddress: isPageDocument,
    log,
    handlers: {
      'instances:list': () => instances.list(),
      'instances:current': () => instances.current(),
      'instances:select': (id) => instances.select(id),
      'instances:add': (choice) => instances.add(choice),
      'instances:edit': (id, choice) => instances.edit(id, choice),
      'instances:remove': (id) => instances.remove(id),
      'instances:keep-key': (id, key) => instances.keepKey(id, key),
      'instances:sign-in': (id) => (id === '' ? throughBrowser.cancel() : throughBrowser.begin(id)),
      'instances:forget-key': (id) => instances.forgetKey(id),
      'instances:certificate': (id) => accepted.look(id),
      'instances:accept-certificate': (id, fingerprint) => accepted.accept(id, fingerprint),
      'api:request': (id, requestId, request) => requests.send(id, requestId, request),
      'api:cancel': (requestId) => requests.cancel(requestId),
      'upload:begin': (id, uploadId, path, size, account) => files.begin(id, uploadId, path, size, account),
      'upload:part': (uploadId, bytes) => files.part(uploadId, bytes),
      'upload:end': (uploadId) => files.end(uploadId),
      'upload:cancel': (uploadId) => files.cancel(uploadId),
      'events:subscribe': (name, id, account) => subscriptions.open(name, id, account),
      'events:unsubscribe': (name) => subscriptions.close(name),
      'profile:suggest': () => suggestedProfile(),
      'external:open': async (address) => void (await openExternal(address)),
      'clipboard:copy': (text) => clipboard.writeText(text),
      'clipboard:copy-picture': (png) => copyPicture(clipboard, png),
      'file:save': fileSaver({ dialog, window: openWindow, log }),
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
      images: instanceImages({ instances, fetchers }),
      sources: sourceServer === undefined ? undefined : { server: sourceServer, fetcher: fetch },
    }),
  );
  denyPermissions(session.defaultSession, log, sourceServer === undefined ? [] : ofSourceServer);
  const send = (command: Command) => {
    showWindow();
    push('command', command);
  };
  // The app is useful without any of these, and none of them may keep its window away.
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

  const ending = finishBeforeQuit(app, powerMonitor, async () => {
    await server.stop();
    log.note('the app ends');
    await log.flush();
  });
  app.on('before-quit', () => server.mayEnd(true));
  app.on('second-instance', (_event, given) => {
    const offer = offerAmong(given);
    // A session that is restored with the app in it may start it at sign-in all the same.
    if (offer !== undefined || !given.includes(hiddenArgument)) showWindow();
    offers.add(offer);
  });
  app.on('activate', showWindow);
  app.on('open-url', showWindow);
  app.on('child-process-gone', (_event, { type, reason, exitCode, name }) => {
    log.note('a process of the app is gone', { type, reason, exitCode, name: name ?? '' });
  });
  app.on('window-all-closed', () => {
    // On macOS an app lives on without windows; its Dock icon opens a new one.
    if (platform === 'darwin') return;
    background.mayStay().then(
      (stays) => stays || app.quit(),
      () => app.quit(),
    );
  });

  server.start();
  let isHidden = false;
  // A start at login is not somebody who wants to see a window.
  attempt('the start at sign-in', () => {
    isHidden = isStartAtLogin(app, platform, args);
  });
  if (!isHidden) showWindow();
  background.start();
  offers.add(offerAmong(args));
  // Each file is read now, so that what is lost is told once and not somewhere in the middle.
  instances.list();
  keys.read();
  if (damages.length > 0) void tellDamages(damages);

  function showWindow(): void {
    // The tray and the Dock are there until the very end.
    if (ending.isUnderWay()) return;
    if (window && !window.isDestroyed()) {
      focusWindow(window);
      return;
    }
    window = mainWindow({
      page: startPage,
      preload: join(import.meta.dirname, '../preload/index.cjs'),
      version: app.getVersion(),
      isDevelopment: !app.isPackaged,
      isPage: isPageDocument,
      // macOS shows the program's own in the Dock.
      icon:
        platform === 'darwin' ? undefined : join(pictures, platform === 'win32' ? 'tray.ico' : 'icon.png'),
      log,
      state: {
        read: () => remembered.read().window,
        keep: (state) =>
          ignoreRejection(() => remembered.write({ ...remembered.read(), window: state }), onNotWritten),
      },
      onStay: () => server.mayEnd(false),
      // Windows ends what is still there a few seconds later, and asks no quit for it.
      onSystemEnd: () => void server.stop(),
      onNewDocument() {
        throughBrowser.cancel();
        requests.cancelAll();
        files.cancelAll();
        subscriptions.closeAll();
      },
    });
  }
}

/** Says once what could not be read at the start, in the words of the files that told of it. */
async function tellDamages(damages: readonly string[]): Promise<void> {
  await dialog.showMessageBox({
    type: 'warning',
    message: 'Some settings could not be read',
    detail: `${damages.join('\n\n')}\n\nYour links are not touched by this. Settings of this app, other instances or sign-ins may be missing.`,
    buttons: ['OK'],
  });
}
