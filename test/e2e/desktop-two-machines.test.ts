import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SharingState } from '../../server/contract/sharing.ts';
import { type DesktopBench, desktopBench } from '../support/desktop-flow.ts';
import { shownInstance } from '../support/desktop-remotes.ts';
import { type OtherMachine, otherMachine } from '../support/other-machine.ts';
import { firstAccount, type SpawnedServer, spawnServer } from '../support/spawned-server.ts';

const bench: DesktopBench = desktopBench();
let studio: OtherMachine;
let server: SpawnedServer | undefined;
let folder = '';

beforeEach(async (context) => {
  const made = await otherMachine('studio');
  if (typeof made === 'string') context.skip(made);
  else studio = made;
  folder = mkdtempSync(join(tmpdir(), 'waypost-studio-'));
});
afterEach(async () => {
  await server?.stop();
  server = undefined;
  studio?.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** One request of a program on the other machine to the server there; its document. */
// biome-ignore lint/suspicious/noExplicitAny: a test looks into replies of every shape.
function askThere(method: string, path: string, key: string | undefined, body?: object): any {
  const script = `
    const [method, url, key, body] = JSON.parse(process.argv[1]);
    const headers = { 'content-type': 'application/json', ...(key && { authorization: 'Bearer ' + key }) };
    fetch(url, { method, headers, body: body && JSON.stringify(body) }).then(async (reply) => {
      process.stdout.write(await reply.text());
    });`;
  const given = JSON.stringify([method, `${server?.origin}${path}`, key, body]);
  return JSON.parse(studio.run([process.execPath, '-e', script, given]));
}

/** One request from this machine to the other one, without encryption. */
async function askPlainly(path: string, key?: string): Promise<{ status: number; location: string | null }> {
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const signal = AbortSignal.timeout(10_000);
  const url = `http://${studio.address}:${server?.port}${path}`;
  const reply = await fetch(url, { headers, redirect: 'manual', signal });
  await reply.arrayBuffer();
  return { status: reply.status, location: reply.headers.get('location') };
}

test('an instance on another machine is discovered, verified, used over HTTPS, lost and found again', {
  tags: 'long',
}, async () => {
  server = await spawnServer(folder, [], studio.prefix);
  const { api_key: key } = askThere('POST', '/api/setup', undefined, {
    ...firstAccount,
    setupcode: server.setupCode,
  }).data;
  askThere('PUT', '/api/settings', key, { sharing: true });
  const sharing = (): SharingState => askThere('GET', '/api/sharing', key).data;
  await expect.poll(() => sharing().https?.urls).toContainEqual(expect.stringContaining(studio.address));
  const { https } = sharing();

  const app = await bench.launchSetUp();
  const { page } = app;
  const form = page.getByRole('dialog');
  await page.getByRole('button', { name: /Instance:/ }).click();
  await page.getByRole('menuitem', { name: 'Add an instance…' }).click();
  const nearby = form.getByRole('region', { name: 'On your network' });
  await nearby.getByRole('button', { name: /Waypost on studio.*Encrypted/s }).click();
  expect(https?.urls).toContain(await form.getByLabel('URL').inputValue());
  await form.getByRole('button', { name: 'Continue' }).click();
  const presented = form.getByLabel('Presented fingerprint (SHA-256)').locator('span');
  await presented.first().waitFor();
  expect((await presented.allTextContents()).join(':')).toBe(https?.fingerprint);
  await form.getByRole('checkbox').check();
  await form.getByRole('button', { name: 'Trust this server' }).click();
  await form.getByLabel('Email or username').fill(firstAccount.username);
  await form.getByLabel('Password', { exact: true }).fill(firstAccount.password);
  await form.getByRole('button', { name: 'Add and sign in' }).click();
  await shownInstance(page, 'Waypost on studio');

  await page.getByRole('link', { name: 'Links', exact: true }).first().click();
  await page.keyboard.press('c');
  await form.getByRole('textbox', { name: 'Destination' }).fill('https://example.com/studio');
  await form.getByRole('button', { name: 'Create link' }).click();
  await page.getByRole('row').filter({ hasText: 'example.com/studio' }).first().waitFor();
  const [link] = askThere('GET', '/api/urls', key).data.urls;
  expect(link.longurl).toBe('https://example.com/studio');
  const path = `/${link.alias}`;
  expect(await askPlainly(path)).toEqual({ status: 302, location: 'https://example.com/studio' });
  expect((await askPlainly('/api/account', key)).status).toBe(403);

  // The cable is pulled out, and put in again: nobody has to do anything.
  studio.setPlugged(false);
  await page.getByRole('link', { name: 'Files', exact: true }).first().click();
  await page.getByText('Connection lost. Reconnecting…').waitFor({ timeout: 60_000 });
  studio.setPlugged(true);
  await page.getByText('Connection lost. Reconnecting…').waitFor({ state: 'hidden', timeout: 60_000 });
  await page.getByRole('link', { name: 'Links', exact: true }).first().click();
  await page.getByRole('row').filter({ hasText: 'example.com/studio' }).first().waitFor();

  // Sharing ends, and the other machine is closed to us.
  askThere('PUT', '/api/settings', key, { sharing: false });
  await expect(askPlainly(path)).rejects.toThrow();
  await page.keyboard.press('Control+1');
  await shownInstance(page, 'This computer');
  await page.getByRole('button', { name: /Instance:/ }).click();
  await page.getByRole('menuitem', { name: 'Add an instance…' }).click();
  await nearby.getByText('No other instances found.').waitFor();
});
