import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { type AdminPage, openAdminPage, signInAt } from '../support/admin-page.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { findChromium } from '../support/provision.ts';

describe.skipIf(!findChromium())('a bulk action over thousands of links', () => {
  let server: TestApp;
  let browser: TestBrowser;
  let admin: AdminPage;
  let page: Page;

  beforeAll(async () => {
    server = await startApp({ ratelimit: 10_000 });
    const { main } = server.databases;
    main.exec(`
      WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 39999)
        INSERT INTO links (user_id, alias, url, created_at, updated_at, search)
        SELECT 1, 'many' || i, 'https://example.com/' || i, i + 1, 1, 'many' || i FROM n;
      INSERT INTO aliases (domain_id, alias, kind, target_id) SELECT 0, alias, 'link', id FROM links;`);
    browser = await openBrowser();
    admin = await openAdminPage(browser, server.origin, { bypassCSP: false });
    page = admin.page;
    await signInAt(page, server.origin, '/links');
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const archived = () =>
    Number(server.databases.main.prepare('SELECT count(*) FROM links WHERE archived = 1').pluck().get());
  const bar = () => page.getByRole('list', { name: 'Actions under way' });
  const follow = async (alias: string) =>
    (await fetch(`${server.origin}/${alias}`, { redirect: 'manual' })).status;

  async function archiveAll(): Promise<void> {
    await page.locator('tbody tr[data-index="0"]').getByRole('checkbox').click();
    await page.getByRole('button', { name: 'Select all 40,000' }).click();
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
  }

  test('shows its progress, even after a reload, and is cancelled; the part that was done is reported and undone', {
    tags: 'long',
  }, async () => {
    await archiveAll();
    await bar()
      .getByText(/of 40,000/)
      .waitFor();
    // The bar with the button is gone; the keyboard goes on in the rows.
    await page.locator('tbody tr[data-index="0"]:focus').waitFor();
    await expectAccessible(page);
    await page.reload();
    await bar()
      .getByText(/of 40,000/)
      .waitFor();
    await bar().getByRole('button', { name: 'Cancel' }).click();
    await page.locator('tbody tr[data-index="0"]:focus').waitFor();
    const done = page.getByText(/^Cancelled\. [\d,]+ links? archived\.$/);
    await done.first().waitFor({ timeout: 20_000 });
    await bar().waitFor({ state: 'detached' });
    const count = archived();
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(40_000);
    await expect
      .poll(() => done.first().textContent())
      .toBe(`Cancelled. ${count.toLocaleString('en')} links archived.`);
    // The newest come first.
    expect([await follow('many39999'), await follow('many0')]).toEqual([410, 302]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(archived, { timeout: 60_000 }).toBe(0);
    expect(await follow('many39999')).toBe(302);
  });
});
