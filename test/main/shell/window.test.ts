import { EventEmitter } from 'node:events';
import type { App, PowerMonitor, Rectangle, Session, WebContents } from 'electron';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { menuTemplate } from '../../../main/shell/menu.ts';
import { finishBeforeQuit } from '../../../main/shell/quit.ts';
import { denyPermissions, keepOnPage, ofSourceServer } from '../../../main/shell/window-guards.ts';
import { minimumSize, placeWindow } from '../../../main/shell/window-state.ts';
import { memoryLog } from '../../support/desktop-parts.ts';

vi.mock('electron', () => ({ Menu: {} }));

const screen = { x: 0, y: 0, width: 1920, height: 1040 };
const second = { x: 1920, y: -200, width: 2560, height: 1400 };

describe('the window', () => {
  test('opens with a comfortable size the first time', () => {
    expect(placeWindow(undefined, [screen])).toEqual({ width: 1280, height: 820 });
  });

  test('opens where it was, on whichever display that is', () => {
    for (const bounds of [
      { x: 10, y: 20, width: 1000, height: 700 },
      { x: 2000, y: -100, width: 1400, height: 900 },
    ]) {
      expect(placeWindow({ bounds, maximized: false }, [screen, second])).toEqual(bounds);
    }
  });

  test('opens in the middle of the main display when its own is gone', () => {
    const bounds = { x: 2000, y: -100, width: 1400, height: 900 };
    expect(placeWindow({ bounds, maximized: false }, [screen])).toEqual({ width: 1400, height: 900 });
  });

  test('is no larger than its display and no smaller than its minimum', () => {
    const bounds = { x: 0, y: 0, width: 5000, height: 10 };
    expect(placeWindow({ bounds, maximized: false }, [screen])).toEqual({
      ...bounds,
      width: 1920,
      height: 600,
    });
  });

  test('always has its title bar within reach', () => {
    const number = fc.integer({ min: -5000, max: 5000 });
    const size = fc.integer({ min: 1, max: 5000 });
    fc.assert(
      fc.property(number, number, size, size, (x, y, width, height) => {
        const place = placeWindow({ bounds: { x, y, width, height }, maximized: false }, [screen, second]);
        expect(place.width).toBeGreaterThanOrEqual(minimumSize.width);
        if (place.x === undefined || place.y === undefined) return;
        const { x: left, y: top, width: wide } = place as Rectangle;
        const isReachable = [screen, second].some(
          (area) =>
            top >= area.y &&
            top <= area.y + area.height - 40 &&
            Math.min(left + wide, area.x + area.width) - Math.max(left, area.x) >= 120,
        );
        expect(isReachable).toBe(true);
      }),
    );
  });
});

describe('a page that was taken over (T-31)', () => {
  const isPage = (address: string) => address.startsWith('app://waypost/admin/');

  test('may load itself anew, and nothing else of the same origin', () => {
    const events = new EventEmitter();
    keepOnPage(contents(events), isPage, memoryLog());
    const isDenied = (url: string, isMainFrame = true) => {
      const preventDefault = vi.fn();
      events.emit('will-frame-navigate', { preventDefault, url, isMainFrame });
      if (isMainFrame) events.emit('will-navigate', { preventDefault, url, isMainFrame });
      return preventDefault.mock.calls.length > 0;
    };
    expect(isDenied('app://waypost/admin/links')).toBe(false);
    expect(isDenied('app://waypost/admin/links', false)).toBe(true);
    expect(isDenied('app://waypost/instance/evil/page.svg')).toBe(true);
    expect(isDenied('https://evil.example/')).toBe(true);
  });

  test.each(['will-navigate', 'will-frame-navigate', 'will-redirect', 'will-attach-webview'])(
    'is stopped at %s',
    (name) => {
      const events = new EventEmitter();
      const log = memoryLog();
      keepOnPage(contents(events), isPage, log);
      const preventDefault = vi.fn();
      events.emit(name, { preventDefault, url: 'https://evil.example/?secret' });
      expect(preventDefault).toHaveBeenCalledOnce();
      expect(log.lines.join()).not.toContain('secret');
    },
  );

  test('opens no window', () => {
    let handler: Parameters<WebContents['setWindowOpenHandler']>[0] | undefined;
    keepOnPage(
      { ...contents(new EventEmitter()), setWindowOpenHandler: (given) => (handler = given) },
      isPage,
      memoryLog(),
    );
    expect(handler?.({ url: 'https://evil.example' } as Parameters<typeof handler>[0])).toEqual({
      action: 'deny',
    });
  });

  test('gets no permission, by asking or by being checked', () => {
    const { session, handlers } = aSession();
    denyPermissions(session, memoryLog());
    for (const permission of [
      'media',
      'notifications',
      'geolocation',
      'clipboard-read',
      'clipboard-sanitized-write',
      'openExternal',
      'usb',
      'loopback-network',
      'local-network-access',
    ]) {
      const answer = vi.fn();
      handlers.request?.({}, permission, answer);
      expect(answer).toHaveBeenCalledExactlyOnceWith(false);
      expect(handlers.check?.({}, permission)).toBe(false);
    }
    expect(handlers.device?.({})).toBe(false);
  });

  test('may talk to the server of its sources in development, and gets nothing else', () => {
    const { session, handlers } = aSession();
    denyPermissions(session, memoryLog(), ofSourceServer);
    expect(handlers.check?.({}, 'loopback-network')).toBe(true);
    expect(handlers.check?.({}, 'clipboard-read')).toBe(false);
  });

  test.each([
    'https://evil.example/a.exe',
    'data:text/html,x',
    'app://waypost/admin/index.html',
    'blob:app://waypost/1',
  ])('downloads nothing, not %s either', (address) => {
    const { session, events } = aSession();
    denyPermissions(session, memoryLog());
    const preventDefault = vi.fn();
    events.emit('will-download', { preventDefault }, { getURL: () => address });
    expect(preventDefault).toHaveBeenCalledOnce();
  });
});

describe('the menus', () => {
  test.each(['darwin', 'win32', 'linux'] as const)('of %s have every command once', (platform) => {
    const items = itemsOf(platform);
    for (const id of ['new-link', 'search', 'settings', 'shortcuts', 'reload']) {
      expect(items.filter((item) => item.id === id)).toHaveLength(1);
    }
    expect(items.filter(({ role }) => role === 'quit')).toHaveLength(1);
  });

  test.each(['darwin', 'win32', 'linux'] as const)('of %s give no key twice', (platform) => {
    const keys = itemsOf(platform).flatMap(({ accelerator }) => accelerator ?? []);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('have developer tools in development only', () => {
    const has = (isDevelopment: boolean) =>
      itemsOf('linux', isDevelopment).some(({ role }) => role === 'toggleDevTools');
    expect([has(true), has(false)]).toEqual([true, false]);
  });

  test('tell the page what was chosen', () => {
    const sent: string[] = [];
    const items = itemsOf('linux', false, (command) => sent.push(command));
    for (const item of items) if (item.id && item.id !== 'show-log') (item.click as () => void)();
    expect(sent.sort()).toEqual(['new-link', 'reload', 'search', 'settings', 'shortcuts']);
  });
});

test('the app ends once, after the server has finished', async () => {
  const events = new EventEmitter();
  const quit = vi.fn();
  const finished = Promise.withResolvers<void>();
  const finish = vi.fn(() => finished.promise);
  finishBeforeQuit({
    app: { on: events.on.bind(events) as unknown as App['on'], quit },
    power: { on: events.on.bind(events) as unknown as PowerMonitor['on'] },
    signals: new EventEmitter(),
    platform: 'linux',
    hurry() {},
    closeAll() {},
    finish,
  });
  const first = { preventDefault: vi.fn() };
  events.emit('will-quit', first);
  events.emit('will-quit', { preventDefault: vi.fn() });
  expect(first.preventDefault).toHaveBeenCalledOnce();
  expect(quit).not.toHaveBeenCalled();
  finished.resolve();
  await expect.poll(() => quit).toHaveBeenCalledOnce();
  expect(finish).toHaveBeenCalledOnce();
  const last = { preventDefault: vi.fn() };
  events.emit('will-quit', last);
  expect(last.preventDefault).not.toHaveBeenCalled();
});

test('the end of the system waits for no window, and closes none while it is told of it', async () => {
  const signals = new EventEmitter();
  const done: string[] = [];
  finishBeforeQuit({
    app: { on: vi.fn(), quit: () => done.push('quit') },
    power: { on: vi.fn() },
    signals,
    platform: 'linux',
    hurry: () => done.push('hurry'),
    closeAll: () => done.push('close all'),
    finish: async () => {},
  });
  signals.emit('SIGTERM');
  signals.emit('SIGHUP');
  expect(done).toEqual(['hurry', 'quit']);
  await expect.poll(() => done).toEqual(['hurry', 'quit', 'close all', 'quit']);
  signals.emit('SIGTERM');
  await new Promise(setImmediate);
  expect(done).toHaveLength(4);
});

test('the end of the system is held up until the app has finished', async () => {
  const power = new EventEmitter();
  const quit = vi.fn();
  finishBeforeQuit({
    app: { on: vi.fn(), quit },
    power: { on: power.on.bind(power) as unknown as PowerMonitor['on'] },
    signals: new EventEmitter(),
    platform: 'linux',
    hurry() {},
    closeAll() {},
    finish: async () => {},
  });
  // Electron waits for the app only if the listener wants that (powerMonitor, "shutdown").
  const shutdown = { preventDefault: vi.fn() };
  power.emit('shutdown', shutdown);
  expect(shutdown.preventDefault).toHaveBeenCalledOnce();
  expect(quit).toHaveBeenCalled();
});

function contents(events: EventEmitter): Pick<WebContents, 'on' | 'setWindowOpenHandler'> {
  return { on: events.on.bind(events) as unknown as WebContents['on'], setWindowOpenHandler: () => {} };
}

function itemsOf(
  platform: 'darwin' | 'win32' | 'linux',
  isDevelopment = false,
  send: (command: string) => void = () => {},
): Electron.MenuItemConstructorOptions[] {
  const flat = (items: Electron.MenuItemConstructorOptions[]): Electron.MenuItemConstructorOptions[] =>
    items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? flat(item.submenu) : [])]);
  return flat(menuTemplate({ platform, isDevelopment, send, showLog: () => {} }));
}

function aSession() {
  const events = new EventEmitter();
  const handlers: Record<string, ((...args: unknown[]) => unknown) | undefined> = {};
  const keep = (name: string) => (handler: unknown) => {
    handlers[name] = handler as (...args: unknown[]) => unknown;
  };
  const session = {
    on: events.on.bind(events) as unknown as Session['on'],
    setPermissionRequestHandler: keep('request'),
    setPermissionCheckHandler: keep('check'),
    setDevicePermissionHandler: keep('device'),
  };
  return { session, events, handlers };
}
