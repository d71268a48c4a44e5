import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, vi } from 'vitest';
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
  start(options?: Partial<DesktopOptions>): Promise<DesktopProcess>;
}

/** Gives each test of a file an app of its own, and ends whatever it leaves running. */
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
    async start(options) {
      const started = await startDesktop({ userData: folder, ...options });
      processes.push(started);
      return started;
    },
  };
}

/** Goes through the first run as a person does: one click, and on past the key. Returns the key. */
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

/** A request as the page makes it, through the bridge. */
export async function ask({ page }: DesktopApp, request: ApiRequest): Promise<ApiReply> {
  const reply = await page.evaluate(
    ([name, asked]) => (window as unknown as { desktop: Desktop }).desktop.request('local', name, asked),
    [`test ${++requests}`, request] as const,
  );
  if ('unreachable' in reply) throw new Error(`${request.path}: ${reply.unreachable} (${reply.message})`);
  return reply;
}

/** Resolves when the page hears that the server is in this state, or with the state it is in already. */
export function serverState({ page }: DesktopApp, wanted: ServerState['state']): Promise<ServerState> {
  return page.evaluate(async (name) => {
    const { server } = (window as unknown as { desktop: Desktop }).desktop;
    return new Promise<ServerState>((resolve) => {
      server.onChange((state) => state.state === name && resolve(state));
      void server.state().then((state) => state.state === name && resolve(state));
    });
  }, wanted);
}

/** Whether there is a process of that id. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
