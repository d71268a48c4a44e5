import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { type AdminPage, joinAsNewcomer, openAdminPage, signInAt } from '../support/admin-page.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { findChromium } from '../support/provision.ts';

/** Two people in one team, from nothing, in the built pages. */
describe.skipIf(!findChromium())('a team', () => {
  let server: TestApp;
  let browser: TestBrowser;
  let owner: AdminPage;
  let guest: AdminPage;

  beforeAll(async () => {
    server = await startApp({ ratelimit: 10_000 });
    browser = await openBrowser();
    owner = await openAdminPage(browser, server.origin);
    guest = await openAdminPage(browser, server.origin);
  });
  afterAll(async () => {
    for (const admin of [owner, guest]) {
      expect(admin.elsewhere).toEqual([]);
      expect(admin.complaints).toEqual([]);
    }
    await browser?.close();
    await server?.close();
  });

  test('is created, joined by link, used by role, and left by who is removed', { tags: 'long' }, async () => {
    const { page } = owner;
    await signInAt(page, server.origin, '/links');
    await page.getByRole('heading', { name: 'Links', exact: true }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await page.getByRole('menuitem', { name: 'Create a team…' }).click();
    await page.getByLabel('Team name').fill('Rockets');
    await page.getByRole('button', { name: 'Create team' }).click();
    await page.waitForURL(/\/admin\/team\/\d+\/settings\/team$/);
    await page.getByText('You own this team.').waitFor();
    await expectAccessible(page);

    // A narrow window has the switcher in a drawer, and one menu of it, not another of the hidden sidebar.
    await page.setViewportSize({ width: 900, height: 900 });
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    const drawer = page.getByRole('dialog');
    await drawer.waitFor();
    await drawer.locator('[data-account-switcher]').click();
    await page.getByRole('menuitem', { name: 'Create a team…' }).waitFor();
    expect(await page.getByRole('menu').count()).toBe(1);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.reload();

    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByRole('button', { name: 'Create invitation' }).click();
    const link = await page.locator('[data-invite]').textContent();
    await page.getByRole('button', { name: 'Done' }).click();
    const ofOwner = await server.request('GET', '/api/teams');
    const { id } = ofOwner.body.data.teams[0];
    const inTeam = { headers: { 'X-Waypost-Account': String(id) } };
    const body = { url: 'https://example.com/owned', custom: 'owned' };
    await server.request('POST', '/api/url/add', { ...inTeam, body });

    const other = guest.page;
    await other.goto(String(link).trim());
    await joinAsNewcomer(other);
    await other.waitForURL(new RegExp(`/admin/team/${id}/`));

    await other.goto(`${server.origin}/admin/team/${id}/links`);
    await other.getByLabel('Long URL').fill('https://example.com/by-grace');
    await other.keyboard.press('Enter');
    const mine = guest.row('example.com/by-grace');
    await mine.waitFor();
    // Contributors create links, and do not import any.
    await other.getByLabel('Long URL').evaluate((field) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'https://example.com/one\nhttps://example.com/two');
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    });
    await other.getByText('Paste one URL at a time').first().waitFor();
    expect(await other.getByLabel('Long URL').inputValue()).toBe('');
    const made = await server.request('GET', '/api/urls', inTeam);
    const graces = made.body.data.urls.find(
      (url: { longurl: string }) => url.longurl === 'https://example.com/by-grace',
    );
    expect(graces.created_by.name).toBe('Grace Hopper');
    await mine.getByRole('button', { name: /^Actions/ }).click();
    await other.getByRole('menuitem', { name: 'Delete' }).waitFor();
    await other.keyboard.press('Escape');
    // What the owner created is not hers to change.
    await guest
      .row('example.com/owned')
      .getByRole('button', { name: /^Actions/ })
      .click();
    await other.getByRole('menuitem', { name: 'Statistics' }).waitFor();
    expect(await other.getByRole('menuitem', { name: 'Delete' }).count()).toBe(0);
    expect(await other.getByRole('menuitem', { name: 'Edit' }).count()).toBe(0);
    await other.keyboard.press('Escape');

    await page.reload();
    await page.getByRole('button', { name: 'Actions for Grace Hopper' }).click();
    await page.getByRole('menuitem', { name: 'Remove from the team' }).click();
    await page.getByRole('button', { name: 'Remove member' }).click();
    await page.getByText('Grace Hopper was removed', { exact: true }).waitFor();

    // Told by the stream that ended, without a click.
    await other.getByText('You’re not a member of Rockets.', { exact: true }).waitFor();
    await other.waitForURL(({ pathname }) => !pathname.includes('/team/'));
    expect(await other.getByText('example.com/by-grace').count()).toBe(0);
    const visit = await fetch(graces.shorturl, { redirect: 'manual' });
    expect([visit.status, visit.headers.get('location')]).toEqual([302, 'https://example.com/by-grace']);
  });
});
