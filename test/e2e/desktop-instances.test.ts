import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type DesktopBench, desktopBench, setUpByClicking } from '../support/desktop-flow.ts';
import type { DesktopApp } from '../support/electron.ts';
import { type PlainService, plainService } from '../support/plain-service.ts';
import { type SpawnedServer, setUpAccount, spawnServer } from '../support/spawned-server.ts';

const bench: DesktopBench = desktopBench();
let folder = '';
let remote: SpawnedServer;
let remoteKey = '';
let plain: PlainService;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-remote-'));
  remote = await spawnServer(folder);
  remoteKey = await setUpAccount(remote);
  plain = await plainService();
});
afterEach(async () => {
  await remote.kill();
  await plain.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A request to the remote server by its API key. */
async function atRemote(path: string, init: RequestInit = {}): Promise<unknown> {
  const reply = await fetch(remote.origin + path, {
    ...init,
    headers: { authorization: `Bearer ${remoteKey}`, 'content-type': 'application/json' },
  });
  return reply.json();
}

async function openForm(page: Page, address: string): Promise<void> {
  await page.getByRole('button', { name: /Instance:/ }).click();
  await page.getByRole('menuitem', { name: 'Add an instance…' }).click();
  await page.getByRole('dialog').getByLabel('Address').fill(address);
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
}

async function addRemote({ page }: DesktopApp, name: string): Promise<void> {
  await openForm(page, remote.origin);
  const form = page.getByRole('dialog');
  await form.getByText(/Waypost \d/).waitFor();
  await form.getByLabel('Name', { exact: true }).fill(name);
  await form.getByRole('radio', { name: 'Rose' }).check({ force: true });
  await form.getByLabel('E-mail or user name').fill('anna');
  await form.getByLabel('Password', { exact: true }).fill('correct horse');
  await form.getByRole('button', { name: 'Add and sign in' }).click();
  await shown(page, name);
}

const shown = (page: Page, name: string) =>
  page.getByRole('button', { name: new RegExp(`Instance:.*${name}`) }).waitFor();

test('another server is added by signing in there, worked on, and left and shown again by the keyboard', async () => {
  const app = await bench.launch();
  await setUpByClicking(app);
  const { page } = app;
  await addRemote(app, 'Office');

  await page.getByRole('link', { name: 'Links', exact: true }).first().click();
  await page.keyboard.press('c');
  await page
    .getByRole('dialog')
    .getByRole('textbox', { name: 'Destination' })
    .fill('https://example.com/office');
  await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click();
  await page.getByRole('row').filter({ hasText: 'example.com/office' }).first().waitFor();
  expect(await atRemote('/api/urls')).toMatchObject({
    data: { urls: [{ longurl: 'https://example.com/office' }] },
  });

  // Each instance keeps the page that it was left at, and shows nothing of the other.
  await page.keyboard.press('Control+1');
  await shown(page, 'This computer');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.getByRole('link', { name: 'Links', exact: true }).first().click();
  await page.getByRole('heading', { name: 'Links', exact: true }).waitFor();
  expect(await page.getByText('example.com/office').count()).toBe(0);
  await page.keyboard.press('Control+2');
  await shown(page, 'Office');
  await page.getByRole('row').filter({ hasText: 'example.com/office' }).first().waitFor();

  // The other server is asked with its own token only, and the disk holds no key that could be read.
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toMatch(
    /wp_/,
  );
});

test('a key that is refused leads to the sign-in of that instance, with a way back', async () => {
  const app = await bench.launch();
  await setUpByClicking(app);
  const { page } = app;
  await addRemote(app, 'Office');
  const { data } = (await atRemote('/api/auth/sessions')) as { data: { sessions: { id: number }[] } };
  for (const { id } of data.sessions) await atRemote(`/api/auth/session/${id}/delete`, { method: 'DELETE' });
  await page.getByRole('link', { name: 'Links', exact: true }).first().click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();

  await page.getByRole('button', { name: 'Use an API key instead' }).click();
  await page.getByLabel('API key', { exact: true }).fill('wrong');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('The server refuses this key.').waitFor();
  await page.getByLabel('API key', { exact: true }).fill(remoteKey);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await shown(page, 'Office');

  await remote.kill();
  await page.getByRole('link', { name: 'Files', exact: true }).first().click();
  await page.getByText('The server does not answer. Trying again…').waitFor();
  await app.close();
  const again = await bench.launch();
  await again.page.getByText('Office does not answer.').waitFor();
  await again.page.getByRole('button', { name: 'Go to “This computer”' }).click();
  await shown(again.page, 'This computer');
});

test('an address where nobody answers is not kept', async () => {
  const app = await bench.launch();
  await setUpByClicking(app);
  const { page } = app;
  await plain.close();
  await openForm(page, plain.origin);
  await page
    .getByRole('dialog')
    .getByText(/Check that it runs/)
    .waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  expect(await page.getByRole('list', { name: 'Instances' }).getByRole('listitem').count()).toBe(1);
});

test('a service of the published contract alone shows what it has and hides the rest', async () => {
  const app = await bench.launch();
  await setUpByClicking(app);
  const { page } = app;
  await openForm(page, plain.origin);
  const form = page.getByRole('dialog');
  await form.getByText('Published interface only').waitFor();
  await form.getByLabel('Name', { exact: true }).fill('Old service');
  await form.getByLabel('API key', { exact: true }).fill(plain.key);
  await form.getByRole('button', { name: 'Add and sign in' }).click();
  await shown(page, 'Old service');

  const sidebar = page.getByRole('navigation', { name: 'Sidebar' });
  await sidebar.getByRole('link', { name: 'Files', exact: true }).waitFor();
  for (const name of ['Overview', 'Links', 'Activity', 'API reference'])
    expect(await sidebar.getByRole('link', { name, exact: true }).count()).toBe(0);
  await sidebar.getByRole('link', { name: 'Files', exact: true }).click();
  await page.getByRole('heading', { name: 'Files' }).waitFor();
  expect(plain.requests.length).toBeLessThan(25);
  expect(plain.requests.filter(({ path }) => path.startsWith('/api/events'))).toEqual([]);

  // The key of one never goes to another.
  expect(new Set(plain.requests.map(({ key }) => key))).toEqual(new Set([undefined, plain.key]));
});
