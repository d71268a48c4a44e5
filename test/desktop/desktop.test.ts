// The real Electron, where a machine has one: what the stand-in (test/support/electron.ts) cannot show.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SaveDialogReturnValue } from 'electron';
import { type ElectronApplication, _electron as electron, type Page } from 'playwright';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findElectron, mustRunUnsandboxed } from '../../build/electron-runtime.ts';
import { freePort } from '../../build/free-port.ts';
import { projectRoot } from '../../build/processes.ts';
import type { Desktop, ServerState } from '../../preload/contract.ts';

type WithBridge = Window & { desktop: Desktop };

const runtime = findElectron();
let userData: string;
let app: ElectronApplication | undefined;

beforeEach((context) => {
  context.skip(
    'reason' in runtime,
    `the real desktop app was not tried: ${'reason' in runtime && runtime.reason}`,
  );
  userData = mkdtempSync(join(tmpdir(), 'waypost-electron-'));
});
afterEach(async () => {
  await app?.close();
  app = undefined;
  if (userData) rmSync(userData, { recursive: true, force: true });
});

test('opens its own page, isolated from Node and from the preload script', async () => {
  const page = await launch();
  expect(page.url()).toMatch(/^app:\/\/waypost\/admin\//);
  const seen = await page.evaluate(() => ({
    origin: location.origin,
    isSecure: isSecureContext,
    require: typeof (globalThis as { require?: unknown }).require,
    process: typeof (globalThis as { process?: unknown }).process,
    electron: typeof (globalThis as { electron?: unknown }).electron,
    version: (window as unknown as WithBridge).desktop.version,
  }));
  expect(seen).toMatchObject({
    origin: 'app://waypost',
    isSecure: true,
    require: 'undefined',
    process: 'undefined',
    electron: 'undefined',
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
  });
});

test('completes the set-up with a click, encrypts the session, and needs no sign-in the next time', async () => {
  const page = await launch();
  await setUp(page);
  const backend = await app?.evaluate(({ safeStorage }) =>
    process.platform === 'linux' ? safeStorage.getSelectedStorageBackend() : 'the one of the system',
  );
  await app?.close();
  // A session without a keyring has none to seal with, and the log says so (docs, first real run).
  const kept = readFileSync(join(userData, 'keys.json'), 'utf8');
  expect(kept).toContain(backend === 'basic_text' ? '"plain"' : '"sealed"');
  const again = await launch();
  await again.getByRole('heading', { name: 'Overview' }).waitFor();
});

test('accepts typing, and reloads its page from the menu', async () => {
  const page = await launch();
  const name = page.getByLabel('Name', { exact: true });
  await name.click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('Typed by hand é');
  await expect.poll(() => name.inputValue()).toBe('Typed by hand é');
  await page.evaluate(() => Object.assign(window, { isBefore: true }));
  await app?.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('reload')?.click());
  await expect.poll(() => page.evaluate(() => 'isBefore' in window).catch(() => true)).toBe(false);
  await page.getByRole('button', { name: 'Create account' }).waitFor();
});

test('saves a file where the user chooses, and nothing if they cancel', async () => {
  const page = await launch();
  await page.getByRole('button', { name: 'Create account' }).waitFor();
  const path = join(userData, 'saved by hand.txt');
  const save = () =>
    page.evaluate(
      (text) =>
        (window as unknown as WithBridge).desktop.saveFile('code.txt', new TextEncoder().encode(text)),
      'the bytes',
    );
  // The question of the system itself takes no orders from a program.
  await answerSaveDialog({ canceled: true, filePath: '' });
  expect(await save()).toBe(false);
  await answerSaveDialog({ canceled: false, filePath: path });
  expect(await save()).toBe(true);
  expect(readFileSync(path, 'utf8')).toBe('the bytes');
});

test("copies a picture to the system's clipboard", async () => {
  const page = await launch();
  await page.getByRole('button', { name: 'Create account' }).waitFor();
  const drawn = { width: 12, height: 7, channels: 3, background: '#4f46e5' } as const;
  const png = (await sharp({ create: drawn }).png().toBuffer()).toString('base64');
  await page.evaluate(
    (text) =>
      (window as unknown as WithBridge).desktop.copyPicture(
        Uint8Array.from(atob(text), (character) => character.charCodeAt(0)),
      ),
    png,
  );
  const copied = await app?.evaluate(async ({ clipboard }) => {
    const [item] = await clipboard.read();
    const picture = await item?.getType('image/png');
    return picture && Buffer.from(await picture.arrayBuffer()).toString('base64');
  });
  // Systems write the picture anew.
  expect(await sharp(Buffer.from(copied ?? '', 'base64')).metadata()).toMatchObject({ width: 12, height: 7 });
});

test('keeps running in the tray without its window, and reopens it at a second start', async () => {
  writeFileSync(
    join(userData, 'preferences.json'),
    JSON.stringify({ port: await freePort(), background: true }),
  );
  const page = await launch();
  await serverState(page, 'running');
  // Without a tray it would end now.
  await app?.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  await expect.poll(windows).toBe(0);
  expect(log()).not.toContain('the tray could not be set up');
  expect(log()).not.toContain('the tray does not work');
  await startAgain();
  await expect.poll(windows).toBe(1);
});

// macOS starts an app at sign-in without an argument.
test.skipIf(process.platform === 'darwin')(
  'shows no window when started at sign-in, and one when somebody starts it',
  async () => {
    const { args, ...others } = await options();
    app = await electron.launch({ ...others, args: [...args, '--hidden'] });
    await expect.poll(log, { timeout: 30_000 }).toContain('the server is listening');
    expect(await windows()).toBe(0);
    await startAgain();
    await expect.poll(windows).toBe(1);
  },
);

test('exits cleanly without a question when the session ends', async () => {
  const page = await launch();
  await setUp(page);
  await page.evaluate(() => addEventListener('beforeunload', (event) => event.preventDefault()));
  const ended = new Promise<number | null>((resolve) => app?.process().once('exit', resolve));
  // Windows tells its windows of it, and nothing here can.
  if (process.platform === 'win32') {
    await app?.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.emit('session-end'));
  } else app?.process().kill('SIGTERM');
  expect(await ended).toBe(0);
  app = undefined;
  expect(log()).toContain('the app exits');
});

test('runs the server as a utility process, and restarts it when it is killed', async () => {
  const page = await launch();
  await serverState(page, 'running');
  const restarting = serverState(page, 'restarting');
  const pid = await serverPid();
  process.kill(pid, 'SIGKILL');
  await restarting;
  await serverState(page, 'running');
  expect(await serverPid()).not.toBe(pid);
});

test('blocks navigation, new windows and permissions', async () => {
  const page = await launch();
  const before = page.url();
  await page.evaluate(() => {
    location.href = 'https://evil.example/';
    window.open('https://evil.example/');
  });
  const permissions = await page.evaluate(async () => ({
    notifications: await Notification.requestPermission(),
    clipboard: await navigator.clipboard.readText().catch((error: Error) => error.name),
    position: await new Promise((resolve) =>
      navigator.geolocation.getCurrentPosition(
        () => resolve('given'),
        () => resolve('denied'),
      ),
    ),
  }));
  expect(permissions).toEqual({ notifications: 'denied', clipboard: 'NotAllowedError', position: 'denied' });
  expect(page.url()).toBe(before);
  expect(app?.windows()).toHaveLength(1);
});

test('ignores frames inside the page', async () => {
  const page = await launch();
  const bridge = await page.evaluate(() => {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    return typeof (frame.contentWindow as unknown as WithBridge).desktop;
  });
  expect(bridge).toBe('undefined');
});

test.skipIf(mustRunUnsandboxed())("runs its page inside the system's sandbox", async () => {
  await launch();
  const page = await app?.evaluate(({ app: main }) =>
    main.getAppMetrics().find(({ type }) => type === 'Tab'),
  );
  // Linux tells by the filter that the kernel applies to the process: 2 is one of its own.
  if (process.platform === 'linux') {
    expect(readFileSync(`/proc/${page?.pid}/status`, 'utf8')).toMatch(/^Seccomp:\s+2$/m);
  } else expect(page?.sandboxed).toBe(true);
});

test('shows its window, with its name, and has a menu', async () => {
  const page = await launch();
  await page.getByRole('button', { name: 'Create account' }).waitFor();
  const seen = await app?.evaluate(({ BrowserWindow, Menu }) => {
    const [window] = BrowserWindow.getAllWindows();
    return {
      isVisible: window?.isVisible(),
      title: window?.getTitle(),
      menus: Menu.getApplicationMenu()?.items.length ?? 0,
    };
  });
  expect(seen).toMatchObject({ isVisible: true, title: expect.stringContaining('Waypost') });
  expect(seen?.menus).toBeGreaterThan(2);
});

test('draws a QR code with a picture in it, and reads it again, without the end of the server', async () => {
  const page = await launch();
  await setUp(page);
  const pid = await serverPid();
  const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#a21caf' } })
    .jpeg()
    .toBuffer();
  const made = await page.evaluate(
    (body) =>
      (window as unknown as WithBridge).desktop.request('local', 'drawn by a test', {
        method: 'POST',
        path: '/api/qr/add',
        body,
      }),
    {
      type: 'link',
      data: 'https://example.com/menu',
      logo: `data:image/jpeg;base64,${picture.toString('base64')}`,
    },
  );
  expect(made).toMatchObject({ status: 200, body: { error: 0 } });
  expect(await serverPid()).toBe(pid);
});

test("creates a working link, and copies it to the system's clipboard", async () => {
  const page = await launch();
  await setUp(page);
  const reply = await page.evaluate(
    (body) =>
      (window as unknown as WithBridge).desktop.request('local', 'made by a test', {
        method: 'POST',
        path: '/api/url/add',
        body,
      }),
    { url: 'https://example.com/there' },
  );
  const { shorturl } = (reply as { body: { shorturl: string } }).body;
  const answer = await fetch(shorturl, { redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')]).toEqual([302, 'https://example.com/there']);
  await page.evaluate((text) => (window as unknown as WithBridge).desktop.copyText(text), shorturl);
  await expect.poll(() => app?.evaluate(({ clipboard }) => clipboard.readText())).toBe(shorturl);
});

test('a waypost: link reaches the running app, and does nothing by itself', async () => {
  const page = await launch();
  await setUp(page);
  const { args, ...others } = await options();
  const second = await electron
    .launch({ ...others, args: [...args, 'waypost://new?url=https%3A%2F%2Fexample.com%2Foffered'] })
    .catch(() => undefined);
  await second?.close();
  await page.getByText('A link asks to shorten this URL.').waitFor();
  await page.getByText('https://example.com/offered').first().waitFor();
});

test('runs only one app per data folder', async () => {
  await launch();
  const second = await electron.launch(await options()).catch(() => undefined);
  const windows = second ? second.windows().length : 0;
  await second?.close();
  expect(windows).toBe(0);
});

async function launch(): Promise<Page> {
  app = await electron.launch(await options());
  return app.firstWindow();
}

/** Goes through the first run as a person does. */
async function setUp(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
}

async function options() {
  if ('reason' in runtime) throw new Error(runtime.reason);
  const preferences = join(userData, 'preferences.json');
  if (!existsSync(preferences)) writeFileSync(preferences, JSON.stringify({ port: await freePort() }));
  return {
    executablePath: runtime.path,
    // Without it Playwright switches the sandbox off, and the one of a real start would never be tried.
    chromiumSandbox: !mustRunUnsandboxed(),
    args: [projectRoot, `--user-data-dir=${userData}`, ...(mustRunUnsandboxed() ? ['--no-sandbox'] : [])],
  };
}

/** How many windows the app has, seen ones. */
async function windows(): Promise<number | undefined> {
  return app?.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
}

/** A second start, which brings up the window of the first and ends. */
async function startAgain(): Promise<void> {
  const second = await electron.launch(await options()).catch(() => undefined);
  await second?.close();
}

/** What the question where to save a file is answered with from now on. */
async function answerSaveDialog(answer: SaveDialogReturnValue): Promise<void> {
  await app?.evaluate(({ dialog }, given) => {
    dialog.showSaveDialog = async () => given;
  }, answer);
}

function log(): string {
  const path = join(userData, 'logs', 'waypost.log');
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

function serverState(page: Page, wanted: ServerState['state']): Promise<ServerState> {
  return page.evaluate(async (name) => {
    const { server } = (window as unknown as WithBridge).desktop;
    return new Promise<ServerState>((resolve) => {
      server.onChange((state) => state.state === name && resolve(state));
      void server.state().then((state) => state.state === name && resolve(state));
    });
  }, wanted);
}

async function serverPid(): Promise<number> {
  const pid = await app?.evaluate(
    ({ app: main }) => main.getAppMetrics().find(({ name }) => name === 'Waypost server')?.pid,
  );
  if (!pid) throw new Error('There is no process called "Waypost server".');
  return pid;
}
