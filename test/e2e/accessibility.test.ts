import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultsOf } from '../support/axe.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { findChromium } from '../support/provision.ts';

/** What the other tests ask of a page is worth something only if a page can fail it. */
describe.skipIf(!findChromium())('the accessibility check', () => {
  let browser: TestBrowser;
  let page: Page;
  beforeAll(async () => {
    browser = await openBrowser();
    page = await (await browser.newContext()).newPage();
  });
  afterAll(() => browser?.close());

  const body = (content: string) =>
    `<!doctype html><html lang="en"><title>A page</title><main><h1>A page</h1>${content}</main></html>`;
  const picture = '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">';
  const pale = '<p style="color:#ddd;background:#fff">Pale words</p>';

  test('finds nothing on an accessible page', async () => {
    await page.setContent(body('<p>Words</p>'));
    expect(await faultsOf(page)).toEqual([]);
    expect(await faultsOf(page, { theme: 'dark' })).toEqual([]);
  });

  test('finds a missing alternative text, and in the dark theme only color problems', async () => {
    await page.setContent(body(picture + pale));
    expect(await faultsOf(page)).toEqual([
      expect.stringMatching(/^color-contrast: <p .*Pale words/),
      expect.stringMatching(/^image-alt: <img /),
    ]);
    expect(await faultsOf(page, { theme: 'dark' })).toEqual([expect.stringMatching(/^color-contrast: /)]);
  });

  test('checks the given part, and frames unless told not to', async () => {
    const frame = `<iframe title="A frame" srcdoc="${body(picture).replaceAll('"', '&quot;')}"></iframe>`;
    await page.setContent(body(`${frame}<div>${pale}</div>`));
    await page.frameLocator('iframe').getByRole('heading').waitFor();
    expect(await faultsOf(page, { within: 'iframe' })).toEqual([expect.stringMatching(/^image-alt: /)]);
    expect(await faultsOf(page, { except: 'div' })).toContainEqual(expect.stringMatching(/^image-alt: /));
    expect(await faultsOf(page, { except: 'iframe' })).toEqual([expect.stringMatching(/^color-contrast: /)]);
  });
});
