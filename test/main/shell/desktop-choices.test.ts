import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { ApiRequests } from '../../../main/requests/api-request.ts';
import type { ServerProcess } from '../../../main/server/server-process.ts';
import { type Background, backgroundParts } from '../../../main/shell/background.ts';
import type { Preferences } from '../../../main/storage/preferences.ts';
import { instancesAt, memoryFile, memoryLog } from '../../support/desktop-parts.ts';

/** The keys that the system has for the app. */
const system = vi.hoisted(() => ({ keys: undefined as string | undefined }));
vi.mock('electron', () => ({
  app: { getVersion: () => '0.0.0' },
  clipboard: {},
  globalShortcut: {
    register(keys: string) {
      if (keys.includes('Foo')) throw new TypeError('conversion failure');
      system.keys = keys;
      return true;
    },
    unregisterAll() {
      system.keys = undefined;
    },
  },
}));
beforeEach(() => {
  system.keys = undefined;
});

describe('a choice about the app', () => {
  test('is remembered only after the system has taken it', () => {
    const { background, remembered } = choices({ shortcut: 'Alt+K' });
    expect(() => background.update({ shortcut: 'Foo+L' })).toThrow('does not support these keys');
    expect([remembered.read().shortcut, system.keys]).toEqual(['Alt+K', 'Alt+K']);
    expect(background.update({ shortcut: 'Alt+L' }).shortcut).toBe('Alt+L');
    expect([remembered.read().shortcut, system.keys]).toEqual(['Alt+L', 'Alt+L']);
  });

  test('that cannot be written is not in force either', () => {
    const { background, login } = choices({ shortcut: 'Alt+K' }, { isFull: true });
    const change = { shortcut: 'Alt+L', openAtLogin: true };
    expect(() => background.update(change)).toThrow('The disk is full.');
    expect([system.keys, login.isSet()]).toEqual(['Alt+K', false]);
    expect(background.getState()).toMatchObject({ shortcut: 'Alt+K', openAtLogin: false });
  });

  test('that the system refuses takes those of the same call back with it', () => {
    const { background, remembered, login } = choices({ shortcut: 'Alt+K' });
    login.set = () => {
      throw new Error('the folder cannot be written');
    };
    expect(() => background.update({ shortcut: null, openAtLogin: true })).toThrow('cannot be written');
    expect([remembered.read().shortcut, system.keys]).toEqual(['Alt+K', 'Alt+K']);
  });

  test('of the start at sign-in, which the system remembers, needs no room for settings', () => {
    const { background, login } = choices({}, { isFull: true });
    expect(background.update({ openAtLogin: true }).openAtLogin).toBe(true);
    expect(login.isSet()).toBe(true);
  });
});

function choices(kept: Preferences, { isFull = false } = {}) {
  const { instances, server } = instancesAt({ local: { origin: 'http://127.0.0.1:8420' } });
  const remembered = memoryFile<Preferences>(kept, isFull);
  let isSet = false;
  const login = {
    isPossible: true,
    isSet: () => isSet,
    needsApproval: () => false,
    set(isOn: boolean) {
      isSet = isOn;
    },
    renew() {},
  };
  const background: Background = backgroundParts({
    remembered,
    requests: {} as ApiRequests,
    instances,
    events: { follow: () => () => {} },
    server: { ...server, restart() {} } as unknown as ServerProcess,
    log: memoryLog(),
    ask: async () => undefined,
    platform: 'linux',
    hasUsualKeys: true,
    login,
    pictures: '/nowhere',
    updateFeed: undefined,
    fetcher: () => Promise.reject(new Error('nothing is fetched here')),
    showWindow() {},
    newLink() {},
    onChange() {},
  });
  return { background, remembered, login };
}
