import type { BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { hostileText } from '../support/hostile-texts.ts';
import { findChromium } from '../support/provision.ts';
import { type PublicPage, picturesFor, visitAllPages } from '../support/public-pages.ts';

/** What a page did in a browser. */
interface Behavior {
  /** Addresses that it asked for and that are not this server's. */
  foreign: string[];
  /** Signs that something ran that is not ours. */
  ran: string[];
}

/**
 * Every public page in a real browser, as the server answered it: what it asks for, what runs in it, and whether it
 * does without scripts.
 */
describe.skipIf(!findChromium())('public pages', () => {
  let server: TestApp;
  let browser: TestBrowser;
  const plain: PublicPage[] = [];
  /** All pages with hostile texts, in `npm run test:faults` twice; the fields have other texts the second time. */
  const hostile: PublicPage[] = [];

  beforeAll(async () => {
    server = await startApp({ ...(await picturesFor()), ratelimit: 10_000 });
    plain.push(...(await visitAllPages(server, 'p', (longest) => 'Some words of a page'.slice(0, longest))));
    // Each round begins elsewhere in the list, so that the fields get other texts.
    const text = hostileText();
    for (const key of inject('isLong') ? ['h', 'i'] : ['h']) {
      server.clock.advance(120_000);
      hostile.push(...(await visitAllPages(server, key, text)));
      text(40);
    }
    browser = await openBrowser();
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  /** Shows a page under its own address, with the headers that it came with, and watches it. */
  async function show(context: BrowserContext, { path, reply }: PublicPage): Promise<[Page, Behavior]> {
    const page = await context.newPage();
    const behavior: Behavior = { foreign: [], ran: [] };
    const address = server.origin + path;
    let isFirst = true;
    await page.route('**/*', async (route) => {
      const url = route.request().url();
      if (isFirst && url === address) {
        isFirst = false;
        const { 'content-length': _length, connection: _connection, ...headers } = reply.headers;
        await route.fulfill({ status: 200, headers: headers as Record<string, string>, body: reply.body });
      } else if (url.startsWith(`${server.origin}/`)) {
        await route.continue();
      } else {
        behavior.foreign.push(url);
        await route.abort();
      }
    });
    page.on('dialog', (dialog) => {
      behavior.ran.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('console', (message) => {
      if (message.text().includes('pwned')) behavior.ran.push(`console: ${message.text()}`);
    });
    page.on('popup', (popup) => behavior.ran.push(`popup: ${popup.url()}`));
    await page.goto(address, { waitUntil: 'load' });
    return [page, behavior];
  }

  /** A few at a time: a page mostly waits. */
  async function each(
    pages: readonly PublicPage[],
    look: (page: PublicPage) => Promise<void>,
  ): Promise<void> {
    const left = [...pages];
    const takeAll = async () => {
      for (let page = left.shift(); page; page = left.shift()) await look(page);
    };
    await Promise.all([takeAll(), takeAll(), takeAll(), takeAll()]);
  }

  /** Elements and attributes of the hostile texts that have become part of a page. */
  const planted = (page: Page) =>
    page.evaluate(() =>
      [...document.querySelectorAll('*')]
        .filter(
          (element) =>
            element.localName.startsWith('x-pwned') ||
            [...element.attributes].some(({ name }) => name === 'data-pwned' || name.startsWith('on')),
        )
        .map((element) => element.outerHTML.slice(0, 200)),
    );

  test('request nothing from other servers, except pixels and the pages that they frame', async () => {
    const context = await browser.newContext();
    await each(plain, async (shown) => {
      const [page, { foreign }] = await show(context, shown);
      if (shown.foreign === undefined) expect([shown.name, foreign]).toEqual([shown.name, []]);
      if (shown.foreign === 'pixels' || shown.foreign === 'frame') {
        await expect.poll(() => foreign.length, { message: shown.name }).toBeGreaterThan(0);
      }
      await page.close();
    });
    await context.close();
  }, 240_000);

  test('use the font of the app', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    for (const name of ['landing', 'unknown address', 'frame', 'bio']) {
      const { path = '' } = plain.find((shown) => shown.name === name) ?? {};
      // Not by way of `show`: a font is asked for by an origin that the page does not have there.
      await page.goto(server.origin + path);
      const loaded = () =>
        page.evaluate(() =>
          [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family),
        );
      const family = expect.stringContaining('Inter Variable');
      await expect.poll(loaded, { message: name }).toContainEqual(family);
    }
    await context.close();
  }, 240_000);

  test('work fully without scripts', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    await each(plain, async (shown) => {
      const [page] = await show(context, shown);
      // Playwright reads the page from outside; nothing of it runs.
      expect([shown.name, await page.locator('h1').first().isVisible()]).toEqual([shown.name, true]);
      for (const button of await page.locator('button').all()) {
        const isUseful = await button.evaluate((element) => (element as HTMLButtonElement).form !== null);
        expect([shown.name, isUseful]).toEqual([shown.name, true]);
      }
      for (const link of await page.locator('a').all()) {
        expect([shown.name, await link.getAttribute('href')]).toEqual([
          shown.name,
          expect.stringMatching(/^\S+$/),
        ]);
      }
      await page.close();
    });
    await context.close();
  }, 240_000);

  test('do not run hostile texts (T-18)', { tags: 'long', timeout: 240_000 }, async () => {
    const context = await browser.newContext();
    expect(hostile.length).toBeGreaterThan(10);
    await each(hostile, async (shown) => {
      const [page, { foreign, ran }] = await show(context, shown);
      expect([shown.name, ran, await planted(page)]).toEqual([shown.name, [], []]);
      expect([shown.name, foreign.filter((url) => url.includes('evil.example'))]).toEqual([shown.name, []]);
      await page.close();
    });
    await context.close();
  });

  test('would not run them even without their policies', { tags: 'long', timeout: 240_000 }, async () => {
    const context = await browser.newContext();
    expect(hostile.length).toBeGreaterThan(10);
    await each(hostile, async (shown) => {
      const { 'content-security-policy': _policy, ...headers } = shown.reply.headers;
      const [page, { foreign, ran }] = await show(context, {
        ...shown,
        reply: { ...shown.reply, headers },
      });
      expect([shown.name, ran, await planted(page)]).toEqual([shown.name, [], []]);
      expect([shown.name, foreign.filter((url) => url.includes('evil.example'))]).toEqual([shown.name, []]);
      await page.close();
    });
    await context.close();
  });

  test('are checked by a method that detects scripts that get through', async () => {
    const context = await browser.newContext();
    const text = hostileText();
    const headers = { 'content-type': 'text/html; charset=utf-8' };
    const body = `<!doctype html><title>${text(60)}</title><p title="${text(300)}">${text(3000)}</p>`;
    const reply = { status: 200, headers, location: undefined, body };
    const [page, { foreign, ran }] = await show(context, { name: 'broken', path: '/broken', reply });
    expect((await planted(page)).length).toBeGreaterThan(5);
    await expect.poll(() => ran.length).toBeGreaterThan(0);
    await expect.poll(() => foreign.some((url) => url.includes('evil.example'))).toBe(true);
    await context.close();
  });
});
