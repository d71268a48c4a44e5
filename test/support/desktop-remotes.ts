import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type BaseContractService, baseContractService } from './base-contract-service.ts';
import { type SpawnedServer, setUpAccount, spawnServer } from './spawned-server.ts';

/** Servers that a desktop app adds to its own. */
export interface Remotes {
  /** Another Waypost with the account `anna`. */
  waypost(): SpawnedServer;
  /** An API key there. */
  key(): string;
  /** A server with only the published contract. */
  plain(): BaseContractService;
  /** A request to the other Waypost by its API key. Returns the reply's document; throws what it was refused for. */
  ask<Reply = unknown>(method: string, path: string, body?: object): Promise<Reply>;
}

/** Gives each test of a file two servers, and stops them afterwards. */
export function desktopRemotes({ plainPerMinute }: { plainPerMinute?: number } = {}): Remotes {
  return remotes(beforeEach, afterEach, plainPerMinute);
}

/** Gives all tests of a `describe` the same two servers, and stops them after the last. */
export function sharedRemotes(): Remotes {
  return remotes(beforeAll, afterAll);
}

function remotes(
  before: (work: () => Promise<void>) => void,
  after: (work: () => Promise<void>) => void,
  plainPerMinute?: number,
): Remotes {
  let folder = '';
  let waypost: SpawnedServer;
  let plain: BaseContractService;
  let key = '';

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'waypost-remote-'));
    waypost = await spawnServer(folder);
    key = await setUpAccount(waypost);
    plain = await baseContractService(plainPerMinute === undefined ? {} : { perMinute: plainPerMinute });
  });
  after(async () => {
    await waypost.kill();
    await plain.close();
    rmSync(folder, { recursive: true, force: true });
  });

  return {
    waypost: () => waypost,
    key: () => key,
    plain: () => plain,
    async ask<Reply>(method: string, path: string, body?: object) {
      const reply = await fetch(waypost.origin + path, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      const document = (await reply.json()) as { error: number; message?: string };
      if (document.error !== 0) throw new Error(`${method} ${path}: ${document.message}`);
      return document as Reply;
    },
  };
}

/** Opens the form that adds an instance and submits an address. Returns the form. */
export async function openInstanceForm(page: Page, address: string): Promise<Locator> {
  await page.getByRole('button', { name: /Instance:/ }).click();
  await page.getByRole('menuitem', { name: 'Add an instance…' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('URL').fill(address);
  await form.getByRole('button', { name: 'Continue' }).click();
  return form;
}

/** Adds the other Waypost by signing in, and switches to it. */
export async function addWaypost(page: Page, { origin }: SpawnedServer, name: string): Promise<void> {
  const form = await openInstanceForm(page, origin);
  await form.getByText(/Waypost \d/).waitFor();
  await form.getByLabel('Name', { exact: true }).fill(name);
  await form.getByRole('radio', { name: 'Rose' }).check({ force: true });
  await form.getByLabel('Email or username').fill('anna');
  await form.getByLabel('Password', { exact: true }).fill('correct horse');
  await form.getByRole('button', { name: 'Add and sign in' }).click();
  await shownInstance(page, name);
}

/** Adds the server with only the published contract by its key, and switches to it. */
export async function addPlain(
  page: Page,
  { origin, key }: BaseContractService,
  name: string,
): Promise<void> {
  const form = await openInstanceForm(page, origin);
  await form.getByText('Base API only').waitFor();
  await form.getByLabel('Name', { exact: true }).fill(name);
  await form.getByLabel('API key', { exact: true }).fill(key);
  await form.getByRole('button', { name: 'Add and sign in' }).click();
  await shownInstance(page, name);
}

/** Waits until the instance with this name is selected. */
export function shownInstance(page: Page, name: string): Promise<void> {
  return page.getByRole('button', { name: new RegExp(`Instance:.*${name}`) }).waitFor();
}
