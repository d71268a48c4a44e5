import { join } from 'node:path';
import { app, clipboard, globalShortcut } from 'electron';
import type { AppState, DesktopChange, DesktopChoices } from '../../preload/contract.ts';
import type { Instances } from '../instances/instances.ts';
import { localId } from '../instances/instances.ts';
import { watchInstance } from '../instances/watch-instance.ts';
import type { ApiRequests } from '../requests/api-request.ts';
import type { Fetcher } from '../requests/fetcher.ts';
import type { LiveEvents } from '../requests/live-events.ts';
import { Refused } from '../requests/refused.ts';
import type { LogFile } from '../server/log-file.ts';
import type { ServerProcess } from '../server/server-process.ts';
import { ignoreRejection, type JsonFile } from '../storage/json-file.ts';
import type { Preferences } from '../storage/preferences.ts';
import type { LoginItem } from './login-item.ts';
import { type Notice, notifications } from './notify.ts';
import type { Questions } from './questions.ts';
import { quickShorten } from './quick-shorten.ts';
import { recentLinks } from './recent-links.ts';
import { appTray, type RecentLink } from './tray.ts';
import { updateWatch } from './updates.ts';

/** App features outside the window: tray, global shortcuts, notifications, start at login and updates. */
export interface Background {
  getState(): AppState;
  update(change: DesktopChange): AppState;
  /** Whether the app keeps running without a window; asks the user the first time. */
  mayStay(): Promise<boolean>;
  /** Creates the tray icon, registers the shortcuts and starts watching for events. */
  start(): void;
}

interface BackgroundOptions {
  remembered: JsonFile<Preferences>;
  requests: ApiRequests;
  instances: Instances;
  events: LiveEvents;
  server: ServerProcess;
  log: LogFile;
  ask: Questions['ask'];
  platform: NodeJS.Platform;
  /** Whether the default shortcut is active until the user changes it. */
  hasUsualKeys: boolean;
  login: LoginItem;
  /** The folder of the tray icons. */
  pictures: string;
  /** The URL of this build's release feed; if undefined, the app never checks for updates. */
  updateFeed: string | undefined;
  fetcher: Fetcher;
  showWindow: () => void;
  newLink: () => void;
  /** Called when the state changes without a request from the page. */
  onChange: (state: AppState) => void;
}

const defaultChoices = {
  shortcut: 'CommandOrControl+Shift+L',
  background: false,
  notifications: true,
  updates: true,
} as const;

/** Windows scales an icon that has no variant for the screen's resolution. */
const trayPictures: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'trayTemplate.png',
  win32: 'tray.ico',
};

/** Intervals for refreshing the tray's links and checking for updates. Milliseconds. */
const refreshEvery = 5 * 60_000;
const updatesEvery = 24 * 60 * 60_000;

export function backgroundParts(options: BackgroundOptions): Background {
  const { remembered, requests, instances, events, server, log, platform, login, showWindow } = options;
  const defaultShortcut = options.hasUsualKeys ? defaultChoices.shortcut : null;
  const notifyAlways = notifications({
    onClick: showWindow,
    onNotShown(notice) {
      missed = notice;
      drawTray();
    },
    log,
  });
  const notify = (notice: Notice) => {
    if (choices().notifications) notifyAlways(notice);
  };
  const shorten = quickShorten({ clipboard, requests, instance: currentInstance, notify: notifyAlways });
  const updates = updateWatch({
    feed: options.updateFeed,
    current: app.getVersion(),
    fetcher: options.fetcher,
    isWanted: () => choices().updates,
    onNew: ({ version }) =>
      notify({ title: `Waypost ${version} is available`, body: 'Get it in Settings, This app.' }),
  });
  let isShortcutTaken = false;
  /** The newest links, and the id of their instance. */
  let recent: { of: string; links: readonly RecentLink[] } | undefined;
  /** The last notification that the system did not show. */
  let missed: Notice | undefined;
  let showTray: ReturnType<typeof appTray> | undefined;

  function choices(): Omit<DesktopChoices, 'openAtLogin'> {
    const chosen = remembered.read();
    return {
      shortcut: chosen.shortcut === undefined ? defaultShortcut : chosen.shortcut,
      background: chosen.background ?? defaultChoices.background,
      notifications: chosen.notifications ?? defaultChoices.notifications,
      updates: chosen.updates ?? defaultChoices.updates,
    };
  }

  function getState(): AppState {
    const update = updates.found();
    const updateCheck = updates.check();
    return {
      ...choices(),
      isShortcutTaken,
      ...loginStanding(),
      hasUpdateFeed: options.updateFeed !== undefined,
      ...(update && { update }),
      ...(updateCheck && { updateCheck }),
    };
  }

  function lookForUpdate(): void {
    void updates.look().then(() => options.onChange(getState()));
  }

  function loginStanding(): Pick<AppState, 'canOpenAtLogin' | 'needsApproval' | 'openAtLogin'> {
    const getState = { canOpenAtLogin: login.isPossible, openAtLogin: false, needsApproval: false };
    attempt('the start at sign-in', () => {
      getState.openAtLogin = login.isSet();
      getState.needsApproval = login.needsApproval();
    });
    return getState;
  }

  function currentInstance(): { id: string; name: string } {
    const id = instances.current();
    return instances.list().find((known) => known.id === id) ?? { id, name: 'Waypost' };
  }

  /** Throws for an invalid accelerator. */
  function registerShortcut(shortcut: string | null): void {
    globalShortcut.unregisterAll();
    isShortcutTaken = shortcut !== null && !globalShortcut.register(shortcut, shortenCopied);
    if (isShortcutTaken) log.note('another program uses the global shortcut');
  }

  /** Runs an optional step; a failure is only logged. */
  function attempt(what: string, part: () => void): void {
    try {
      part();
    } catch (error) {
      log.note(`${what} does not work`, { why: error instanceof Error ? error.message : 'unknown' });
    }
  }

  function shortenCopied(): void {
    shorten().then(refreshTray, (error: Error) => {
      log.note('shortening the clipboard failed', { stack: error.stack ?? error.message });
      notifyAlways({
        title: 'The link was not created',
        body: 'Something went wrong. See the log file.',
      });
    });
  }

  function copyAddress(address: string): void {
    clipboard.writeText(address).catch((error: Error) => {
      log.note('an address could not be copied', { why: error.message });
      notifyAlways({ title: 'The address could not be copied', body: address });
    });
  }

  function drawTray(): void {
    const { shortcut } = choices();
    const { id, name } = currentInstance();
    showTray?.({
      instance: name,
      // After switching instances, do not show the previous one's links while the new ones load.
      recent: recent?.of === id ? recent.links : undefined,
      missed: missed && `${missed.title}: ${missed.body}`,
      shortcut: shortcut && !isShortcutTaken ? shortcut : undefined,
    });
  }

  async function refreshTray(): Promise<void> {
    const { id } = currentInstance();
    const links = await recentLinks(requests, id);
    if (id === currentInstance().id) recent = { of: id, links };
    drawTray();
  }

  function tryRefreshTray(): void {
    refreshTray().catch((error: Error) =>
      log.note('the recent links could not be read', { why: error.message }),
    );
  }

  function changeShortcut(shortcut: string | null): void {
    try {
      registerShortcut(shortcut);
    } catch {
      attempt('the keys', () => registerShortcut(choices().shortcut));
      throw new Refused('The system does not support these keys. Choose others.');
    }
  }

  return {
    getState,
    update({ openAtLogin, ...change }) {
      const before = { shortcut: choices().shortcut, openAtLogin: loginStanding().openAtLogin };
      const undo: (() => void)[] = [];
      try {
        // Register before saving: a shortcut that cannot be registered would fail at every start.
        if (change.shortcut !== undefined) {
          changeShortcut(change.shortcut);
          undo.push(() => attempt('the keys', () => registerShortcut(before.shortcut)));
        }
        if (openAtLogin !== undefined) {
          login.set(openAtLogin);
          undo.push(() => attempt('the start at sign-in', () => login.set(before.openAtLogin)));
        }
        // The login item is stored by the operating system.
        if (Object.keys(change).length > 0) remembered.write({ ...remembered.read(), ...change });
      } catch (error) {
        // A rejected change must not be partly applied.
        for (const step of undo) step();
        throw error;
      }
      if (change.updates) lookForUpdate();
      attempt('the menu of the tray', drawTray);
      return getState();
    },
    async mayStay() {
      // Without a tray icon there would be no way to reopen the window.
      if (!showTray) return false;
      const { background } = remembered.read();
      if (background !== undefined) return background;
      const answer = await options.ask({
        type: 'question',
        message: 'Keep Waypost running in the background?',
        detail:
          'Short links on this computer work only while Waypost runs. You can change this in the settings.',
        buttons: ['Quit', 'Keep running'],
        defaultId: 1,
        cancelId: 0,
      });
      if (answer === undefined) return false;
      ignoreRejection(
        () => remembered.write({ ...remembered.read(), background: answer === 1 }),
        (why) => log.note('a setting could not be stored', { why }),
      );
      return answer === 1;
    },
    start() {
      attempt('the tray', () => {
        showTray = appTray(join(options.pictures, trayPictures[platform] ?? 'tray.png'), platform, {
          open: showWindow,
          newLink: options.newLink,
          shortenCopied,
          copy: copyAddress,
          openMissed() {
            missed = undefined;
            drawTray();
            showWindow();
          },
          quit: () => app.quit(),
        });
      });
      attempt('the keys', () => registerShortcut(choices().shortcut));
      attempt('the menu of the tray', drawTray);
      attempt('the start at sign-in', login.renew);
      let wasRunning = false;
      server.onChange((state) => {
        if (state.state === 'running') tryRefreshTray();
        if (state.state === 'restarting' && wasRunning) {
          notify({
            title: 'The server stopped unexpectedly',
            body: 'It is restarting. Nothing was lost.',
          });
        }
        if (state.state === 'stopped') notify({ title: 'The server has stopped', body: state.message });
        wasRunning = state.state === 'running';
      });
      instances.onChange(() => {
        drawTray();
        tryRefreshTray();
      });
      watchInstance({ instanceId: localId, events, requests, notify });
      setInterval(tryRefreshTray, refreshEvery).unref();
      lookForUpdate();
      setInterval(lookForUpdate, updatesEvery).unref();
    },
  };
}
