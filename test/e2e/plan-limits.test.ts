import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAdminPage } from '../support/admin-page.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { findChromium } from '../support/provision.ts';
import { newTeam } from '../support/team.ts';

describe.skipIf(!findChromium())("a team at its plan's limit", () => {
  let server: TestApp;
  let browser: TestBrowser;
  let page: Page;

  beforeAll(async () => {
    server = await startApp({ ratelimit: 10_000 });
    browser = await openBrowser();
    ({ page } = await openAdminPage(browser, server.origin));
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  test('is told so by the form for a new link, and can create one after deleting one', async () => {
    const team = await newTeam(server, 'olga');
    const { body: plan } = await server.request('POST', '/api/plan/add', {
      body: { name: 'tiny', limits: { links: 1 } },
    });
    await server.request('PUT', `/api/plan/${plan.data.id}/user/${team.id}`, {});
    const { body: only } = await team.owner.inTeam('POST', '/api/url/add', {
      body: { url: 'https://example.com/only' },
    });
    await page.goto(`${server.origin}/admin/icon.svg`);
    await page.evaluate((key) => localStorage.setItem('waypost:local:token', key), team.owner.key);
    await page.goto(`${server.origin}/admin/team/${team.id}/links`);
    await page.locator('tbody tr[data-index="0"]').waitFor();
    await page.keyboard.press('c');
    const form = page.getByRole('dialog', { name: 'New link' });
    await form.getByRole('textbox', { name: 'Destination' }).fill('https://example.com/next');
    await page.keyboard.press('Control+Enter');
    await form.getByRole('alert').getByText('Your plan allows 1 link.').waitFor();

    await team.owner.inTeam('DELETE', `/api/url/${only.id}/delete`);
    await form.getByRole('textbox', { name: 'Short link' }).fill('next');
    await page.keyboard.press('Control+Enter');
    await form.waitFor({ state: 'hidden' });
    await expect
      .poll(async () =>
        (await fetch(`${server.origin}/next`, { redirect: 'manual' })).headers.get('location'),
      )
      .toBe('https://example.com/next');
  });
});
