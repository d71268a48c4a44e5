import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freePort } from '../../build/free-port.ts';
import { joinAsNewcomer } from '../support/admin-page.ts';
import { faultsOf } from '../support/axe.ts';
import { type DesktopBench, desktopBench, setUpByClicking, sharedDesktop } from '../support/desktop-flow.ts';
import {
  addPlain,
  addWaypost,
  desktopRemotes,
  openInstanceForm,
  type Remotes,
  sharedRemotes,
  shownInstance,
} from '../support/desktop-remotes.ts';
import { launchDesktop } from '../support/electron.ts';
import { findChromium } from '../support/provision.ts';
import { firstAccount, type SpawnedServer } from '../support/spawned-server.ts';

describe.skipIf(!findChromium())('one app', () => {
  const shared = sharedDesktop();
  const remotes = sharedRemotes();

  test('another server is added by signing in, used, and switched away from and back by keyboard', async () => {
    const { page } = shared.app();
    await addWaypost(page, remotes.waypost(), 'Office');

    await page.getByRole('link', { name: 'Links', exact: true }).first().click();
    await page.keyboard.press('c');
    await page
      .getByRole('dialog')
      .getByRole('textbox', { name: 'Destination' })
      .fill('https://example.com/office');
    await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click();
    await page.getByRole('row').filter({ hasText: 'example.com/office' }).first().waitFor();
    expect(await remotes.ask('GET', '/api/urls')).toMatchObject({
      data: { urls: [{ longurl: 'https://example.com/office' }] },
    });

    // Each instance keeps the page that it was left at, and shows nothing of the other.
    await page.keyboard.press('Control+1');
    await shownInstance(page, 'This computer');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('link', { name: 'Links', exact: true }).first().click();
    await page.getByRole('heading', { name: 'Links', exact: true }).waitFor();
    expect(await page.getByText('example.com/office').count()).toBe(0);
    await page.keyboard.press('Control+2');
    await shownInstance(page, 'Office');
    await page.getByRole('row').filter({ hasText: 'example.com/office' }).first().waitFor();

    // The other server is asked with its own token only, and the disk holds no key that could be read.
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toMatch(
      /wp_/,
    );
  });

  test('a server with only the published contract shows what it has and hides the rest', async () => {
    const { page } = shared.app();
    const plain = remotes.plain();
    await addPlain(page, plain, 'Old service');

    const sidebar = page.getByRole('navigation', { name: 'Sidebar' });
    await sidebar.getByRole('link', { name: 'Files', exact: true }).waitFor();
    for (const name of ['Overview', 'Links', 'Activity', 'API reference'])
      expect(await sidebar.getByRole('link', { name, exact: true }).count()).toBe(0);
    await sidebar.getByRole('link', { name: 'Files', exact: true }).click();
    await page.getByRole('heading', { name: 'Files', exact: true }).waitFor();
    expect(plain.requests.length).toBeLessThan(25);
    expect(plain.requests.filter(({ path }) => path.startsWith('/api/events'))).toEqual([]);

    // The key of one never goes to another.
    expect(new Set(plain.requests.map(({ key }) => key))).toEqual(new Set([undefined, plain.key]));
  });

  test('an address that does not respond is not stored', { tags: 'long' }, async () => {
    const { page } = shared.app();
    const list = page.getByRole('list', { name: 'Instances' }).getByRole('listitem');
    const form = await openInstanceForm(page, `http://127.0.0.1:${await freePort()}`);
    await form.getByText(/Check that it’s running/).waitFor();
    await form.getByRole('button', { name: 'Cancel' }).click();
    // This computer and the two that were added.
    await expect.poll(() => list.count()).toBe(3);

    // The page of the instances is shown already now.
    const another = await openInstanceForm(page, 'not an address');
    await another.getByText('Enter a server URL').waitFor();
    await another.getByRole('button', { name: 'Cancel' }).click();
  });

  test("a refused key leads to that instance's sign-in, with a way back", {
    tags: 'long',
  }, async ({ onTestFinished }) => {
    const { page } = shared.app();
    await page.keyboard.press('Control+2');
    await shownInstance(page, 'Office');
    const { data } = await remotes.ask<{ data: { sessions: { id: number }[] } }>('GET', '/api/auth/sessions');
    for (const { id } of data.sessions) await remotes.ask('DELETE', `/api/auth/session/${id}/delete`);
    // Nobody presses anything: the stream of the page has ended.
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByText('Your session has ended. Sign in again to continue.').waitFor();

    await page.getByRole('button', { name: 'Use an API key instead' }).click();
    await page.getByLabel('API key', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('The server rejected this key.').waitFor();
    await page.getByLabel('API key', { exact: true }).fill(remotes.key());
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await shownInstance(page, 'Office');

    await remotes.waypost().kill();
    await page.getByRole('link', { name: 'Files', exact: true }).first().click();
    await page.getByText('Connection lost. Reconnecting…').waitFor();
    await shared.app().close();
    const again = await launchDesktop({ userData: shared.userData() });
    onTestFinished(() => again.close());
    await again.page.getByText('Office isn’t responding.').waitFor();
    await again.page.getByRole('button', { name: 'Go to “This computer”' }).click();
    await shownInstance(again.page, 'This computer');
  });
});

describe('another app', () => {
  const bench: DesktopBench = desktopBench();
  const remotes: Remotes = desktopRemotes();

  test('an instance that is removed or gets another URL has no session left', {
    tags: 'long',
  }, async () => {
    const { origin } = remotes.waypost();
    // Without a key store, the keys can be read as a thief of the disk would read them.
    const app = await bench.launch({ keyStore: 'basic_text' });
    await setUpByClicking(app);
    const { page } = app;
    const keyAt = (address: string): string => {
      const keys = JSON.parse(readFileSync(join(bench.userData(), 'keys.json'), 'utf8'));
      return keys[address]?.plain;
    };
    const standing = async (key: string) =>
      (await fetch(`${origin}/api/urls`, { headers: { authorization: `Bearer ${key}` } })).status;
    const choose = async (action: string) => {
      await page.getByRole('button', { name: 'Actions for Office' }).click();
      await page.getByRole('menuitem', { name: action, exact: true }).click();
    };
    /** Signs in there, and returns the key of that session. */
    const signIn = async () => {
      await addWaypost(page, remotes.waypost(), 'Office');
      const key = keyAt(origin);
      expect(await standing(key)).toBe(200);
      await page.getByRole('button', { name: /^Instance:/ }).click();
      await page.getByRole('menuitem', { name: 'Manage instances' }).click();
      return key;
    };

    const first = await signIn();
    await choose('Remove');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await expect.poll(() => standing(first)).toBe(401);
    expect(keyAt(origin)).toBe(undefined);

    const second = await signIn();
    await choose('Edit');
    const form = page.getByRole('dialog');
    // Another server, as far as the app can know.
    await form.getByLabel('URL').fill(origin.replace('127.0.0.1', 'localhost'));
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => standing(second)).toBe(401);
    expect(keyAt(origin)).toBe(undefined);
    // A key that the person made is theirs to revoke.
    expect(await standing(remotes.key())).toBe(200);
  });

  test('an invitation link leads to its server: it is added, and the person registers, joins and works there', {
    tags: 'long',
  }, async () => {
    const { id } = await remotes.ask<{ id: number }>('POST', '/api/team/add', { name: 'Rockets' });
    const invite = async () =>
      (await remotes.ask<{ link: string }>('POST', `/api/team/${id}/invite`, { role: 'contributor' })).link;
    const app = await bench.launchSetUp();
    const { page } = app;
    const paste = async (link: string): Promise<void> => {
      await page.keyboard.press('g');
      await page.keyboard.press('a');
      await page.getByRole('menuitem', { name: 'Join with a code…' }).click();
      await page.getByLabel('Invitation link or code').fill(link);
      await page.getByRole('button', { name: 'Continue' }).click();
    };

    await paste(await invite());
    const form = page.getByRole('dialog', { name: 'Add an instance' });
    await form.getByRole('button', { name: 'Continue' }).click();
    await expect.poll(() => form.getByRole('radio', { name: 'Your invitation' }).isChecked()).toBe(true);
    expect(await faultsOf(page)).toEqual([]);
    await form.getByLabel('Name', { exact: true }).fill('Office');
    await form.getByRole('button', { name: 'Add and open the invitation' }).click();
    await page.getByRole('heading', { name: 'Join Rockets' }).waitFor();
    await joinAsNewcomer(page);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await shownInstance(page, 'Office');
    await page.getByRole('link', { name: 'Links', exact: true }).first().click();
    await page.getByLabel('Long URL').fill('https://example.com/by-grace');
    await page.keyboard.press('Enter');
    await page.getByRole('row').filter({ hasText: 'example.com/by-grace' }).first().waitFor();
    const { urls } = (await linksOf(remotes.waypost(), id)).data;
    expect(urls).toMatchObject([
      { longurl: 'https://example.com/by-grace', created_by: { name: 'Grace Hopper' } },
    ]);
    const visit = await fetch(`${remotes.waypost().origin}/${urls[0].alias}`, { redirect: 'manual' });
    expect(visit.headers.get('location')).toBe('https://example.com/by-grace');

    // The server is known by then: the next link just leads there.
    await page.keyboard.press('Control+1');
    await shownInstance(page, 'This computer');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await paste(await invite());
    await page.getByText('You are a member of this team already.').waitFor();
    await page.getByRole('button', { name: 'Open team' }).click();
    await shownInstance(page, 'Office');
  });
});

/** The links of a team there, as its owner sees them. */
async function linksOf({ origin }: SpawnedServer, team: number) {
  const ask = async (path: string, options: RequestInit) => (await fetch(origin + path, options)).json();
  const { data } = await ask('/api/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login: firstAccount.username, password: firstAccount.password }),
  });
  const headers = { authorization: `Bearer ${data.token}`, 'x-waypost-account': String(team) };
  return ask('/api/urls', { headers });
}
