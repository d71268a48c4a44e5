import { readFileSync } from 'node:fs';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AdminPage, openAdminPage, signInAt } from '../support/admin-page.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { findChromium } from '../support/provision.ts';
import { visit } from '../support/visits.ts';

/** What is kept of visits, and what is done with it beyond the charts. */
describe.skipIf(!findChromium())('the visit pages', () => {
  let server: TestApp;
  let browser: TestBrowser;
  let admin: AdminPage;
  let page: Page;

  beforeAll(async () => {
    server = await startApp({ ratelimit: 10_000 });
    browser = await openBrowser();
    admin = await openAdminPage(browser, server.origin, { bypassCSP: false });
    page = admin.page;
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  test('an unknown alias is created as a link, and the rest deleted', async () => {
    for (const path of ['/summer', '/summer', '/', '/.env']) await visit(server, path);
    await signInAt(page, server.origin, '/missed-visits');
    const row = admin.row('/summer');
    await row.getByText('Unknown alias').waitFor();
    expect(await page.getByText('/.env').count()).toBe(0);
    await row.hover();
    await row.getByRole('button', { name: 'Create link' }).click();
    const form = page.getByRole('dialog', { name: 'New link' });
    await expect.poll(() => form.getByLabel('Short link').inputValue()).toBe('summer');
    await form.getByLabel('Destination').first().fill('https://example.com/holiday');
    await page.keyboard.press('Control+Enter');
    await row.getByText('has a link now').waitFor();
    expect((await visit(server, '/summer')).location).toBe('https://example.com/holiday');
    await page.getByRole('button', { name: 'Delete all' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('2 visits deleted', { exact: true }).waitFor();
    await page.getByText('No missed visits').waitFor();
    const left = (await server.request('GET', '/api/visits/orphans')).body.data.visits;
    expect(left.map(({ path }: { path: string }) => path).sort()).toEqual(['/', '/.env']);
  });

  test("a link's clicks are saved as a file, with every field", async () => {
    const { id } = (await server.request('GET', '/api/urls')).body.data.urls[0];
    await page.goto(`${server.origin}/admin/links/${id}`);
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Clicks (JSON lines)' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^waypost-clicks-.*\.jsonl$/);
    const [click] = readFileSync(await download.path(), 'utf8').split('\n');
    expect(JSON.parse(click ?? '')).toMatchObject({ link: id, os: 'Windows', utm_source: '' });
  });

  test('nothing failed', () => {
    expect({ complaints: admin.complaints, elsewhere: admin.elsewhere }).toEqual({
      complaints: [],
      elsewhere: [],
    });
  });
});
