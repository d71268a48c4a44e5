// The real Electron, where a machine has one: what the stand-in (test/support/electron.ts) cannot show.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ElectronApplication, _electron as electron, type Page } from 'playwright';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findElectron, mustRunUnsandboxed } from '../../build/electron-runtime.ts';
import { projectRoot } from '../../build/processes.ts';
import type { Desktop, ServerState } from '../../preload/contract.ts';
import { freePort } from '../support/electron.ts';

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
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
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

async function options() {
  if ('reason' in runtime) throw new Error(runtime.reason);
  const preferences = join(userData, 'preferences.json');
  if (!existsSync(preferences)) writeFileSync(preferences, JSON.stringify({ port: await freePort() }));
  return {
    executablePath: runtime.path,
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
