// `npm run dev` with a window: electron-vite's own handling of processes over a copy of the sources, with the stand-in
// in Electron's place, through a change in each part.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright';
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import { freePort } from '../../build/free-port.ts';
import type { AppState, Desktop } from '../../preload/contract.ts';
import { isAlive } from '../support/desktop-flow.ts';
import type { Settings } from '../support/electron/settings.ts';
import { findChromium } from '../support/provision.ts';
import { type SourceCopy, sourceCopy } from '../support/source-copy.ts';

/** A build of everything beside the other tests of a slow machine. Milliseconds. */
const polling = { timeout: 90_000, interval: 200 };

let sources: SourceCopy;
let userData = '';
let port = 0;
let dev: ChildProcess | undefined;
let browser: Browser | undefined;
let feed: Server | undefined;
/** What the feed has. */
let newest = '99.0.0';
let output = '';

vi.setConfig({ testTimeout: 360_000 });

beforeEach(async (context) => {
  context.skip(!findChromium(), 'there is no Chromium on this machine, and none could be installed');
  context.skip(
    process.platform === 'win32',
    'Windows ends a process at once, so nothing has to be waited for',
  );
  sources = sourceCopy();
  userData = join(sources.folder, 'user data');
  port = await freePort();
});
afterEach(async () => {
  await browser?.close();
  browser = undefined;
  if (dev && dev.exitCode === null && dev.signalCode === null) {
    dev.kill('SIGTERM');
    await once(dev, 'exit');
  }
  feed?.close();
  newest = '99.0.0';
  if (!sources) return;
  await expect.poll(() => sources.processes(), polling).toEqual([]);
  output += `\n${log()}`;
  sources.remove();
});

test('a change in any part of the sources is applied, without ending the app or the command', {
  tags: 'long',
}, async ({ onTestFailed }) => {
  onTestFailed(() => void process.stdout.write(`${output}\n`));
  leaveFilesOfYesterday();
  startDevelopment(await updateFeed());
  let page = await openPage();
  await page.getByRole('button', { name: 'Create account' }).waitFor({ timeout: polling.timeout });
  await page.getByLabel('Name', { exact: true }).fill('Typed before');
  const first = electronPid();

  // The page keeps what a person has typed.
  sources.edit(
    'renderer/operations/setup/SetupPage.vue',
    '<UButton type="submit"',
    '<UButton type="submit" data-edited="page"',
  );
  await page.locator('[data-edited="page"]').waitFor({ timeout: polling.timeout });
  await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Typed before');

  // The page is loaded anew.
  sources.edit('preload/index.ts', /platform: process\.platform === [^\n]*\n/, "platform: 'darwin',\n");
  await expect.poll(() => page.evaluate(platformOfPage).catch(() => 'loading'), polling).toBe('darwin');
  expect(electronPid()).toBe(first);

  // What an app that starts at this moment is about to load stays there, though a new build no longer makes it.
  const ofBefore = ['main', 'preload'].map((part) => join(sources.path, 'out', part, 'of-before.js'));
  for (const file of ofBefore) writeFileSync(file, '');
  sources.edit('preload/index.ts', "platform: 'darwin'", "platform: 'win32'");
  await expect.poll(() => page.evaluate(platformOfPage).catch(() => 'loading'), polling).toBe('win32');

  // The app is started anew, after the one before has ended, and by the same code where the change is in the server.
  if (inject('isLong')) await editServer(first);

  const second = electronPid();
  // Whoever edits makes mistakes, too: an app that fails at its start ends alone, and the next change starts it again.
  sources.edit(
    'main/desktop.ts',
    "log.note('the app is starting'",
    "throw new Error('a mistake'); log.note('the app is starting'",
  );
  await expect.poll(() => output, polling).toContain('Save a change to start it again.');
  expect(dev?.exitCode).toBe(null);
  const failed = electronPid();
  sources.edit('main/storage/profile.ts', '@localhost.localdomain', '@edited.example');
  sources.edit('main/desktop.ts', "throw new Error('a mistake'); ", '');
  await expect.poll(electronPid, polling).not.toBe(failed);
  expect(isAlive(second)).toBe(false);
  page = await openPage();
  await expect.poll(() => page.getByLabel('Email').inputValue(), polling).toContain('@edited.example');
  await page.locator('[data-edited="page"]').waitFor({ timeout: polling.timeout });
  const health = inject('isLong') ? { edited: 'server' } : { error: 0 };
  await expect.poll(() => ask(page, '/api/health'), polling).toMatchObject(health);

  expect(ofBefore.filter((file) => !existsSync(file))).toEqual([]);

  // Each page that Vite has not served before takes it seconds.
  if (inject('isLong')) await expectPicturesAndUpdates(page);

  // Nothing that the app does beside its window is missing, such as the pictures of the tray.
  expect(log()).not.toMatch(/does not work|could not be set up/);
  // `npm start` builds anew after this: what lies in out/ is not a whole build.
  expect(existsSync(join(sources.path, 'out', 'built-at'))).toBe(false);

  // The old processes have all ended by the end of the command.
  expect(dev?.exitCode).toBe(null);
  const last = electronPid();
  dev?.kill('SIGTERM');
  if (dev) await once(dev, 'exit');
  await expect.poll(() => isAlive(last)).toBe(false);
});

/** Sets the app up, and finds that its pictures and the news of a newer version are there in development as well. */
async function expectPicturesAndUpdates(page: Page): Promise<void> {
  // The page is at its usual origin, so the pictures of an instance come the usual way.
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('button', { name: 'Continue' }).waitFor({ timeout: polling.timeout });
  await expect
    // What is imported for the first time may have Vite load the page anew.
    .poll(() => page.evaluate(pictureOfPage).catch(() => undefined), polling)
    .toEqual({ status: 200, type: 'image/png' });

  // What the feed of this build has to offer is known to the settings.
  await expect
    .poll(() => page.evaluate(updateOfPage).catch(() => undefined), polling)
    .toEqual({ version: '99.0.0', address: 'https://waypost.example/download' });

  // What comes of a look that is switched on shows in the open settings, without leaving them.
  const settings = page.getByRole('link', { name: 'Settings', exact: true });
  const goOn = page.getByRole('button', { name: 'Continue' });
  await settings.or(goOn).first().waitFor({ timeout: polling.timeout });
  // A page that Vite has loaded anew is past the key already.
  if (await goOn.isVisible()) await goOn.click();
  await settings.click({ timeout: polling.timeout });
  await page.getByRole('link', { name: 'This app' }).click();
  await page.getByText('Waypost 99.0.0 is available').waitFor({ timeout: polling.timeout });
  newest = '99.1.0';
  const updates = page.getByRole('switch', { name: 'Check for updates' });
  await updates.click();
  await page.getByText('Waypost 99.0.0 is available').waitFor({ state: 'hidden' });
  await updates.click();
  await page.getByText('Waypost 99.1.0 is available').waitFor();
  // Taken back, it is offered no longer.
  newest = '0.0.0-0';
  await updates.click();
  await updates.click();
  await page.getByText('You have the latest version').waitFor();
}

/** Changes the server, and waits for the app that has it. */
async function editServer(first: number): Promise<void> {
  sources.edit(
    'server/operations/instance/routes.ts',
    'route(getHealth, () => ({}))',
    "route(getHealth, () => ({ edited: 'server' }))",
  );
  await expect.poll(electronPid, polling).not.toBe(first);
  expect(isAlive(first)).toBe(false);
  const page = await openPage();
  await expect.poll(() => ask(page, '/api/health'), polling).toMatchObject({ edited: 'server' });
}

/** What a build and a command of the day before have left: the number of a process may be another program's by now. */
function leaveFilesOfYesterday(): void {
  mkdirSync(join(sources.path, 'out', 'dev'), { recursive: true });
  writeFileSync(join(sources.path, 'out', 'built-at'), '');
  writeFileSync(join(sources.path, 'out', 'dev', 'electron.pid'), String(process.pid));
}

/** A list of releases. */
async function updateFeed(): Promise<string> {
  const port = await freePort();
  feed = createServer((_request, response) =>
    response.end(JSON.stringify({ version: newest, url: 'https://waypost.example/download' })),
  ).listen(port, '127.0.0.1');
  await once(feed, 'listening');
  return `http://127.0.0.1:${port}/latest.json`;
}

/** `npm run dev`, which takes the stand-in for an installed Electron. */
function startDevelopment(updates: string): void {
  // A word that a shell takes for more than it is.
  const dist = join(sources.folder, "somebody's runtime");
  mkdirSync(dist);
  const register = new URL('../support/electron/register.ts', import.meta.url).href;
  const electron = join(dist, 'electron');
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const node = [process.execPath, '--import', register, join(sources.path, 'out/main/index.js')].map(quoted);
  writeFileSync(
    electron,
    // Its first argument is the app's folder. As Electron does, it is a plain Node where a terminal has set that, and
    // Chromium does not start for root unless its sandbox is off.
    `#!/bin/sh
[ -z "$ELECTRON_RUN_AS_NODE" ] || exit 9
case " $* " in *" --no-sandbox "*) ;; *) [ "$(id -u)" != 0 ] || exit 1 ;; esac
shift
exec ${node.join(' ')} "$@"
`,
  );
  chmodSync(electron, 0o755);
  const settings: Settings = { userData, keyStore: 'open', isPackaged: false, platform: systemHere() };
  const args = ['--port', `${port}`, `--user-data-dir=${userData}`];
  dev = spawn(process.execPath, [join(sources.path, 'build/dev.ts'), ...args], {
    cwd: sources.path,
    env: {
      ...process.env,
      DISPLAY: ':none',
      WAYPOST_UPDATE_FEED: updates,
      ELECTRON_OVERRIDE_DIST_PATH: dist,
      ELECTRON_RUN_AS_NODE: '1',
      ELECTRON_STAND_IN: JSON.stringify(settings),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  output = '';
  for (const stream of [dev.stdout, dev.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  }
}

function systemHere(): Settings['platform'] {
  return process.platform === 'darwin' ? 'darwin' : 'linux';
}

/** The page of the app that runs now. */
async function openPage(): Promise<Page> {
  await browser?.close();
  const file = join(userData, 'stand-in-chromium', 'DevToolsActivePort');
  let found: Page | undefined;
  await expect
    .poll(async () => {
      if (dev?.exitCode !== null) return 'ended';
      try {
        const endpoint = `http://127.0.0.1:${readFileSync(file, 'utf8').split('\n')[0]}`;
        browser = await chromium.connectOverCDP(endpoint);
      } catch {
        // Chromium is not up yet, or the last one has just gone.
        return undefined;
      }
      found = browser
        .contexts()
        .flatMap((context) => context.pages())
        .find((open) => open.url().includes('/admin/'));
      if (!found) await browser.close();
      return found?.url();
    }, polling)
    .toBeDefined();
  if (!found) throw new Error(`The command ended with ${dev?.exitCode}:\n${output}`);
  found.on('console', (message) => {
    output += `page: ${message.text()}\n`;
  });
  return found;
}

function electronPid(): number {
  return Number(readFileSync(join(sources.path, 'out/dev/electron.pid'), 'utf8'));
}

/** What the server answers to the page, by way of the bridge. */
function ask(page: Page, path: string): Promise<unknown> {
  return (
    page
      .evaluate(async (asked) => {
        const { desktop } = window as unknown as { desktop: Desktop };
        const reply = await desktop.request('local', asked, { method: 'GET', path: asked });
        return 'body' in reply ? reply.body : reply;
      }, path)
      // A page that is being loaded anew answers nothing.
      .catch(() => undefined)
  );
}

/** Runs in the page. */
function platformOfPage(): string {
  return (window as unknown as { desktop: Desktop }).desktop.platform;
}

/** Runs in the page: makes a QR code and asks for its picture as the pages do. */
async function pictureOfPage(): Promise<{ status: number; type: string | null }> {
  const { desktop } = window as unknown as { desktop: Desktop };
  const body = { type: 'text', data: 'of the sources', name: 'Of the sources' };
  const reply = await desktop.request('local', 'qr', { method: 'POST', path: '/api/qr/add', body });
  if (!('body' in reply)) throw new Error(reply.message);
  const { pathname } = new URL((reply.body as { link: string }).link);
  const { status, headers } = await fetch(`/instance/local${pathname}.png`);
  return { status, type: headers.get('content-type') };
}

/** Runs in the page. */
async function updateOfPage(): Promise<AppState['update']> {
  return (await (window as unknown as { desktop: Desktop }).desktop.app.getState()).update;
}

function log(): string {
  const file = join(userData, 'logs', 'waypost.log');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
