import { createServer } from 'node:http';
import { type Browser, chromium } from 'playwright';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { updateAccount } from '../../server/contract/account-update.ts';
import { addLink } from '../../server/contract/links.ts';
import { openAdminPage, signInAt } from '../support/admin-page.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { findChromium, launchOptions } from '../support/provision.ts';

describe.skipIf(!findChromium())('the app in a browser', () => {
  let server: TestApp;
  let browser: Browser;
  beforeEach(async () => {
    server = await startApp();
    isRunning = true;
    browser = await chromium.launch(launchOptions());
  });
  afterEach(async () => {
    await browser.close();
    await endServer();
  });
  let isRunning = false;
  async function endServer(): Promise<void> {
    if (isRunning) await server.close();
    isRunning = false;
  }

  test('can be installed, reports an unreachable server in the account’s language, and stores nothing', {
    tags: 'long',
  }, async () => {
    await server.call(updateAccount, { body: { language: 'de' } });
    await server.call(addLink, { body: { url: 'https://example.com/', custom: 'spring' } });
    const { page, complaints } = await openAdminPage(browser, server.origin);
    await signInAt(page, server.origin, '/links');
    await page.getByText('spring').first().waitFor();
    const manifest = page.locator('link[rel="manifest"]');
    const described = await page.request.get(
      new URL((await manifest.getAttribute('href')) ?? '', server.origin).href,
    );
    expect(described.headers()['content-type']).toContain('application/manifest+json');
    const { icons, start_url: start, display } = await described.json();
    expect([new URL(start, described.url()).pathname, display]).toEqual(['/admin/', 'standalone']);
    for (const { src, type } of icons) {
      const icon = await page.request.get(new URL(src, described.url()).href);
      expect([icon.status(), icon.headers()['content-type']]).toEqual([200, type]);
    }
    const scope = await page.evaluate(async () => (await navigator.serviceWorker.ready).scope);
    expect(new URL(scope).pathname).toBe('/admin/');
    expect(await page.evaluate(() => caches.keys())).toEqual([]);
    // A short link never passes by the worker.
    const followed = await page.request.get(`${server.origin}/spring`, { maxRedirects: 0 });
    expect(followed.headers().location).toBe('https://example.com/');

    expect(complaints).toEqual([]);

    await endServer();
    await page.goto(`${server.origin}/admin/links?q=spring`);
    await page.getByRole('heading', { name: 'Waypost ist nicht erreichbar' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    const again = page.getByRole('link', { name: 'Erneut versuchen' });
    expect(await again.getAttribute('href')).toBe('/admin/links?q=spring');

    // What answers there next is shown as it is.
    const next = createServer((_, response) =>
      response.end('<!doctype html><title>Next</title><h1>It is back</h1>'),
    );
    await new Promise<void>((resolve) =>
      next.listen(Number(new URL(server.origin).port), '127.0.0.1', resolve),
    );
    await again.click();
    await page.getByRole('heading', { name: 'It is back' }).waitFor();
    next.close();
  });
});
