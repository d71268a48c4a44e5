import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { addLink } from '../../server/contract/links.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { faultsOf } from '../support/axe.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { findChromium } from '../support/provision.ts';
import { some } from '../support/trials.ts';

/** The pages that visitors of short links see, in a real browser: only there a policy shows what it forbids. */
describe.skipIf(!findChromium())('visitor pages', () => {
  let server: TestApp;
  let browser: TestBrowser;
  let site: Server;
  let siteOrigin: string;

  beforeAll(async () => {
    server = await startApp();
    browser = await openBrowser();
    site = createServer((request, response) => response.end(`arrived at ${request.url}`));
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    siteOrigin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await browser?.close();
    site?.close();
    await server?.close();
  });

  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
  });

  /** A page that remembers what its browser complained about. */
  async function newPage(scheme: 'light' | 'dark' = 'light'): Promise<{ page: Page; complaints: string[] }> {
    const context = await browser.newContext({ colorScheme: scheme, javaScriptEnabled: true });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      // The status of a page (404, 410) is not a complaint about its policy.
      if (message.type() === 'error' && !/status of 4\d\d/.test(message.text()))
        complaints.push(message.text());
    });
    return { page, complaints };
  }

  test('the password form leads to another site although its page is sandboxed', async () => {
    await server.call(addLink, {
      body: { url: `${siteOrigin}/behind`, custom: 'guarded', password: 'open sesame' },
    });
    const { page, complaints } = await newPage();
    await page.goto(`${server.origin}/guarded`);
    await page.getByLabel('Password').fill('wrong one');
    await page.getByRole('button', { name: 'Open the link' }).click();
    await page.getByRole('alert').waitFor();
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('Wrong password');
    await page.getByLabel('Password').fill('open sesame');
    await page.getByRole('button', { name: 'Open the link' }).click();
    await page.waitForURL(`${siteOrigin}/behind`);
    // Remembered by a cookie of that path.
    await page.goto(`${server.origin}/guarded`);
    await expect.poll(() => page.url()).toBe(`${siteOrigin}/behind`);
    expect(complaints).toEqual([]);
  });

  test('the preview page leads to the destination', async () => {
    await server.call(addLink, {
      body: { url: `${siteOrigin}/previewed`, custom: 'previewed', title: 'Hello' },
    });
    const { page, complaints } = await newPage();
    await page.goto(`${server.origin}/previewed+`);
    await page.getByRole('link', { name: 'Open the link' }).click();
    await page.waitForURL(`${siteOrigin}/previewed`);
    expect(complaints).toEqual([]);
  });

  const paths = ['/', '/nothing-here', '/guarded-too', '/previewed+'] as const;
  const shown = some(paths, { from: 2, short: 1 }).flatMap((path) =>
    some(['light', 'dark'] as const, { from: 0, short: 1 }).map((scheme) => [path, scheme] as const),
  );
  test.each(shown)('%s is accessible when it is %s', async (path, scheme) => {
    if (path === '/guarded-too' && scheme === 'light') {
      await server.call(addLink, { body: { url: siteOrigin, custom: 'guarded-too', password: 'secret' } });
    }
    const { page, complaints } = await newPage(scheme);
    await page.goto(server.origin + path);
    const style = await page.evaluate(
      () => getComputedStyle(document.querySelector('main') as Element).borderRadius,
    );
    expect(style).toBe('16px');
    // axe adds a script of its own, which the policy would forbid.
    const open = await browser.newContext({ colorScheme: scheme, bypassCSP: true });
    const bare = await open.newPage();
    await bare.goto(server.origin + path);
    expect(await faultsOf(bare, { theme: scheme })).toEqual([]);
    await open.close();
    expect(complaints).toEqual([]);
  });
});
