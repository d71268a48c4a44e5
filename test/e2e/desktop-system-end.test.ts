// The end of the system, of the session and of a terminal, as each system tells of it, while something is under way.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import type { Desktop } from '../../preload/contract.ts';
import { ask, desktopBench, isAlive, setUpByClicking } from '../support/desktop-flow.ts';
import type { DesktopApp, DesktopProcess } from '../support/electron.ts';
import { some } from '../support/trials.ts';

const bench = desktopBench();

const ways: [string, 'darwin' | 'linux' | 'win32', (app: DesktopApp) => void][] = [
  ['the system is shutting down', 'linux', (app) => app.order({ type: 'system-ends' })],
  ['Windows ends the session', 'win32', (app) => app.order({ type: 'system-ends' })],
  ['macOS shuts down', 'darwin', (app) => app.order({ type: 'system-ends' })],
  // A session that ends may send each of its programs two.
  ['the session sends SIGHUP and SIGTERM', 'linux', ({ pid }) => signal(pid, 'SIGHUP', 'SIGTERM')],
];

test.each(ways)(
  'when %s during an upload, nobody is asked, the server stops cleanly, and nothing needs repair',
  { tags: 'long' },
  async (_, platform, end) => {
    const app = await bench.launch({ platform });
    await setUpByClicking(app);
    await app.page.getByRole('link', { name: 'Files', exact: true }).first().click();
    await app.page.getByText('Share files with a short link').waitFor();
    await upload(app.page);
    await app.page.getByRole('progressbar').waitFor();
    const server = app.serverPid();
    end(app);
    expect(await app.exited).toBe(0);
    expect(isAlive(server)).toBe(false);
    expect(app.told.filter((told) => told.type === 'asked' && /still running/.test(told.message))).toEqual(
      [],
    );
    expectEndInOrder(app);

    const again = await bench.launch({ platform });
    await again.page.getByRole('heading', { name: 'Overview' }).waitFor();
    const { body } = await ask(again, { method: 'GET', path: '/api/files' });
    expect(body).toMatchObject({ result: 0 });
    expect(again.told.filter(({ type }) => type === 'asked' || type === 'error-box')).toEqual([]);
  },
);

test('Windows notifies an app without a window, however it came to have none', {
  tags: 'long',
}, async () => {
  const app = await bench.start({ platform: 'win32', args: ['--hidden'] });
  const unseen = () => app.told.filter(({ type }) => type === 'unseen-window').length;
  await app.waitFor('unseen-window');
  app.order({ type: 'click-menu', id: 'tray-open' });
  await app.waitFor('window');
  app.order({ type: 'answer', button: 1 });
  app.order({ type: 'close-window' });
  // What is never seen is no window that keeps this question away.
  await app.waitFor('asked', ({ message }) => message.startsWith('Keep Waypost running'));
  await expect.poll(unseen).toBe(2);
  app.order({ type: 'system-ends' });
  expect(await app.exited).toBe(0);
  expectEndInOrder(app);
});

test('Ctrl+C asks like any quit, and a second one neither kills the app nor gets lost', {
  tags: 'long',
}, async () => {
  const app = await bench.launchSetUp();
  await wantToStay(app);
  const stays = () => app.told.filter(({ type }) => type === 'stayed').length;
  app.order({ type: 'answer' });
  // A signal may overtake an order: the answer is known once what was ordered after it has happened.
  const focused = () => app.told.filter(({ type }) => type === 'focused').length;
  const before = focused();
  app.order({ type: 'click-menu', id: 'tray-open' });
  await expect.poll(focused).toBeGreaterThan(before);
  process.kill(app.pid, 'SIGINT');
  // The next one comes at once: what is over for the app is over for its window, too.
  await expect.poll(stays, { interval: 1 }).toBe(1);
  process.kill(app.pid, 'SIGINT');
  await expect.poll(stays, { interval: 1 }).toBe(2);
  expect(app.told.filter(({ type }) => type === 'asked')).toHaveLength(1);
  // What is under way goes on while nobody answers.
  expect((await ask(app, { method: 'GET', path: '/api/account' })).status).toBe(200);
  app.order({ type: 'answer', button: 1 });
  expect(await app.exited).toBe(0);
  expect(app.log()).toContain('the app exits');
});

test('a server that stops while the app is about to, as when Ctrl+C reaches both, is not restarted', {
  tags: 'long',
}, async () => {
  const app = await bench.launchSetUp();
  const page = await app.page.context().newCDPSession(app.page);
  await page.send('Debugger.enable');
  // The page takes its time to say whether it may go.
  await app.page.evaluate("addEventListener('beforeunload', () => { debugger; })");
  const isAsked = new Promise((resolve) => page.once('Debugger.paused', resolve));
  app.order({ type: 'quit' });
  await isAsked;
  process.kill(app.serverPid(), 'SIGKILL');
  await expect.poll(() => app.log()).toContain('the server ended');
  await page.send('Debugger.resume');
  expect(await app.exited).toBe(0);
  expect(app.log()).toContain('the app exits');
  // Nor is anybody told of an end that was wanted.
  expect(app.told.filter(({ type }) => type === 'notified')).toEqual([]);
  expect(app.told.filter(({ type }) => type === 'server')).toHaveLength(1);
});

test('a task that the user wants to finish keeps the page, and the next quit asks again', {
  tags: 'long',
}, async () => {
  const app = await bench.launchSetUp();
  await wantToStay(app);
  const asked = () => app.told.filter(({ type }) => type === 'asked').length;
  await app.page.evaluate(() => location.reload()).catch(() => {});
  await expect.poll(asked).toBe(1);
  // Playwright waits for a refused navigation before it clicks, unless it has answered the page's question itself.
  await app.page.evaluate(() => document.querySelector<HTMLElement>('a[href$="/campaigns"]')?.click());
  await app.page.getByRole('heading', { name: 'Campaigns' }).first().waitFor();
  expect(await app.page.evaluate(() => 'isKept' in window)).toBe(true);
  app.order({ type: 'answer', button: 1 });
  await app.page.evaluate(() => location.reload()).catch(() => {});
  await expect.poll(asked).toBe(2);
  await expect.poll(() => app.page.evaluate(() => 'isKept' in window).catch(() => true)).toBe(false);
  // The new document has nothing under way.
  await app.page.getByRole('heading', { name: 'Campaigns' }).first().waitFor();
  await app.close();
  expect(await app.exited).toBe(0);
  expect(asked()).toBe(2);
});

const open: [string, 'darwin' | 'linux' | 'win32', (app: DesktopApp) => Promise<unknown>][] = [
  ['whether to leave a task', 'linux', leaveTask],
  ['where to save a file', 'linux', saveFile],
  ['whether to leave a task', 'win32', leaveTask],
  ['whether to leave a task', 'darwin', leaveTask],
  ['whether to go on without a window', 'win32', closeWindow],
  ['whether to go on without a window', 'linux', closeWindow],
];

test.each(open)(
  'an unanswered question, %s, does not delay a shutdown (%s), and does not count as answered',
  { tags: 'long' },
  async (_, platform, begin) => {
    const app = await bench.launch({ platform });
    await setUpByClicking(app);
    app.order({ type: 'answer' });
    await begin(app);
    app.order({ type: 'system-ends' });
    expect(await app.exited).toBe(0);
    expectEndInOrder(app);
    const kept = JSON.parse(readFileSync(join(bench.userData(), 'preferences.json'), 'utf8'));
    expect(kept).not.toHaveProperty('background');
  },
);

test('a report about damaged settings does not delay a shutdown either', {
  tags: 'long',
}, async () => {
  await (await bench.launchSetUp()).close();
  writeFileSync(join(bench.userData(), 'instances.json'), '{');
  const app = await bench.start({ platform: 'darwin', wasOpenedAtLogin: true });
  await app.waitFor('menu', ({ ids }) => ids.includes('tray-open'));
  app.order({ type: 'answer' });
  app.order({ type: 'activate' });
  await app.waitFor('asked', ({ message }) => message === 'Some settings could not be read');
  app.order({ type: 'system-ends' });
  expect(await app.exited).toBe(0);
  expectEndInOrder(app);
});

const cuts: [string, 'darwin' | 'linux' | 'win32', 'query' | 'end'][] = [
  ['Windows has told of the end of the session', 'win32', 'end'],
  ['Windows has asked about the end of the session', 'win32', 'query'],
  ['Linux has told of its end', 'linux', 'end'],
  ['macOS has told of its end', 'darwin', 'end'],
];

test.each(some(cuts, { from: 0, short: 1 }))(
  'an app killed as soon as %s has lost nothing acknowledged, and remembers its window',
  async (_, platform, cutOffAt) => {
    const app = await bench.launch({ platform, cutOffAt });
    await setUpByClicking(app);
    const bounds = { x: 40, y: 50, width: 1010, height: 720 };
    app.order({ type: 'move-window', bounds });
    await app.page.evaluate(() => {
      const { desktop } = window as unknown as { desktop: Desktop };
      return desktop.app.update({ notifications: false, shortcut: 'Alt+Shift+K' });
    });
    const { body } = await ask(app, {
      method: 'POST',
      path: '/api/url/add',
      body: { url: 'https://example.com/made-last' },
    });
    app.order({ type: 'system-ends' });
    // Nothing of its own is left to do it: it was ended by a signal.
    expect(await app.exited).toBe(null);
    // Its Chromium is none of the system's here.
    await app.kill();

    const again = await bench.launch({ platform });
    expect((await again.waitFor('opening')).bounds).toEqual(bounds);
    await again.waitFor('keys', ({ accelerator }) => accelerator === 'Alt+Shift+K');
    await again.page.getByRole('heading', { name: 'Overview' }).waitFor();
    const state = await again.page.evaluate(() =>
      (window as unknown as { desktop: Desktop }).desktop.app.getState(),
    );
    expect(state).toMatchObject({ notifications: false, shortcut: 'Alt+Shift+K' });
    const followed = await fetch((body as { shorturl: string }).shorturl, { redirect: 'manual' });
    expect(followed.headers.get('location')).toBe('https://example.com/made-last');
    expect(again.told.filter(({ type }) => type === 'asked' || type === 'error-box')).toEqual([]);
  },
);

/** Has the page begin something that it does not want to leave; it asks only once somebody has clicked in it. */
async function wantToStay(app: DesktopApp): Promise<void> {
  await app.page.getByRole('link', { name: 'Links', exact: true }).first().click();
  await app.page.evaluate(() => {
    Object.assign(window, { isKept: true });
    addEventListener('beforeunload', (event) => event.preventDefault());
  });
}

async function leaveTask(app: DesktopApp): Promise<void> {
  await wantToStay(app);
  app.order({ type: 'quit' });
  await app.waitFor('asked', ({ message }) => message === 'A task is still running');
}

async function saveFile(app: DesktopApp): Promise<void> {
  await app.page.evaluate(() => {
    const { desktop } = window as unknown as { desktop: Desktop };
    void desktop.saveFile('a.txt', new Uint8Array([1]));
  });
  await app.waitFor('asked-where');
}

async function closeWindow(app: DesktopApp): Promise<void> {
  app.order({ type: 'close-window' });
  await app.waitFor('asked', ({ message }) => message.startsWith('Keep Waypost running'));
}

function expectEndInOrder(app: DesktopProcess): void {
  expect(app.log()).toContain('the system is shutting down');
  expect(app.log()).toContain('the app exits');
  expect(app.log()).not.toContain('did not stop in time');
  expect(app.log()).not.toContain('a process of the app ended');
}

function signal(pid: number, ...signals: NodeJS.Signals[]): void {
  for (const name of signals) process.kill(pid, name);
}

/**
 * Begins to send a file that takes its time; it is made in the page, through whose debugging line it would take very
 * long.
 */
function upload(page: Page): Promise<void> {
  return page.evaluate(() => {
    const input = document.querySelector<HTMLInputElement>('input[type=file]');
    if (!input) throw new Error('there is nothing to choose files with');
    const transfer = new DataTransfer();
    transfer.items.add(new File(['x'.repeat(90_000_000)], 'cut off.bin'));
    input.files = transfer.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  });
}
