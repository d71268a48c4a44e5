import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { type AdminPage, openAdminPage, signInAt } from '../support/admin-page.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { findChromium } from '../support/provision.ts';
import { visit } from '../support/visits.ts';

/** What others see without an account, and how the groups of links are looked at. */
describe.skipIf(!findChromium())('shared statistics, and nested channels', () => {
  let server: TestApp;
  let browser: TestBrowser;
  let admin: AdminPage;
  let page: Page;
  let link: number;

  beforeAll(async () => {
    server = await startApp({ ratelimit: 10_000 });
    const add = async (path: string, body: object): Promise<number> =>
      (await server.request('POST', `/api/${path}/add`, { body })).body.id;
    const campaign = await add('campaign', { name: 'Spring fair' });
    const channels = await Promise.all(
      ['print', 'print/2027', 'web'].map((name) => add('channel', { name })),
    );
    link = await add('url', {
      url: 'https://example.com/',
      custom: 'fair',
      campaign,
      channel: [channels[1]],
    });
    await visit(server, '/fair');
    browser = await openBrowser();
    admin = await openAdminPage(browser, server.origin, { bypassCSP: false });
    page = admin.page;
    await signInAt(page, server.origin, `/links/${link}`);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  test('a link’s page is turned on, opened by somebody else, protected, and turned off', async () => {
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Public statistics page' });
    await dialog.getByRole('switch', { name: 'Share statistics' }).click();
    const address = await dialog.getByRole('link', { name: /\/stats\// }).getAttribute('href');
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, bypassCSP: true });
    const visitor = await context.newPage();
    await visitor.goto(address ?? '');
    await visitor.getByText('Clicks', { exact: true }).first().waitFor();
    await expect.poll(() => visitor.locator('dl.totals dd').allTextContents()).toEqual(['1', '1']);
    await expectAccessible(visitor);
    const isWider = () =>
      visitor.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
    expect(await isWider()).toBe(false);
    await visitor.getByRole('link', { name: 'Last 12 months' }).click();
    await visitor.getByText('Show as a table').click();
    await expect.poll(() => visitor.getByRole('table').first().getByRole('row').count()).toBe(13);

    await dialog.getByLabel('Password').fill('springtime');
    await page.keyboard.press('Enter');
    await dialog.getByText('Visitors are asked for a password.').waitFor();
    await visitor.reload();
    await visitor.getByLabel('Password').fill('springtime');
    await visitor.keyboard.press('Enter');
    await visitor.locator('dl.totals').waitFor();

    await dialog.getByRole('switch', { name: 'Share statistics' }).click();
    await page.getByText('Statistics page is off.', { exact: true }).waitFor();
    await visitor.reload();
    await visitor.getByText('Link not found').waitFor();
    await context.close();
    await page.keyboard.press('Escape');
  });

  test('the overview links the top groups to their pages', { tags: 'long' }, async () => {
    await page.goto(`${server.origin}/admin/overview`);
    const card = page.locator('section').filter({ hasText: 'Most clicked by' }).last();
    await card.getByRole('button', { name: 'Channels' }).click();
    await card.getByRole('link', { name: 'print/2027' }).waitFor();
    await card.getByRole('button', { name: 'Campaigns' }).click();
    await card.getByRole('link', { name: 'Spring fair' }).click();
    await page.getByRole('tab', { name: 'Statistics', selected: true }).waitFor();
  });

  test('a channel includes those below it in filters, and links to them', { tags: 'long' }, async () => {
    await page.goto(`${server.origin}/admin/links`);
    await page
      .getByRole('combobox', { name: 'Channel' })
      .or(page.getByRole('button', { name: 'Channel', exact: true }))
      .first()
      .click();
    await expect
      .poll(() => page.getByRole('option').allTextContents())
      .toEqual(['print', 'print/2027', 'web']);
    await page.getByRole('option', { name: 'print', exact: true }).click();
    await admin.row('fair').waitFor();
    await page.goto(`${server.origin}/admin/channels`);
    await page.getByRole('heading', { name: 'print', exact: true }).getByRole('link').click();
    await page.getByRole('switch', { name: 'Include channels below' }).click();
    await page.getByText('fair', { exact: true }).first().waitFor();
    await page.getByRole('link', { name: 'print/2027' }).first().click();
    await page.getByRole('heading', { name: 'print/2027' }).first().waitFor();
  });

  test('nothing failed', () => {
    expect({ complaints: admin.complaints, elsewhere: admin.elsewhere }).toEqual({
      complaints: [],
      elsewhere: [],
    });
  });

  test('a link is compared with a campaign and another period, and the URL restores that', {
    tags: 'long',
  }, async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${server.origin}/admin/links/${link}`);
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByRole('link', { name: 'Other links…' }).click();
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await row('/fair').waitFor();
    await page.getByLabel('Add campaign', { exact: true }).click();
    await page.getByRole('option', { name: 'Spring fair' }).click();
    await row('Spring fair').waitFor();
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    const days = page
      .getByRole('dialog')
      .locator('[data-reka-calendar-cell-trigger]:not([data-disabled]):not([data-outside-view])');
    await days.nth(0).click();
    await days.nth(1).click();
    await page.getByRole('columnheader', { name: 'Change' }).waitFor();
    await expect.poll(() => page.url()).toMatch(/of=link-\d+&of=campaign-\d+.*comparefrom=/);
    await page.reload();
    await row('Spring fair').waitFor();
    await page.getByRole('columnheader', { name: 'Change' }).waitFor();
    await expect.poll(() => row('/fair').getByRole('cell').first().textContent()).toContain('1');
    await page
      .getByRole('img', { name: /Spring fair: one click/ })
      .locator('svg')
      .waitFor();
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    const isWider = () =>
      page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
    expect(await isWider()).toBe(false);
  });
});
