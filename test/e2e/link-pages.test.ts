import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext } from 'playwright';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { addCampaign, assignCampaign } from '../../server/contract/campaigns.ts';
import { addLink } from '../../server/contract/links.ts';
import { pixelTags, pixelTypes } from '../../server/contract/pixels.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { findChromium } from '../support/provision.ts';
import { some } from '../support/trials.ts';

/** Frames, splash pages, overlays, pixels and lists in a real browser: only there a policy shows what it forbids. */
describe.skipIf(!findChromium())('pages of links', () => {
  let server: TestApp;
  let browser: TestBrowser;
  let site: Server;
  let siteOrigin: string;

  beforeAll(async () => {
    const picture = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#336699' } })
      .png()
      .toBuffer();
    server = await startApp({ fetcher: { get: async () => ({ body: picture, type: 'image/png' }) } });
    browser = await openBrowser();
    site = createServer((request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(
        `<!doctype html><html lang="en"><title>Site</title><main><h1>arrived at ${request.url}</h1></main>`,
      );
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    siteOrigin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await browser?.close();
    site?.close();
    await server?.close();
  });

  // A window that is left open goes on drawing, and counting down.
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
  });

  /** A page that remembers its browser's complaints and who was asked; nobody outside is ever reached. */
  async function newPage(options: Parameters<TestBrowser['newContext']>[0] = {}) {
    const context: BrowserContext = await browser.newContext(options);
    const asked: string[] = [];
    const complaints: string[] = [];
    await context.route(
      (url) => url.origin !== siteOrigin && url.origin !== server.origin,
      (route) => {
        asked.push(route.request().url());
        return route.fulfill({ status: 200, contentType: 'text/javascript', body: '' });
      },
    );
    const page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error' && !/status of 4\d\d/.test(message.text()))
        complaints.push(message.text());
    });
    return { page, complaints, asked };
  }

  async function make(resource: string, body: Record<string, unknown>): Promise<number> {
    return (await server.request('POST', `/api/${resource}/add`, { body })).body.id;
  }
  const link = (custom: string, fields: Record<string, unknown>) =>
    server.call(addLink, { body: { url: `${siteOrigin}/${custom}`, custom, ...fields } });

  test('a frame shows the destination and leads directly to it', async () => {
    await link('framed', { type: 'frame', title: 'In a frame' });
    const { page, complaints, asked } = await newPage();
    await page.goto(`${server.origin}/framed`);
    await page.frameLocator('iframe').getByText('arrived at /framed').waitFor();
    expect(await page.evaluate(() => self.origin)).toBe('null');
    await page.getByRole('link', { name: 'Open directly' }).click();
    await page.waitForURL(`${siteOrigin}/framed`);
    expect([complaints, asked]).toEqual([[], []]);
  });

  test.each([true, false])(
    'a splash page continues by itself, with scripts %s',
    async (javaScriptEnabled) => {
      const counter = 1;
      const splash = await make('splash', {
        name: 'S',
        title: 'Wait',
        banner: 'https://x.example/b.png',
        counter,
      });
      const custom = `splashed-${javaScriptEnabled}`;
      await link(custom, { type: String(splash) });
      const { page, complaints, asked } = await newPage({ javaScriptEnabled });
      await page.goto(`${server.origin}/${custom}`);
      await page.waitForURL(`${siteOrigin}/${custom}`);
      expect([complaints, asked]).toEqual([[], []]);
    },
  );

  test('a splash page shows its picture, and its button continues immediately', async () => {
    const splash = await make('splash', { name: 'S', banner: 'https://x.example/b.png', counter: 60 });
    await link('pictured', { type: String(splash) });
    const { page, complaints } = await newPage();
    await page.goto(`${server.origin}/pictured`);
    const width = await page.locator('img').evaluate((image) => (image as HTMLImageElement).naturalWidth);
    expect(width).toBe(40);
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.waitForURL(`${siteOrigin}/pictured`);
    expect(complaints).toEqual([]);
  });

  test('an overlay is above the destination, can be closed, and its poll can be answered', async () => {
    const content = { question: 'Tea or coffee?', answers: ['Tea', 'Coffee'] };
    const overlay = await make('overlay', { name: 'Poll', type: 'poll', content });
    await link('polled', { type: `overlay-${overlay}` });
    const { page, complaints } = await newPage({ javaScriptEnabled: false });
    await page.goto(`${server.origin}/polled`);
    await page.frameLocator('iframe').getByText('arrived at /polled').waitFor();
    await page.locator('summary').click();
    await page.getByRole('button', { name: 'Coffee' }).waitFor({ state: 'hidden' });
    await page.locator('summary').press('Enter');
    await page.getByRole('button', { name: 'Coffee' }).click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    await page.getByRole('link', { name: 'Back to the page' }).click();
    await page.frameLocator('iframe').getByText('arrived at /polled').waitFor();
    const { body } = await server.request('GET', `/api/overlay/${overlay}/answers`);
    expect(body.data.answers).toMatchObject([{ value: 'Coffee', count: 1 }]);
    expect(complaints).toEqual([]);
  });

  test('the pixel of each type is requested, and the visit continues', { tags: 'long' }, async () => {
    const { page, complaints, asked } = await newPage();
    for (const type of some(pixelTypes, { from: 0, short: 3 })) {
      const pixel = await make('pixel', { type, name: type, tag: pixelTags[type].example });
      await link(`pixel-${type}`, { pixels: [pixel] });
      asked.length = 0;
      await page.goto(`${server.origin}/pixel-${type}`);
      await page.waitForURL(`${siteOrigin}/pixel-${type}`);
      expect([type, asked.length > 0, complaints]).toEqual([type, true, []]);
    }
  });

  test('the list of a campaign leads to its links', async () => {
    const { id } = await server.call(addCampaign, { body: { name: 'Spring', public: true } });
    const made = await link('listed', { title: 'A listed link' });
    await server.call(assignCampaign, { params: { campaignid: id, linkid: made.id }, body: {} });
    const { page, complaints } = await newPage();
    await page.goto(`${server.origin}/u/anna/list-${id}`);
    await page.getByRole('link', { name: 'A listed link' }).click();
    await page.waitForURL(`${siteOrigin}/listed`);
    expect(complaints).toEqual([]);
  });

  test('have no axe violations in either theme', { tags: 'long', timeout: 120_000 }, async () => {
    const paths: string[] = [];
    for (const [type, content] of Object.entries({
      message: { text: 'Hello', label: 'More', link: 'https://example.com/' },
      newsletter: { title: 'Letter', button: 'Subscribe' },
      coupon: { text: 'Less', code: 'TEN' },
    })) {
      const id = await make('overlay', { name: type, type, content });
      await link(`shown-${type}`, { type: `overlay-${id}` });
      paths.push(`shown-${type}`);
    }
    const splash = await make('splash', { name: 'Slow', message: 'Look', counter: 60 });
    await link('shown-splash', { type: String(splash) });
    const { page } = await newPage({ bypassCSP: true });
    for (const path of [...paths, 'shown-splash']) {
      await page.goto(`${server.origin}/${path}`);
      // What is in the frame is the destination's. The page goes on by itself, but nothing is lost: what it says is
      // said in the button, too.
      await expectAccessible(page, { except: 'iframe', unless: 'meta-refresh' });
    }
  });
});
