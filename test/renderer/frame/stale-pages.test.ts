import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createMemoryHistory, createRouter, type Router } from 'vue-router';
import { isMissingFile, reloadStalePages, triedKey } from '../../../renderer/frame/stale-pages.ts';

const missing = () =>
  new TypeError('Failed to fetch dynamically imported module: https://go.example/admin/assets/Page-1a2b.js');

describe('a page whose file is no longer on the server', () => {
  const page = { render: () => null };
  const open = vi.fn<(address: string) => void>();
  const isReachable = vi.fn<() => Promise<boolean>>();
  const onHopeless = vi.fn<(error: unknown) => void>();
  let broken: Error | undefined;
  let router: Router;

  /** The program as it starts: what it remembers is only what the tab does. */
  function start(): void {
    router = createRouter({
      history: createMemoryHistory('/admin/'),
      routes: [
        { path: '/', component: page },
        { path: '/links', component: page },
        { path: '/domains/:id', component: () => (broken ? Promise.reject(broken) : Promise.resolve(page)) },
      ],
    });
    reloadStalePages(router, { storage: sessionStorage, open, isReachable, onHopeless });
  }

  const go = (address: string) => router.push(address).catch((error: unknown) => error);

  beforeEach(() => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    isReachable.mockResolvedValue(true);
    broken = missing();
    start();
  });
  afterEach(() => {
    vi.restoreAllMocks();
    for (const mock of [open, isReachable, onHopeless]) mock.mockReset();
    sessionStorage.clear();
  });

  it('is requested again by reloading the app at its URL', async () => {
    await go('/');
    await go('/domains/7?tab=log#end');
    await expect.poll(() => open.mock.calls).toEqual([['/admin/domains/7?tab=log#end']]);
    expect(onHopeless).not.toHaveBeenCalled();
  });

  it('is requested once if it stays missing, and reported', async () => {
    await go('/domains/7');
    await expect.poll(() => open).toHaveBeenCalledOnce();
    for (const address of ['/domains/7', '/domains/8']) {
      start();
      await go(address);
    }
    await expect.poll(() => onHopeless).toHaveBeenCalledTimes(2);
    expect(open).toHaveBeenCalledOnce();
  });

  it('is requested again after a later update, if another page was shown in between', async () => {
    await go('/domains/7');
    await expect.poll(() => open).toHaveBeenCalledOnce();
    start();
    broken = undefined;
    await go('/domains/7');
    expect(sessionStorage.getItem(triedKey)).toBeNull();
    start();
    broken = missing();
    await go('/domains/8');
    await expect.poll(() => open).toHaveBeenCalledTimes(2);
  });

  it('does not reload if the server is unreachable', async () => {
    isReachable.mockResolvedValue(false);
    await go('/domains/7');
    await expect.poll(() => isReachable).toHaveBeenCalled();
    expect(open).not.toHaveBeenCalled();
    expect(sessionStorage.getItem(triedKey)).toBeNull();
  });

  it('is not confused with a page that has its own error', async () => {
    broken = new TypeError('undefined is not a function');
    await go('/domains/7');
    expect(isReachable).not.toHaveBeenCalled();
    expect(open).not.toHaveBeenCalled();
  });
});

it.each([
  'Failed to fetch dynamically imported module: https://go.example/admin/assets/Page-1a2b.js',
  'error loading dynamically imported module: https://go.example/admin/assets/Page-1a2b.js',
  'Importing a module script failed.',
  'Unable to preload CSS for /admin/assets/Page-1a2b.css',
])('a file that could not be fetched is recognized by “%s”', (message) => {
  expect(isMissingFile(new TypeError(message))).toBe(true);
  expect(isMissingFile(message)).toBe(false);
});
