// The real Electron, where a machine has one: what the stand-in (test/support/electron.ts) cannot show.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ElectronApplication, _electron as electron, type Page } from 'playwright';
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

test('sets itself up by a click, seals the session, and goes straight in the next time', async () => {
  const page = await launch();
  await setUp(page);
  await app?.close();
  const again = await launch();
  await again.getByRole('heading', { name: 'Overview' }).waitFor();
});

test('forks the server as a utility process, and forks it again when it is killed', async () => {
  const page = await launch();
  await serverState(page, 'running');
  const restarting = serverState(page, 'restarting');
  const pid = await serverPid();
  process.kill(pid, 'SIGKILL');
  await restarting;
  await serverState(page, 'running');
  expect(await serverPid()).not.toBe(pid);
});

test('lets the page go nowhere, open nothing and have no permission', async () => {
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

test('answers no frame inside the page', async () => {
  const page = await launch();
  const bridge = await page.evaluate(() => {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    return typeof (frame.contentWindow as unknown as WithBridge).desktop;
  });
  expect(bridge).toBe('undefined');
});

test.skipIf(mustRunUnsandboxed())('runs its page inside the sandbox of the system', async () => {
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

test('makes a link that leads there, and copies it into the clipboard of the system', async () => {
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

test('a waypost: link of the system reaches the app that runs, and does nothing by itself', async () => {
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

test('runs one app for one data folder', async () => {
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
