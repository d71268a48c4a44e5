import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, inject, vi } from 'vitest';
import type { ApiReply, ApiRequest, Desktop, ServerState } from '../../preload/contract.ts';
import {
  type DesktopApp,
  type DesktopOptions,
  type DesktopProcess,
  launchDesktop,
  startDesktop,
} from './electron.ts';
import { findChromium } from './provision.ts';

export interface DesktopBench {
  /** The data folder of this test's app; the next start of it finds what the last one left. */
  userData(): string;
  launch(options?: Partial<DesktopOptions>): Promise<DesktopApp>;
  /** `launchSetUpDesktop` with this test's data folder. */
  launchSetUp(options?: Partial<SetUpOptions>): Promise<DesktopApp>;
  start(options?: Partial<DesktopOptions>): Promise<DesktopProcess>;
}

/** Gives each test of a file its own app, and stops whatever it leaves running. */
export function desktopBench(): DesktopBench {
  // Some of these start the whole app three times, and the machine may be busy with other things.
  vi.setConfig({ testTimeout: 180_000 });
  let folder = '';
  const apps: DesktopApp[] = [];
  const processes: DesktopProcess[] = [];

  beforeEach((context) => {
    context.skip(!findChromium(), 'there is no Chromium on this machine, and none could be installed');
    folder = mkdtempSync(join(tmpdir(), 'waypost-desktop-'));
  });
  afterEach(async () => {
    for (const app of apps.splice(0)) await app.close();
    for (const started of processes.splice(0)) await started.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  return {
    userData: () => folder,
    async launch(options) {
      const app = await launchDesktop({ userData: folder, ...options });
      apps.push(app);
      return app;
    },
    async launchSetUp(options) {
      const app = await launchSetUpDesktop({ userData: folder, ...options });
      apps.push(app);
      return app;
    },
    async start(options) {
      const started = await startDesktop({ userData: folder, ...options });
      processes.push(started);
      return started;
    },
  };
}

/** One app, set up, for all tests of a `describe`, which is skipped where there is no Chromium. */
export function sharedDesktop(): { app(): DesktopApp; userData(): string } {
  let folder = '';
  let app: DesktopApp | undefined;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'waypost-desktop-'));
    app = await launchSetUpDesktop({ userData: folder });
  });
  afterAll(async () => {
    await app?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });
  return {
    app() {
      if (!app) throw new Error('The app is started before the first test.');
      return app;
    },
    userData: () => folder,
  };
}

/** A key encrypted on one system cannot be used on another. */
export type SetUpOptions = Omit<DesktopOptions, 'platform' | 'keyStore'>;

/**
 * Starts the app in an empty data folder as if the first run had been completed. For tests of what comes after, at two
 * thirds of the cost of starting it and completing the first run.
 */
export async function launchSetUpDesktop(options: SetUpOptions): Promise<DesktopApp> {
  template ??= setUpOnce(inject('desktopTemplate'));
  const from = await template;
  for (const part of partsOfTemplate)
    cpSync(join(from, part), join(options.userData, part), { recursive: true });
  const app = await launchDesktop(options);
  await app.page.getByRole('heading', { name: 'Overview' }).waitFor();
  return app;
}

/** The data folder of an app that was set up and has ended; made for the first test of the run that wants it. */
let template: Promise<string> | undefined;

/** What the app remembers; not the port, which is each test's own, nor the browser's profile. */
const partsOfTemplate = ['data', 'instances.json', 'keys.json', 'stand-in-key-store'];

/** Makes the template, or waits for the process of this run that makes it. */
async function setUpOnce(folder: string): Promise<string> {
  const [userData, made, lock] = [join(folder, 'app'), join(folder, 'made'), join(folder, 'lock')];
  while (!existsSync(made)) {
    if (!isTaken(lock)) {
      try {
        await setUpTemplate(userData);
        writeFileSync(made, '');
      } finally {
        rmSync(lock);
      }
    } else await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return userData;
}

/** Takes a lock; returns whether another process has it. */
function isTaken(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return false;
  } catch {
    return true;
  }
}

async function setUpTemplate(userData: string): Promise<void> {
  rmSync(userData, { recursive: true, force: true });
  const app = await launchDesktop({ userData });
  try {
    await setUpByClicking(app);
  } finally {
    await app.close();
  }
}

/** Completes the first run like a user: one click, and past the key. Returns the key. */
export async function setUpByClicking({ page }: DesktopApp): Promise<string> {
  await page.getByRole('button', { name: 'Create account' }).click();
  const shown = page.getByText(/^wp_[\w-]+$/);
  const key = await shown.textContent().catch(async (error: Error) => {
    throw new Error(`${error.message}\nThe page says:\n${await page.locator('body').textContent()}`);
  });
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  if (!key) throw new Error('The set-up showed no key.');
  return key;
}

let requests = 0;

/** A request by the page, through the bridge. */
export async function ask({ page }: DesktopApp, request: ApiRequest): Promise<ApiReply> {
  const reply = await page.evaluate(
    ([name, asked]) => (window as unknown as { desktop: Desktop }).desktop.request('local', name, asked),
    [`test ${++requests}`, request] as const,
  );
  if ('unreachable' in reply) throw new Error(`${request.path}: ${reply.unreachable} (${reply.message})`);
  return reply;
}

/** Resolves when the page is told that the server is in this state, or is already. */
export function serverState({ page }: DesktopApp, wanted: ServerState['state']): Promise<ServerState> {
  return page.evaluate(async (name) => {
    const { server } = (window as unknown as { desktop: Desktop }).desktop;
    return new Promise<ServerState>((resolve) => {
      server.onChange((state) => state.state === name && resolve(state));
      void server.state().then((state) => state.state === name && resolve(state));
    });
  }, wanted);
}

/** Whether a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
