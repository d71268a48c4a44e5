import type { MenuItemConstructorOptions } from 'electron';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ApiRequests } from '../../../main/requests/api-request.ts';
import type { ServerProcess } from '../../../main/server/server-process.ts';
import { backgroundParts } from '../../../main/shell/background.ts';
import { appTray } from '../../../main/shell/tray.ts';
import type { Preferences } from '../../../main/storage/preferences.ts';
import type { ApiReply } from '../../../preload/contract.ts';
import { instancesAt, memoryFile, memoryLog } from '../../support/desktop-parts.ts';

/** The system's side of a tray: the menus that were shown, newest last. */
const shown = vi.hoisted((): { label?: string }[][] => []);
const listeners = vi.hoisted(() => new Map<string, () => void>());
vi.mock('electron', () => ({
  app: { getPath: () => '/nowhere', getVersion: () => '0.0.0' },
  clipboard: {},
  dialog: {},
  globalShortcut: { register: () => true, unregisterAll() {} },
  Menu: { buildFromTemplate: (items: MenuItemConstructorOptions[]) => items },
  nativeImage: { createFromPath: () => ({ isEmpty: () => false, setTemplateImage() {} }) },
  Notification: {},
  Tray: class {
    setToolTip() {}
    on(event: string, listener: () => void) {
      listeners.set(event, listener);
    }
    setContextMenu(items: { label?: string }[]) {
      shown.push(items);
    }
  },
}));

beforeEach(() => {
  vi.useFakeTimers();
  shown.length = 0;
  listeners.clear();
});
afterEach(() => {
  vi.useRealTimers();
});

const labels = () => (shown.at(-1) ?? []).map(({ label }) => label ?? '');
const listOf = (alias: string): ApiReply => ({
  status: 200,
  headers: {},
  body: { data: { urls: [{ shorturl: `https://go.example/${alias}`, title: null }] } },
});

test('the tray shows the links of the instance that is shown, and never those of the one before', async () => {
  const { instances, server } = instancesAt({
    local: { origin: 'http://127.0.0.1:8420', key: 'local key' },
    work: { origin: 'https://links.example', key: 'remote key' },
  });
  const answers = new Map<string, (reply: ApiReply) => void>();
  const requests: ApiRequests = {
    send: (instance) => new Promise((resolve) => answers.set(instance, resolve)),
    cancel() {},
    cancelAll() {},
  };
  backgroundParts({
    remembered: memoryFile<Preferences>({}),
    requests,
    instances,
    events: { follow: () => () => {} },
    server: { ...server, restart() {} } as unknown as ServerProcess,
    log: memoryLog(),
    ask: async () => undefined,
    platform: 'linux',
    hasUsualKeys: true,
    login: { isPossible: true, isSet: () => false, needsApproval: () => false, set() {}, renew() {} },
    pictures: '/nowhere',
    updateFeed: undefined,
    fetcher: () => Promise.reject(new Error('nothing is fetched here')),
    showWindow() {},
    newLink() {},
    onChange() {},
  }).start();

  instances.noteSignIn('local');
  answers.get('local')?.(listOf('ours'));
  await vi.advanceTimersByTimeAsync(0);
  expect(labels()).toContain('Copy a recent link of This computer');
  expect(labels()).toContain('go.example/ours');

  instances.select('work');
  expect(labels()).toContain('Looking for the links of work…');
  expect(labels()).not.toContain('go.example/ours');
  answers.get('work')?.(listOf('theirs'));
  await vi.advanceTimersByTimeAsync(0);
  expect(labels()).toContain('Copy a recent link of work');
  expect(labels()).toContain('go.example/theirs');

  // An answer of the one before that comes late is not its own.
  instances.select('local');
  const late = answers.get('local');
  instances.select('work');
  late?.(listOf('ours'));
  await vi.advanceTimersByTimeAsync(0);
  expect(labels()).toContain('go.example/theirs');
  expect(labels()).not.toContain('go.example/ours');
});

// macOS sends `click` as well when it opens the menu (tray_icon_cocoa.mm), the others instead of it.
test.each([
  ['darwin', 0],
  ['linux', 1],
  ['win32', 1],
] as const)('a click on the icon on %s opens the window %i times', (platform, times) => {
  const open = vi.fn();
  const unused = () => {};
  appTray('/nowhere', platform, {
    open,
    newLink: unused,
    shortenCopied: unused,
    copy: unused,
    openMissed: unused,
    quit: unused,
  });
  listeners.get('click')?.();
  expect(open).toHaveBeenCalledTimes(times);
});
