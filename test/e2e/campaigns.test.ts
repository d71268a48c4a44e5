import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { getCampaign, listCampaigns } from '../../server/contract/campaigns.ts';
import { addLink, getLink } from '../../server/contract/links.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { type AdminPage, openAdminPage, signInAt } from '../support/admin-page.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { findChromium } from '../support/provision.ts';

// Both themes are looked at by axe again and again, which takes its time.
vi.setConfig({ testTimeout: 150_000 });

/** The pages of campaigns: made, filled, ordered, weighted, followed, changed, deleted and brought back. */
describe.skipIf(!findChromium())('the campaigns pages', () => {
  let server: TestApp;
  let browser: TestBrowser;
  let admin: AdminPage;
  let page: Page;
  const links: number[] = [];

  beforeAll(async () => {
    server = await startApp({ ratelimit: 10_000 });
    for (const title of ['First', 'Second', 'Third']) {
      const body = { url: `https://example.com/${title}`, title, custom: title.toLowerCase() };
      links.push((await server.call(addLink, { body })).id);
    }
    browser = await openBrowser();
    admin = await openAdminPage(browser, server.origin);
    page = admin.page;
    await signInAt(page, server.origin, '/campaigns');
    await page.getByText('Group links into campaigns').waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const row = (name: string) => admin.row(name);
  const handle = (name: string) => page.getByRole('button', { name: `Move ${name}`, exact: true });
  const only = async () => (await server.call(listCampaigns)).data.campaigns[0];
  async function order(): Promise<(string | null)[]> {
    const campaign = await only();
    const reply = await server.call(getCampaign, {
      params: { id: campaign?.id ?? 0 },
      query: { order: 'own' },
    });
    return reply.data.links.map(({ title }) => title);
  }
  const shownOrder = async () =>
    (await page.getByRole('button', { name: /^Move / }).all()).length === 0
      ? []
      : page
          .getByRole('button', { name: /^Move / })
          .evaluateAll((handles) => handles.map((one) => one.ariaLabel?.replace('Move ', '')));

  test('a campaign is created in the form beside the list and opens', async () => {
    await page.getByRole('button', { name: 'New campaign' }).first().click();
    await page.getByLabel('Name').fill('x');
    await page.getByRole('button', { name: 'Create campaign' }).click();
    await page.getByText('Use at least 2 characters.').waitFor();
    await page.getByLabel('Name').fill('Spring sale');
    await page.getByLabel('Rotator URL').fill('spring');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create campaign' }).click();
    await page.getByText('No links in this campaign yet').waitFor();
    await page.getByRole('link', { name: /\/r\/spring$/ }).waitFor();
    expect(await only()).toMatchObject({ name: 'Spring sale', public: false, urlcount: 0 });
  });

  test('links are selected by searching', async () => {
    await page.keyboard.press('a');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('searchbox').fill('second');
    await dialog.getByText('Third', { exact: true }).waitFor({ state: 'detached' });
    await dialog.getByRole('checkbox', { name: /\/second$/ }).check();
    await dialog.getByRole('searchbox').fill('');
    await dialog.getByRole('checkbox', { name: /\/first$/ }).check();
    await dialog.getByRole('checkbox', { name: /\/third$/ }).check();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Add 3 links' }).click();
    await row('Third').waitFor();
    expect(await order()).toEqual(['Third', 'Second', 'First']);
  });

  test('the keyboard moves a link, and Escape moves it back', async () => {
    await handle('Third').focus();
    await page.keyboard.press('Space');
    await page.getByText('Picked up. Position 1 of 3.').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.getByText('Position 3 of 3.').waitFor();
    await page.keyboard.press('Space');
    await expect.poll(order).toEqual(['Second', 'First', 'Third']);

    await handle('First').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Home');
    await expect.poll(shownOrder).toEqual(['First', 'Second', 'Third']);
    await page.keyboard.press('Escape');
    await expect.poll(shownOrder).toEqual(['Second', 'First', 'Third']);
    expect(await order()).toEqual(['Second', 'First', 'Third']);
    await expect.poll(() => page.url()).toMatch(/\/campaigns\/\d+$/);
  });

  test('the pointer drags a link to its place', async () => {
    const from = await handle('Third').boundingBox();
    const to = await handle('Second').boundingBox();
    if (!from || !to) throw new Error('The handles are not in sight.');
    await page.mouse.move(from.x + 8, from.y + 8);
    await page.mouse.down();
    await page.mouse.move(to.x + 8, to.y + 40, { steps: 6 });
    await page.mouse.move(to.x + 8, to.y - 10, { steps: 6 });
    await page.mouse.up();
    await expect.poll(order).toEqual(['Third', 'Second', 'First']);
    await page.reload();
    await row('First').waitFor();
    expect(await shownOrder()).toEqual(['Third', 'Second', 'First']);
  });

  test('a weight changes the share of the rotator', async () => {
    await page.getByLabel('Weight of Third').fill('3');
    await page.keyboard.press('Enter');
    await row('Third').getByText('60%').waitFor();
    await page.getByLabel('Weight of First').fill('0');
    await page.keyboard.press('Enter');
    await row('First').getByText('Skipped').waitFor();
    await row('Third').getByText('75%').waitFor();
  });

  test('a removed link is restored at its position, with its weight', async () => {
    await page.getByRole('button', { name: 'Remove Third from the campaign' }).click();
    await row('Third').waitFor({ state: 'detached' });
    await expect
      .poll(async () => (await server.call(getLink, { params: { id: links[2] as number } })).details.campaign)
      .toBeNull();
    await admin.undo('Third removed');
    await row('Third').waitFor();
    await expect.poll(order).toEqual(['Third', 'Second', 'First']);
    await expect.poll(() => page.getByLabel('Weight of Third').inputValue()).toBe('3');
  });

  test('the rotator redirects, and the page counts without a reload', async () => {
    for (let turn = 0; turn < 4; turn += 1) {
      const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' };
      expect((await fetch(`${server.origin}/r/spring`, { redirect: 'manual', headers })).status).toBe(302);
    }
    await row('Third').getByRole('cell', { name: '3', exact: true }).first().waitFor();
    await expectAccessible(page);
  });

  test('the statistics are a tab of the page', { tags: 'long' }, async () => {
    await page.getByRole('tab', { name: 'Statistics' }).click();
    await page.getByText('Clicks over time').waitFor();
    await page.getByText('Views').first().waitFor();
    await expectAccessible(page);
  });

  test('the list page is made public in the page header', async () => {
    await page.getByRole('button', { name: 'Make public' }).click();
    await page.getByRole('button', { name: 'Make private' }).waitFor();
    const campaign = await only();
    const listed = await (await fetch(campaign?.list ?? '')).text();
    expect(listed.match(/First|Second|Third/g)).toEqual(['Third', 'Second', 'First']);
  });

  test('the rotator is turned off and on in the settings', { tags: 'long' }, async () => {
    await page.getByRole('tab', { name: 'Links' }).click();
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await page.getByRole('switch', { name: 'Rotator' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Off', { exact: true }).waitFor();
    expect((await only())?.rotator).toBe(false);
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await page.getByRole('switch', { name: 'Rotator' }).click();
    await page.getByLabel('Rotator URL').fill('spring-again');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('link', { name: /\/r\/spring-again$/ }).waitFor();
  });

  test("the list shows URLs and statistics, and a campaign's links are found", {
    tags: 'long',
  }, async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await row('Spring sale').getByText('/r/spring-again').waitFor();
    await row('Spring sale').getByText('Public').waitFor();
    await row('Spring sale').getByRole('cell', { name: '4', exact: true }).first().waitFor();
    await expectAccessible(page);
    await page.goto(`${server.origin}/admin/links?campaign=${(await only())?.id}`);
    await page.getByText('Campaign: Spring sale').waitFor();
    await page.locator('tbody tr[data-index="2"]').waitFor();
  });

  test('a deleted campaign is restored with everything', async () => {
    await page.goto(`${server.origin}/admin/campaigns`);
    await page.getByRole('button', { name: 'Actions for Spring sale' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByText('Group links into campaigns').waitFor();
    expect(await only()).toBeUndefined();
    await admin.undo('deleted');
    await row('Spring sale').waitFor();
    expect(await only()).toMatchObject({ name: 'Spring sale', public: true, urlcount: 3 });
    expect(await order()).toEqual(['Third', 'Second', 'First']);
  });

  test('no request went elsewhere, and nothing failed', () => {
    expect([admin.elsewhere, admin.complaints]).toEqual([[], []]);
  });
});
