import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAdminPage, signInAt } from '../support/admin-page.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { anotherName } from '../support/names.ts';
import { findChromium } from '../support/provision.ts';

describe.skipIf(!findChromium())('an exported file', () => {
  let server: TestApp;
  let browser: TestBrowser;
  let page: Page;

  beforeAll(async () => {
    server = await startApp({ ratelimit: 10_000 });
    browser = await openBrowser();
    ({ page } = await openAdminPage(browser, server.origin, { bypassCSP: false }));
    await signInAt(page, server.origin, '/import');
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  test('is imported with its settings and campaigns, and a row with broken settings is reported', async () => {
    const [alias, campaign] = [anotherName('kept'), anotherName('Spring')];
    const lines = [
      '"long url","alias","tags","campaign","expiry","settings","owner"',
      `"https://example.com/kept","${alias}","one, two|","${campaign}","2030-12-01","{""redirect"":307}","Ann"`,
      `"https://example.com/odd","${alias}-odd","","","","{""redirect"":300}"`,
      `"https://example.com/cut","${alias}-cut","","","","{""redirect"":"`,
    ];
    const buffer = Buffer.from(lines.join('\r\n'));
    await page.goto(`${server.origin}/admin/import`);
    await page.locator('input[type=file]').setInputFiles({ name: 'links.csv', mimeType: 'text/csv', buffer });
    const start = page.getByRole('button', { name: 'Import one link' });
    await start.waitFor();
    await page.getByText('Columns not imported: owner').waitFor();
    await page.getByText(`One campaign will be created: ${campaign}`).waitFor();
    await page.getByText('Correct "settings.redirect", or leave the settings of this row out.').waitFor();
    await page.getByText('The settings of this row can’t be read.').waitFor();
    // On a phone the destination stands below the short code, and the columns beside each other.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('columnheader', { name: 'Destination' }).waitFor({ state: 'hidden' });
    await page.locator('tbody td:nth-child(2)').getByText('example.com/kept').waitFor();
    // There is room for the first words of a reason; all of it is shown on request.
    const reason = 'Correct "settings.redirect", or leave the settings of this row out.';
    await page.getByRole('button', { name: reason }).click();
    await page.getByRole('dialog').getByText(reason).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.setViewportSize({ width: 1280, height: 800 });
    await start.click();
    await page.getByText(`One campaign was created: ${campaign}`).waitFor();
    const answer = await fetch(`${server.origin}/${alias}`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([307, 'https://example.com/kept']);
    await page.goto(`${server.origin}/admin/campaigns`);
    await page.getByRole('link', { name: campaign }).click();
    await page.getByRole('link', { name: alias }).first().waitFor();
  });

  test("asks once where rows on another service's domain go", async () => {
    const alias = anotherName('tiny');
    const lines = ['Domain,Alias,Long URL', `tinyurl.com,${alias},https://example.com/tiny`];
    const buffer = Buffer.from(lines.join('\n'));
    await page.goto(`${server.origin}/admin/import`);
    await page.locator('input[type=file]').setInputFiles({ name: 'tiny.csv', mimeType: 'text/csv', buffer });
    await page.getByText('This is not one of your domains.').waitFor();
    const choice = page.getByLabel('Rows on a domain this account doesn’t have: tinyurl.com');
    await choice.click();
    await page.getByRole('option', { name: `Import them to ${new URL(server.origin).host}` }).click();
    await page.getByText('The old short links stay with the other service.').waitFor();
    await page.getByRole('button', { name: 'Import one link' }).click();
    await page.getByText('One link was imported').waitFor();
    const answer = await fetch(`${server.origin}/${alias}`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, 'https://example.com/tiny']);
  });
});
