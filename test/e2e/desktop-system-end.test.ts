// The end of the system, of the session and of a terminal, as each system tells of it, while something is under way.
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { ask, desktopBench, isAlive, setUpByClicking } from '../support/desktop-flow.ts';
import type { DesktopApp, DesktopProcess } from '../support/electron.ts';
import { some } from '../support/trials.ts';

const bench = desktopBench();

const ways: [string, 'darwin' | 'linux' | 'win32', (app: DesktopApp) => void][] = [
  ['the system ends', 'linux', (app) => app.order({ type: 'system-ends' })],
  ['Windows ends the session', 'win32', (app) => app.order({ type: 'system-ends' })],
  ['macOS shuts down', 'darwin', (app) => app.order({ type: 'system-ends' })],
  // A session that ends may send each of its programs two.
  ['the session sends SIGHUP and SIGTERM', 'linux', ({ pid }) => signal(pid, 'SIGHUP', 'SIGTERM')],
];

test.each(some(ways, { from: 0, short: 1 }))(
  'when %s during an upload, nobody is asked, the server ends in order, and nothing has to be repaired',
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
    expectEndInOrder(app);

    const again = await bench.launch({ platform });
    await again.page.getByRole('heading', { name: 'Overview' }).waitFor();
    const { body } = await ask(again, { method: 'GET', path: '/api/files' });
    expect(body).toMatchObject({ result: 0 });
    expect(again.told.filter(({ type }) => type === 'asked' || type === 'error-box')).toEqual([]);
  },
);

test('Windows reaches an app that has no window, too, however it came to have none', {
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

test('Ctrl+C asks as every quit does, and a second one neither cuts the app off nor is lost', async () => {
  const app = await bench.launchSetUp();
  await app.page.getByRole('link', { name: 'Links', exact: true }).first().click();
  await app.page.evaluate(() => addEventListener('beforeunload', (event) => event.preventDefault()));
  const refusals = () => app.told.filter(({ type }) => type === 'stayed').length;
  process.kill(app.pid, 'SIGINT');
  // The next one comes at once: what is over for the app is over for its window, too.
  await expect.poll(refusals, { interval: 1 }).toBe(1);
  process.kill(app.pid, 'SIGINT');
  await expect.poll(refusals, { interval: 1 }).toBe(2);
  expect(app.told.filter(({ type }) => type === 'asked')).toHaveLength(2);
  // A signal may overtake an order: the answer is known once what was ordered after it has happened.
  const focused = () => app.told.filter(({ type }) => type === 'focused').length;
  const before = focused();
  app.order({ type: 'answer', button: 1 });
  app.order({ type: 'click-menu', id: 'tray-open' });
  await expect.poll(focused).toBeGreaterThan(before);
  process.kill(app.pid, 'SIGINT');
  expect(await app.exited).toBe(0);
  expect(app.log()).toContain('the app ends');
});

function expectEndInOrder(app: DesktopProcess): void {
  expect(app.told.filter((told) => told.type === 'asked' && /still running/.test(told.message))).toEqual([]);
  expect(app.log()).toContain('the system ends');
  expect(app.log()).toContain('the app ends');
  expect(app.log()).not.toContain('did not stop in time');
  expect(app.log()).not.toContain('a process of the app is gone');
}

function signal(pid: number, ...signals: NodeJS.Signals[]): void {
  for (const name of signals) process.kill(pid, name);
}

/** Begins to send a file that takes its time; it is made in the page, through whose debugging line it would take very long. */
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
