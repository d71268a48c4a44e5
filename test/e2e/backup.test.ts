import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { type AdminPage, fillSignIn, openAdminPage, signInAt } from '../support/admin-page.ts';
import { administrator } from '../support/app.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { findChromium } from '../support/provision.ts';
import { type SpawnedServer, setUpAccount, spawnServer } from '../support/spawned-server.ts';

// Both themes are looked at by axe again and again, and servers start anew meanwhile.
vi.setConfig({ testTimeout: 240_000 });

/** Of a server that starts anew the browser hears nothing for a moment, and says so. */
const isMeant = (complaint: string) => /net::ERR_(CONNECTION|EMPTY|INCOMPLETE|NETWORK)/.test(complaint);
const unmeant = (complaints: readonly string[]) => complaints.filter((complaint) => !isMeant(complaint));

const passphrase = 'seven wet otters';
/** The account of the instance that a backup is brought to. */
const other = { email: 'ben@example.com', username: 'ben', password: 'another horse' };

/**
 * A backup on its way: made and checked, downloaded, restored where it was made, brought to an instance with another
 * account, and to an empty one from the first page. The built server, which starts anew in its own process.
 */
describe.skipIf(!findChromium())('backups', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-backups-'));
  const file = join(folder, 'backup.tar.gz');
  const damaged = join(folder, 'damaged.tar.gz');
  const cut = join(folder, 'cut.tar.gz');
  const servers: SpawnedServer[] = [];
  const keys = new Map<SpawnedServer, string>();
  let browser: TestBrowser;
  let home: SpawnedServer;
  let admin: AdminPage;
  let page: Page;

  beforeAll(async () => {
    browser = await openBrowser();
    home = await start('home');
    keys.set(home, await setUpAccount(home));
    await addLink(home, 'spring');
    admin = await openAdminPage(browser, home.origin);
    page = admin.page;
    await signInAt(page, home.origin, '/settings/backups');
    await page.getByRole('heading', { name: 'Backups', exact: true }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    for (const server of servers) await server.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(name: string): Promise<SpawnedServer> {
    // The daily backup would come between.
    const server = await spawnServer(join(folder, name), ['--ratelimit', '10000', '--backup', 'false']);
    servers.push(server);
    return server;
  }
  /** Calls a server by the key that its account got at first. */
  async function ask(server: SpawnedServer, path: string, body?: object) {
    const reply = await fetch(server.origin + path, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${keys.get(server)}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: reply.status, body: await reply.json() };
  }
  const addLink = (server: SpawnedServer, alias: string) =>
    ask(server, '/api/url/add', { url: `https://example.com/${alias}`, custom: alias });
  /** Where a short link leads, as a visitor sees it; undefined where it leads nowhere. */
  async function follow(server: SpawnedServer, alias: string): Promise<string | undefined> {
    const reply = await fetch(`${server.origin}/${alias}`, { redirect: 'manual' });
    return reply.headers.get('location') ?? undefined;
  }
  const lines = (shown: Page) => shown.getByRole('list', { name: 'Backups' }).getByRole('listitem');
  async function choose(shown: Page, action: string): Promise<void> {
    await lines(shown)
      .first()
      .getByRole('button', { name: /^Actions for the backup/ })
      .click();
    await shown.getByRole('menuitem', { name: action, exact: true }).click();
  }

  test('a backup with keys is created, and counts only after a test restore', async () => {
    await page.getByText('No backup yet').waitFor();
    await expectAccessible(page);
    await page.getByLabel('New passphrase').fill('short');
    await page.getByRole('button', { name: 'Set passphrase' }).click();
    await page.getByText('Choose a passphrase of at least 8 characters.').waitFor();
    await page.getByLabel('New passphrase').fill(passphrase);
    await page.getByRole('button', { name: 'Set passphrase' }).click();
    await page.getByText('A passphrase is set').waitFor();

    await page.getByRole('button', { name: 'Back up now' }).first().click();
    await lines(page)
      .getByText(/^Restorable, checked .*1 link/)
      .waitFor();
    await lines(page).getByText('Secrets included').waitFor();
    await expectAccessible(page);
  });

  test('it is downloaded as one file', async () => {
    const [download] = await Promise.all([page.waitForEvent('download'), choose(page, 'Download')]);
    expect(download.suggestedFilename()).toMatch(/^waypost-.+-manual\.tar\.gz$/);
    await download.saveAs(file);
    const bytes = readFileSync(file);
    expect([...bytes.subarray(0, 2)]).toEqual([0x1f, 0x8b]);
    // One that is not a backup at all, and one whose end was lost on the way.
    writeFileSync(damaged, 'this is a letter');
    writeFileSync(cut, bytes.subarray(0, Math.floor(bytes.length * 0.7)));
    await expect.poll(() => page.url()).toContain('/settings/backups');
  });

  test('after a restore in place, later changes are gone, but saved in another backup', async () => {
    await addLink(home, 'summer');
    await choose(page, 'Restore…');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Everything on this instance is replaced').waitFor();
    // The keys are those of this machine, so no passphrase is asked for.
    expect(await dialog.getByLabel('Backup passphrase').count()).toBe(0);
    await expect.poll(() => dialog.getByRole('button', { name: 'Restore' }).isDisabled()).toBe(true);
    await expectAccessible(page);
    await dialog.getByRole('textbox').fill('restore');
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('The backup was restored').first().waitFor();
    await page.getByText('Before a restore').waitFor();
    await expect.poll(() => lines(page).count()).toBe(2);
    expect(await follow(home, 'spring')).toBe('https://example.com/spring');
    expect(await follow(home, 'summer')).toBeUndefined();
  });

  test('on another instance it asks for its passphrase, and changes nothing until that is correct', {
    tags: 'long',
  }, async () => {
    const away = await start('away');
    const made = await fetch(`${away.origin}/api/setup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...other, setupcode: away.setupCode }),
    });
    keys.set(away, (await made.json()).data.api_key);
    await addLink(away, 'autumn');
    const { page: shown, context, elsewhere, complaints } = await openAdminPage(browser, away.origin);
    await signInAt(shown, away.origin, '/settings/backups', other);
    await shown.getByText('No backup yet').waitFor();

    await shown.locator('input[type=file]').setInputFiles(damaged);
    await shown.getByText('This file is not a Waypost backup.').first().waitFor();
    expect(await lines(shown).count()).toBe(0);

    const dialog = shown.getByRole('dialog');
    // A key out of a passphrase takes seconds of a processor, on purpose.
    if (inject('isLong')) {
      await shown.locator('input[type=file]').setInputFiles(cut);
      await shown.getByText('Uploaded').first().waitFor();
      await choose(shown, 'Restore…');
      await dialog.getByLabel('Backup passphrase').fill(passphrase);
      await dialog.getByRole('textbox', { name: /to continue$/ }).fill('restore');
      await dialog.getByRole('button', { name: 'Restore' }).click();
      await dialog.getByText(/^This backup is damaged/).waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      expect(await follow(away, 'autumn')).toBe('https://example.com/autumn');
    }

    await shown.locator('input[type=file]').setInputFiles(file);
    await expect.poll(() => lines(shown).count()).toBe(inject('isLong') ? 2 : 1);
    await choose(shown, 'Restore…');
    await dialog.getByLabel('Backup passphrase').fill('eight dry otters');
    await dialog.getByRole('textbox', { name: /to continue$/ }).fill('restore');
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await dialog.getByText('Wrong backup passphrase.').waitFor();
    expect((await ask(away, '/api/account')).body.data.username).toBe('ben');
    await expectAccessible(shown);

    await dialog.getByLabel('Backup passphrase').fill(passphrase);
    await dialog.getByRole('button', { name: 'Restore' }).click();
    // Who was signed in is nobody there any more.
    await shown.getByText('Sign in with an account from the backup.').first().waitFor();
    await fillSignIn(shown, administrator);
    await shown.getByText('Before a restore').waitFor();
    expect(await follow(away, 'spring')).toBe('https://example.com/spring');
    expect(await follow(away, 'autumn')).toBeUndefined();
    expect([elsewhere, unmeant(complaints)]).toEqual([[], []]);
    await context.close();
  });

  test('a new instance can start from it, from another machine with the set-up code', {
    tags: 'long',
  }, async () => {
    const fresh = await start('fresh');
    const code = fresh.setupCode;
    const {
      page: shown,
      context,
      elsewhere,
      complaints,
    } = await openAdminPage(browser, fresh.origin, {
      // As a proxy in front of it would say.
      extraHTTPHeaders: { 'x-forwarded-for': '203.0.113.7' },
    });
    await shown.goto(`${fresh.origin}/admin/`);
    await shown.getByRole('button', { name: 'Restore from a backup' }).click();
    await shown.getByRole('heading', { name: 'Restore from a backup' }).waitFor();
    await expectAccessible(shown);
    const input = shown.locator('input[type=file]');
    await input.setInputFiles(file);
    await shown.getByLabel('Set-up code').fill('WRONG');
    await shown.getByRole('button', { name: 'Continue' }).click();
    await shown.getByText('Wrong set-up code.').waitFor();
    await shown.getByLabel('Set-up code').fill(code);
    await shown.getByRole('button', { name: 'Continue' }).click();
    await shown.getByText('In this backup').waitFor();
    await expectAccessible(shown);

    // Another file is chosen, which is not a backup: it says so and what was there before is not taken for it.
    await input.setInputFiles(damaged);
    await shown.getByText('This file is not a Waypost backup.').waitFor();
    expect(await shown.getByText('In this backup').count()).toBe(0);

    await input.setInputFiles(cut);
    await shown.getByText('In this backup').waitFor();
    await shown.getByLabel('Backup passphrase').fill(passphrase);
    await shown.getByRole('button', { name: 'Restore', exact: true }).click();
    await shown.getByText(/^This backup is damaged/).waitFor();

    await input.setInputFiles(file);
    await shown.getByText('In this backup').waitFor();
    await shown.getByLabel('Backup passphrase').fill('eight dry otters');
    await shown.getByRole('button', { name: 'Restore', exact: true }).click();
    await shown.getByText('Wrong backup passphrase.').waitFor();
    const meta = await (await fetch(`${fresh.origin}/api/meta`)).json();
    expect(meta.data.setup).toBe(true);

    await shown.getByLabel('Backup passphrase').fill(passphrase);
    await shown.getByRole('button', { name: 'Restore', exact: true }).click();
    await shown.getByText('Sign in with an account from the backup.').first().waitFor();
    await fillSignIn(shown, administrator);
    await shown.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await follow(fresh, 'spring')).toBe('https://example.com/spring');
    expect([elsewhere, unmeant(complaints)]).toEqual([[], []]);
    await context.close();
  });

  test('no request went elsewhere, and no error went unseen', () => {
    expect([admin.elsewhere, unmeant(admin.complaints)]).toEqual([[], []]);
  });
});
