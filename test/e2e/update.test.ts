import type { BrowserContext, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signInAt } from '../support/admin-page.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { findChromium } from '../support/provision.ts';

/** An open page while another version takes the server's place: files of the old one are gone. */
describe.skipIf(!findChromium())('an update while a page is open', () => {
  let server: TestApp;
  let browser: TestBrowser;
  let context: BrowserContext;
  let page: Page;
  let loads: string[];

  beforeAll(async () => {
    server = await startApp({ ratelimit: 10_000 });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });
  beforeEach(async () => {
    context = await browser.newContext({ reducedMotion: 'reduce' });
    page = await context.newPage();
    page.setDefaultTimeout(30_000);
    await signInAt(page, server.origin, '/overlays');
    await page.getByText('Put a call to action on any page').waitFor();
    loads = [];
    page.on('request', (request) => {
      if (request.isNavigationRequest()) loads.push(request.url().slice(server.origin.length));
    });
  });
  afterEach(async () => {
    await context.close();
  });

  const inMenu = (name: string) => page.getByRole('link', { name, exact: true }).first();

  /** The file of a page is gone; `times` says how often it is asked for in vain. */
  async function lose(name: string, times: number): Promise<void> {
    await page.route(
      new RegExp(`/admin/assets/${name}-[^/]*\\.js$`),
      (route) => route.fulfill({ status: 404 }),
      {
        times,
      },
    );
  }

  test('loads the new version at the requested page', async () => {
    await lose('DomainsPage', 1);
    await inMenu('Domains').click();
    await page.getByText('Short links under your own name').waitFor();
    expect(loads).toEqual(['/admin/domains']);
  });

  test('loads it once if the page stays missing, says so, and other pages still work', async () => {
    await lose('DomainsPage', 100);
    await inMenu('Domains').click();
    await page.getByText('That didn’t work').first().waitFor();
    expect(loads).toEqual(['/admin/domains']);
    await inMenu('Overlays').click();
    await page.getByText('Put a call to action on any page').waitFor();
    expect(loads).toEqual(['/admin/domains']);
  });
});
