import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { describe, expect, inject, test } from 'vitest';
import { decoder } from '../../server/content/qr/decoder.ts';
import { joinAsNewcomer } from '../support/admin-page.ts';
import { faultsOf } from '../support/axe.ts';
import { ask, desktopBench, isAlive, serverState, setUpByClicking } from '../support/desktop-flow.ts';
import { addWaypost, desktopRemotes, shownInstance } from '../support/desktop-remotes.ts';
import type { DesktopApp } from '../support/electron.ts';
import { setUpAccount, spawnServer } from '../support/spawned-server.ts';

const bench = desktopBench();

/** Programs are counted apart, as bots. */
const browser =
  'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

test('the first ten minutes: set-up by one click; a link created, followed and saved as a code; another instance; everything there the next day', async ({
  onTestFinished,
}) => {
  const app = await bench.launch();
  const { page } = app;
  await page.getByRole('heading', { name: 'Welcome to Waypost' }).waitFor();
  for (const field of ['Name', 'Username', 'Email', 'Password']) {
    await expect.poll(() => page.getByLabel(field, { exact: true }).inputValue()).not.toBe('');
  }
  await setUpByClicking(app);

  await page.getByRole('textbox', { name: 'URL to shorten' }).fill('https://example.com/a/long/address?a=1');
  await page.getByRole('button', { name: 'Shorten' }).click();
  // What the form says of the short link is where it is made, by whatever address the app asks its server.
  const shownHost = (
    await page
      .getByRole('dialog')
      .getByText(/^(localhost|127\.0\.0\.1):\d+\/$/)
      .textContent()
  )?.slice(0, -1);
  await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click();
  const { text: short } = await app.waitFor('copied');
  expect(short).toMatch(`//${shownHost}/`);
  // The page is that of an account with a link by then, without a visit or another look.
  await page.getByText('Your first short link is a paste away').waitFor({ state: 'detached' });

  const follow = () => fetch(short, { redirect: 'manual', headers: { 'user-agent': browser } });
  const followed = await follow();
  expect([followed.status, followed.headers.get('location')]).toEqual([
    302,
    'https://example.com/a/long/address?a=1',
  ]);
  // The page hears of it by the live stream, without being asked to look again.
  await page
    .getByText(/^just now$|^now$|second/i)
    .first()
    .waitFor();
  const id = new URL(short).pathname.slice(1);
  const asked = async () => (await ask(app, { method: 'GET', path: `/api/urls?short=${id}` })).body;
  await expect.poll(asked, { interval: 250 }).toMatchObject({ data: { urls: [{ alias: id, clicks: 1 }] } });
  expect(app.told.filter(({ type }) => type === 'requested')).toEqual([]);

  if (inject('isLong')) await saveCodeOf(app, id, short);
  const office = inject('isLong') ? await addOffice(page) : undefined;
  if (office) onTestFinished(() => office.kill());
  await app.close();
  expect(await app.exited).toBe(0);

  const next = await bench.launch();
  if (office) {
    await shownInstance(next.page, 'Office');
    await next.page.getByRole('heading', { name: 'Overview' }).waitFor();
    await next.page.keyboard.press('Control+1');
  }
  await shownInstance(next.page, 'This computer');
  await next.page.getByRole('link', { name: 'Links', exact: true }).first().click();
  await next.page.getByRole('row').filter({ hasText: id }).first().waitFor();
  expect((await follow()).headers.get('location')).toBe('https://example.com/a/long/address?a=1');
});

/** Saves the code of a link from its row, and reads it. */
async function saveCodeOf(app: DesktopApp, id: string, short: string): Promise<void> {
  const { page } = app;
  const code = join(bench.userData(), 'code.png');
  app.order({ type: 'save-at', path: code });
  await page.getByRole('link', { name: 'Links', exact: true }).first().click();
  const row = page.getByRole('row').filter({ hasText: id });
  await row.getByRole('button', { name: /^Actions/ }).click();
  await page.getByRole('menuitem', { name: 'QR code' }).click();
  await page.getByRole('button', { name: 'PNG', exact: true }).click();
  await expect.poll(() => existsSync(code)).toBe(true);
  const reads = decoder();
  try {
    expect(await reads.decode(readFileSync(code))).toBe(short);
  } finally {
    reads.close();
  }
  await page.keyboard.press('Escape');
}

/** Another instance, which the app knows and shows. */
async function addOffice(page: Page) {
  const office = await spawnServer(join(bench.userData(), 'office'));
  await setUpAccount(office);
  await addWaypost(page, office, 'Office');
  return office;
}

test('the second day: signing out and in with the password, a backup downloaded, another instance removed; the link works throughout', {
  tags: 'long',
}, async ({ onTestFinished }) => {
  const first = await bench.launch();
  await expect.poll(() => first.page.getByLabel('Email').inputValue()).toMatch(/@/);
  await first.page.getByLabel('Username', { exact: true }).fill('anna');
  await first.page.getByLabel('Password', { exact: true }).fill('correct horse battery');
  await setUpByClicking(first);
  const made = await ask(first, {
    method: 'POST',
    path: '/api/url/add',
    body: { url: 'https://example.com/kept' },
  });
  const { shorturl: short } = made.body as { shorturl: string };
  const office = await spawnServer(join(bench.userData(), 'office'));
  onTestFinished(() => office.kill());
  await setUpAccount(office);
  await addWaypost(first.page, office, 'Office');
  await first.close();

  const app = await bench.launch();
  const { page } = app;
  await shownInstance(page, 'Office');
  await page.getByRole('button', { name: /^Instance:/ }).click();
  await page.getByRole('menuitem', { name: 'Manage instances' }).click();
  await page.getByRole('button', { name: 'Actions for Office' }).click();
  await page.getByRole('menuitem', { name: 'Remove', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('“Office” was removed').first().waitFor();
  await shownInstance(page, 'This computer');
  // Neither its address nor its key is left, and what it has is untouched.
  for (const name of ['instances.json', 'keys.json'])
    expect(readFileSync(join(bench.userData(), name), 'utf8')).not.toContain(office.origin);
  expect((await fetch(`${office.origin}/api/health`)).status).toBe(200);

  await page.getByRole('button', { name: /^Account:/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  const leadsTo = async () => (await fetch(short, { redirect: 'manual' })).headers.get('location');
  expect(await leadsTo()).toBe('https://example.com/kept');
  await page.getByLabel('Email or username').fill('anna');
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();

  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('link', { name: 'Backups', exact: true }).click();
  await page.getByRole('button', { name: 'Back up now' }).first().click();
  await page
    .getByText(/^Restorable, checked/)
    .first()
    .waitFor();
  await page
    .getByRole('button', { name: /^Actions/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Download' }).click();
  const backup = Buffer.from(await (await fetch((await app.waitFor('opened')).address)).arrayBuffer());
  expect(backup.toString('hex', 0, 2)).toBe('1f8b');
  await app.close();

  const next = await bench.launch();
  await next.page.getByRole('heading', { name: 'Overview' }).waitFor();
  await shownInstance(next.page, 'This computer');
  await next.page.getByRole('button', { name: /^Instance:/ }).click();
  await next.page.getByRole('menuitem', { name: 'Manage instances' }).waitFor();
  expect(await next.page.getByText('Office').count()).toBe(0);
  expect(await leadsTo()).toBe('https://example.com/kept');
});

describe('an invited person', () => {
  const remotes = desktopRemotes();

  test('joins from the first page without an account here, and returns there the next day', {
    tags: 'long',
  }, async () => {
    const { id } = await remotes.ask<{ id: number }>('POST', '/api/team/add', { name: 'Rockets' });
    const { link } = await remotes.ask<{ link: string }>('POST', `/api/team/${id}/invite`, {
      role: 'editor',
    });
    const first = await bench.launch();
    const { page } = first;
    await page.getByRole('button', { name: 'I have an invitation' }).click();
    const form = page.getByRole('dialog', { name: 'Join with an invitation' });
    await form.getByLabel('Invitation link').fill(remotes.waypost().origin);
    await form.getByRole('button', { name: 'Continue' }).click();
    await form.getByText('Paste the whole invitation link. It starts with').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await form.getByLabel('Invitation link').fill(link);
    await form.getByRole('button', { name: 'Continue' }).click();
    await form.getByLabel('Name', { exact: true }).fill('Office');
    await form.getByRole('button', { name: 'Add and open the invitation' }).click();
    await page.getByRole('heading', { name: 'Join Rockets' }).waitFor();
    await joinAsNewcomer(page);
    await shownInstance(page, 'Office');
    await page.getByRole('link', { name: 'Links', exact: true }).first().click();
    await page.getByLabel('Long URL').fill('https://example.com/by-grace');
    await page.keyboard.press('Enter');
    await page.getByRole('row').filter({ hasText: 'example.com/by-grace' }).first().waitFor();

    // This computer has no account still, and its first page leads back.
    await page.keyboard.press('Control+1');
    await page.getByRole('heading', { name: 'Welcome to Waypost' }).waitFor();
    await page.getByRole('button', { name: 'Go to “Office”' }).click();
    await page.getByRole('row').filter({ hasText: 'example.com/by-grace' }).first().waitFor();

    // The link of a server that is known by then leads there at once.
    await page.keyboard.press('Control+1');
    await page.getByRole('button', { name: 'I have an invitation' }).click();
    await form.getByLabel('Invitation link').fill(link);
    await form.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Open team' }).waitFor();

    await first.close();
    const { page: again } = await bench.launch();
    await shownInstance(again, 'Office');
  });
});

test('later starts need no sign-in, use the same port, keep everything, and the menu reaches the page', {
  tags: 'long',
}, async () => {
  const first = await bench.launch();
  const key = await setUpByClicking(first);
  const made = await ask(first, {
    method: 'POST',
    path: '/api/url/add',
    body: { url: 'https://example.com' },
  });
  const running = await serverState(first, 'running');
  const pid = first.serverPid();
  await first.close();
  expect(await first.exited).toBe(0);
  expect(isAlive(pid)).toBe(false);
  expect(first.log()).not.toContain('did not stop in time');

  const second = await bench.launch();
  await second.page.getByRole('heading', { name: 'Overview' }).waitFor();
  expect(await serverState(second, 'running')).toEqual(running);
  const { body } = await ask(second, { method: 'GET', path: '/api/urls' });
  expect(body).toMatchObject({ data: { urls: [{ id: (made.body as { id: number }).id }] } });

  // What the API key may is the person's own matter: the app has a session, which nobody can read off the disk.
  expect(filesBelow(bench.userData()).filter((file) => readFileSync(file).includes(key))).toEqual([]);
  expect(
    await second.page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage })),
  ).not.toMatch(/wp_/);

  second.order({ type: 'click-menu', id: 'search' });
  await second.page.getByPlaceholder(/search links/i).waitFor();
  await second.page.keyboard.press('Escape');
  second.order({ type: 'click-menu', id: 'new-link' });
  await second.page.getByRole('dialog').getByRole('button', { name: 'Create link' }).waitFor();
});

function filesBelow(folder: string): string[] {
  return (
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      // Chromium's own profile is part of the stand-in, but what a page leaves there counts.
      .filter((file) => !/SingletonLock|SingletonSocket|SingletonCookie/.test(file))
  );
}
