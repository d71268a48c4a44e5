import { hostname } from 'node:os';
import { join } from 'node:path';
import {
  app,
  type BrowserWindow,
  clipboard,
  net,
  protocol,
  safeStorage,
  session,
  shell,
  utilityProcess,
} from 'electron';
import type { Command } from '../preload/contract.ts';
import { apiRequests } from './api-request.ts';
import { appProtocol, appScheme, isPageAddress, pageOrigin, startPage } from './app-protocol.ts';
import { companion } from './companion.ts';
import { deepLinkScheme, offerAmong, offerOf, waitingOffer } from './deep-link.ts';
import { instanceImages } from './instance-image.ts';
import { knownInstances, localId, storedInstances } from './instances.ts';
import { answerCalls, pushTo } from './ipc.ts';
import { jsonFile } from './json-file.ts';
import { tokenKeeper } from './keep-token.ts';
import { liveEvents } from './live-events.ts';
import { logFile } from './log-file.ts';
import { hiddenArgument } from './login-item.ts';
import { setMenu } from './menu.ts';
import { openExternal } from './open-external.ts';
import { pins, remoteFetcher, remoteSender } from './pins.ts';
import { defaultPort, preferences } from './preferences.ts';
import { suggestedProfile } from './profile.ts';
import { finishBeforeQuit } from './quit.ts';
import { secretStore, storedSecrets } from './secrets.ts';
import { serverProcess } from './server-process.ts';
import { signInAt } from './sign-in.ts';
import { chromiumSender, fetchSender } from './stream-senders.ts';
import { subscriptionsOf } from './subscriptions.ts';
import { uploads } from './uploads.ts';
import { focusWindow, mainWindow } from './window.ts';
import { denyPermissions } from './window-guards.ts';

/** Set by electron-vite in development: the page then comes from its server, which reloads it on change. */
const developmentPage = app.isPackaged ? undefined : process.env.ELECTRON_RENDERER_URL;

if (app.requestSingleInstanceLock()) {
  protocol.registerSchemesAsPrivileged([appScheme]);
  // In development the program is Electron's own, which would be registered without the app.
  if (app.isPackaged) app.setAsDefaultProtocolClient(deepLinkScheme);
  app.enableSandbox();
  void app.whenReady().then(run);
} else {
  // The one that runs already comes to the front (see `second-instance` below).
  app.quit();
}

function run(): void {
  const folder = app.getPath('userData');
  const log = logFile({ path: join(folder, 'logs', 'waypost.log'), now: () => new Date() });
  process.on('uncaughtExceptionMonitor', (error) =>
    log.note('the app failed', { stack: error.stack ?? error.message }),
  );
  log.note('the app starts', { version: app.getVersion() });

  const onDamage = (message: string) => log.note(message);
  const remembered = jsonFile({
    path: join(folder, 'preferences.json'),
    schema: preferences,
    empty: {},
    onDamage,
  });
  const secrets = secretStore({
    keyStore: safeStorage,
    platform: process.platform,
    file: jsonFile({ path: join(folder, 'keys.json'), schema: storedSecrets, empty: {}, onDamage }),
    log,
  });

  const server = serverProcess({
    fork: (args) =>
      utilityProcess.fork(join(import.meta.dirname, 'server.js'), args, {
        stdio: 'pipe',
        serviceName: 'Waypost server',
      }),
    dataFolder: join(folder, 'data'),
    log,
    now: () => performance.now(),
    port: {
      read: () => remembered.read().port ?? defaultPort,
      keep: (port) => remembered.write({ ...remembered.read(), port }),
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
  });
  // Node's fetch for our own server: no proxy, cache or cookie jar can come between. Chromium's for others: it
  // knows the system's proxies and the certificates that the system trusts. Node's again where a person accepted a
  // certificate themselves, because there nothing else may be trusted.
  const fetchers = {
    local: fetch,
    remote: remoteFetcher(instances.pinOf, (address, init) => net.fetch(address, init)),
  };
  const accepted = pins(instances, Date.now);
  const requests = apiRequests({
    instances,
    secrets,
    fetchers,
    keepToken: tokenKeeper({
      secrets,
      instances,
      signIn: signInAt(fetchers, `Waypost on ${hostname()}`.slice(0, 120)),
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
  const page = () => (window && !window.isDestroyed() ? window.webContents : undefined);
  const push = pushTo(page);
  const events = liveEvents({ instances, secrets, fetchers });
  const subscriptions = subscriptionsOf(events, (name, document) => push('events:document', name, document));
  const offers = waitingOffer(() => push('offers:waiting'));
  const beside = companion({
    remembered,
    requests,
    instances,
    events,
    server,
    log,
    platform: process.platform,
    // An AppImage is mounted elsewhere each time, so it is its own file that is started.
    program: process.env.APPIMAGE ?? process.execPath,
    pictures: join(import.meta.dirname, '../pictures'),
    updateFeed: process.env.WAYPOST_UPDATE_FEED,
    fetcher: net.fetch,
    showWindow,
    newLink: () => send('new-link'),
  });
  const showLog = async () => {
    await log.flush();
    shell.showItemInFolder(log.path);
  };

  answerCalls({
    page,
    isPageAddress: (address) => isPageAddress(address) || isDevelopmentAddress(address),
    log,
    handlers: {
      'instances:list': () => instances.list(),
      'instances:current': () => instances.current(),
      'instances:select': (id) => instances.select(id),
      'instances:add': (choice) => instances.add(choice),
      'instances:edit': (id, choice) => instances.edit(id, choice),
      'instances:remove': (id) => instances.remove(id),
      'instances:keep-key': (id, key) => instances.keepKey(id, key),
      'instances:forget-key': (id) => instances.forgetKey(id),
      'instances:certificate': (id) => accepted.look(id),
      'instances:accept-certificate': (id, fingerprint) => accepted.accept(id, fingerprint),
      'api:request': (id, requestId, request) => requests.send(id, requestId, request),
      'api:cancel': (requestId) => requests.cancel(requestId),
      'upload:begin': (id, uploadId, path, size) => files.begin(id, uploadId, path, size),
      'upload:part': (uploadId, bytes) => files.part(uploadId, bytes),
      'upload:end': (uploadId) => files.end(uploadId),
      'upload:cancel': (uploadId) => files.cancel(uploadId),
      'events:subscribe': (name, id) => subscriptions.open(name, id),
      'events:unsubscribe': (name) => subscriptions.close(name),
      'profile:suggest': () => suggestedProfile(),
      'external:open': (address) => openExternal(address),
      'clipboard:copy': (text) => clipboard.writeText(text),
      'server:state': () => server.state(),
      'server:restart': () => server.restart(),
      'server:show-log': showLog,
      'app:standing': () => beside.standing(),
      'app:choose': (change) => beside.choose(change),
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
    }),
  );
  denyPermissions(session.defaultSession, pageOrigin, log);
  const send = (command: Command) => {
    showWindow();
    push('command', command);
  };
  setMenu({
    platform: process.platform,
    isDevelopment: !app.isPackaged,
    send,
    showLog: () => void showLog(),
  });

  server.start();
  beside.start();
  // A start at login is not somebody who wants to see a window.
  if (!process.argv.includes(hiddenArgument)) showWindow();
  app.on('second-instance', (_event, args) => {
    showWindow();
    offers.add(offerAmong(args));
  });
  app.on('activate', showWindow);
  app.on('open-url', (event, address) => {
    event.preventDefault();
    showWindow();
    offers.add(offerOf(address));
  });
  offers.add(offerAmong(process.argv));
  app.on('window-all-closed', () => {
    // On macOS an app lives on without windows; its Dock icon opens a new one.
    if (process.platform === 'darwin') return;
    void beside.mayStay().then((stays) => stays || app.quit());
  });
  finishBeforeQuit(app, async () => {
    await server.stop();
    log.note('the app ends');
    await log.flush();
  });

  function showWindow(): void {
    if (window && !window.isDestroyed()) {
      focusWindow(window);
      return;
    }
    window = mainWindow({
      page: developmentPage ? new URL('/admin/', developmentPage).href : startPage,
      preload: join(import.meta.dirname, '../preload/index.cjs'),
      version: app.getVersion(),
      isDevelopment: !app.isPackaged,
      log,
      state: {
        read: () => remembered.read().window,
        keep: (state) => remembered.write({ ...remembered.read(), window: state }),
      },
      onNewDocument() {
        requests.cancelAll();
        files.cancelAll();
        subscriptions.closeAll();
      },
    });
  }
}

function isDevelopmentAddress(address: string): boolean {
  if (!developmentPage || !URL.canParse(address)) return false;
  return new URL(address).origin === new URL(developmentPage).origin;
}
