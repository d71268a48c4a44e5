import type { BrowserContext, Page } from 'playwright';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addBio, getBio, listBios } from '../../server/contract/bio.ts';
import { bioThemeNames } from '../../server/contract/bio-themes.ts';
import { addLink, getLink } from '../../server/contract/links.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { signInAt } from '../support/admin-page.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { faultsOf } from '../support/axe.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { findChromium } from '../support/provision.ts';
import { some } from '../support/trials.ts';
import { browsers } from '../support/visits.ts';

/** Bio pages in a real browser: made and put in order in the editor, and visited without scripts. */
describe.skipIf(!findChromium())('bio pages', () => {
  let server: TestApp;
  let browser: TestBrowser;
  let page: Page;
  const elsewhere: string[] = [];

  beforeAll(async () => {
    const picture = await sharp({ create: { width: 80, height: 80, channels: 3, background: '#336699' } })
      .png()
      .toBuffer();
    server = await startApp({
      ratelimit: 10_000,
      fetcher: { get: async () => ({ body: picture, type: 'image/png' }) },
    });
    browser = await openBrowser();
    const context = await browser.newContext({
      reducedMotion: 'reduce',
      viewport: { width: 1440, height: 900 },
    });
    watch(context);
    page = await context.newPage();
    page.setDefaultTimeout(45_000);
    await signInAt(page, server.origin, '/bio');
    await page.getByText('One link for everything you do').waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  function watch(context: BrowserContext): void {
    context.on('request', (request) => {
      const isOwn = request.url().startsWith(server.origin) || /^(data|blob|about):/.test(request.url());
      if (!isOwn) elsewhere.push(request.url());
    });
  }

  /** The preview has no scripts of its own, so nothing can be asked in it; the page itself is looked at below. */

  const addBlock = async (type: string) => {
    await page.getByRole('button', { name: 'Add a block' }).click();
    await page.getByRole('menuitem', { name: new RegExp(`^${type}`) }).click();
  };
  const save = async () => {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('All changes are saved').waitFor();
  };
  const preview = () => page.frameLocator('iframe[title="Page preview"]').last();

  test('a page is created, filled with blocks, and previewed while typing', async () => {
    const link = await server.call(addLink, {
      body: { url: `${server.origin}/api/health`.replace(server.origin, 'https://example.com') },
    });
    await page.getByRole('button', { name: 'New bio page' }).first().click();
    await page.getByLabel('Name').fill('Anna Berg');
    await page.getByLabel('URL').fill('anna');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('No blocks yet').waitFor();

    await addBlock('Link');
    await page.getByLabel('Title').fill('My newest link');
    await page.getByLabel('URL', { exact: false }).fill(link.shorturl);
    await preview().getByText('My newest link').waitFor();
    await addBlock('Heading');
    await page.getByLabel('Text').fill('More of me');
    await addBlock('Contact form');
    await page.getByLabel('Title').fill('Write to me');
    await preview().getByText('Write to me').waitFor();
    await page.getByText('Unsaved changes').waitFor();
    await save();
    const { bios } = (await server.call(listBios, { query: {} })).data;
    expect(bios).toMatchObject([{ name: 'Anna Berg', alias: 'anna' }]);
  });

  test('errors are shown beside their field', async () => {
    await page
      .getByRole('button', { name: /^My newest link/ })
      .first()
      .click();
    await page.getByLabel('Picture', { exact: true }).fill('javascript:alert(1)');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Enter a full URL that starts with http').first().waitFor();
    await page.getByLabel('Picture', { exact: true }).fill('https://pictures.example/1.png');
    await save();
    await page
      .getByRole('button', { name: /^My newest link/ })
      .first()
      .click();
  });

  const titles = () =>
    page
      .getByRole('list', { name: 'Blocks' })
      .locator('li [aria-expanded] span span:first-child')
      .allInnerTexts();

  test('blocks are sorted by keyboard, disabled, duplicated and removed with undo', {
    tags: 'long',
  }, async () => {
    const handle = page.getByRole('button', { name: 'Move Write to me' });
    await handle.focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Home');
    await page.keyboard.press('Space');
    await expect.poll(titles).toEqual(['Write to me', 'My newest link', 'More of me']);

    await page.getByRole('switch', { name: 'Show More of me to visitors' }).click();
    await page.getByRole('button', { name: 'More for My newest link' }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await expect.poll(titles).toEqual(['Write to me', 'My newest link', 'My newest link', 'More of me']);
    await page.getByRole('button', { name: 'More for Write to me' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await expect.poll(titles).toEqual(['My newest link', 'My newest link', 'More of me']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(titles).toEqual(['Write to me', 'My newest link', 'My newest link', 'More of me']);
    await save();
    const { data } = await server.call(getBio, { params: { id: 1 } });
    expect(data.blocks.map(({ id, type, enabled }) => [id, type, enabled])).toEqual([
      [3, 'contact', true],
      [1, 'link', true],
      [4, 'link', true],
      [2, 'heading', false],
    ]);
  });

  test('blocks are sorted with the pointer', { tags: 'long' }, async () => {
    const from = await page.getByRole('button', { name: 'Move Write to me' }).boundingBox();
    const to = await page.getByRole('button', { name: 'Move More of me' }).boundingBox();
    if (!from || !to) throw new Error('the handles are not shown');
    await page.mouse.move(from.x + 8, from.y + 8);
    await page.mouse.down();
    await page.mouse.move(to.x + 8, to.y + 30, { steps: 12 });
    await page.mouse.up();
    await expect.poll(titles).toEqual(['My newest link', 'My newest link', 'More of me', 'Write to me']);
  });

  test('unsaved changes survive a reload, and can be discarded', {
    tags: 'long',
  }, async () => {
    await page.getByText('Unsaved changes').waitFor();
    // The draft is written a moment after the last change.
    await expect
      .poll(() =>
        page.evaluate(() => Object.values({ ...localStorage }).some((value) => value.includes('"draft"'))),
      )
      .toBe(true);
    await page.reload();
    await page.getByText('Your unsaved changes were restored').waitFor();
    expect((await titles())[3]).toBe('Write to me');
    await page.getByRole('button', { name: 'Discard changes' }).first().click();
    await expect.poll(titles).toEqual(['Write to me', 'My newest link', 'My newest link', 'More of me']);
  });

  test('a theme is selected, and unreadable colors are reported before saving', async () => {
    await page.getByRole('tab', { name: 'Design' }).click();
    await page.getByText('Ocean').click();
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('#0B2A4A');
    await page.keyboard.press('Tab');
    await page.getByText('The text is hard to read on the background').waitFor();
    await page.getByRole('button', { name: 'Reset to theme' }).click();
    await save();
    expect((await server.call(getBio, { params: { id: 1 } })).data.theme).toBe('ocean');
  });

  test('editor and list are accessible in both themes', { tags: 'long', timeout: 240_000 }, async () => {
    for (const tab of some(['Design', 'Settings', 'Statistics', 'Messages', 'Content'], {
      from: 4,
      short: 1,
    })) {
      await page.getByRole('tab', { name: tab }).click();
      const block = page.getByRole('button', { name: /^My newest link/ }).first();
      if (tab === 'Content') await block.click();
      await expectAccessible(page, { except: 'iframe' });
      if (tab === 'Content') await block.click();
    }
    await page.goto(`${server.origin}/admin/bio`);
    await page.getByRole('link', { name: 'Anna Berg' }).waitFor();
    await expectAccessible(page, { except: 'iframe' });
    await page.getByRole('link', { name: 'Anna Berg' }).click();
    await page
      .getByRole('button', { name: /^My newest link/ })
      .first()
      .waitFor();
  });

  test('visitors copy the URL of a block, or have its QR code scanned', { tags: 'long' }, async () => {
    const { id, link } = await server.call(addBio, {
      body: {
        name: 'Shared',
        blocks: [{ type: 'link', title: 'Shop', url: 'https://shop.example.com/', share: true }],
      },
    });
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    watch(context);
    const visitor = await context.newPage();
    await visitor.goto(link);
    await visitor.getByLabel('Share: Shop').click();
    const code = visitor.getByRole('img', { name: 'QR code' });
    await expect
      .poll(() => code.evaluate((shown: HTMLImageElement) => shown.naturalWidth))
      .toBeGreaterThan(0);
    await visitor.getByRole('button', { name: 'Copy URL' }).click();
    await visitor.getByRole('button', { name: 'Copied' }).waitFor();
    // The page itself may not look into the clipboard; a field of another one takes what is in it.
    await visitor.goto(`${server.origin}/admin/`);
    const field = visitor.getByRole('textbox').first();
    await field.focus();
    await visitor.keyboard.press('Control+V');
    await expect.poll(() => field.inputValue()).toBe(`${server.origin}/bio/${id}/1`);
    await context.close();
  });

  test('the page works without scripts: links redirect and count, messages arrive', {
    tags: 'long',
  }, async () => {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 },
      // A headless browser says so, and is counted as a bot.
      userAgent: browsers.android,
    });
    watch(context);
    const visitor = await context.newPage();
    await visitor.goto(`${server.origin}/anna`);
    await expect.poll(() => visitor.getByRole('heading', { level: 1 }).textContent()).toBe('Anna Berg');
    expect(await visitor.getByText('More of me').count()).toBe(0);
    await visitor.getByText('Write to me').click();
    await visitor.getByLabel('Your name').fill('Carl');
    await visitor.getByLabel('Your email address').fill('carl@example.com');
    await visitor.getByLabel('Your message').fill('Hello');
    await visitor.getByRole('button', { name: 'Send' }).click();
    await visitor.getByRole('heading', { name: 'Thank you' }).waitFor();
    await visitor.getByRole('link', { name: 'Back to the page' }).click();
    // Whether anybody answers there is not ours to say: what counts is that the visitor was sent.
    await Promise.all([
      visitor.waitForRequest('https://example.com/api/health'),
      visitor.getByRole('link', { name: 'My newest link' }).first().click(),
    ]);
    await context.close();
    elsewhere.splice(
      0,
      elsewhere.length,
      ...elsewhere.filter((url) => url !== 'https://example.com/api/health'),
    );

    const { data } = await server.call(getBio, { params: { id: 1 } });
    expect(data).toMatchObject({ views: 1, clicks: 2 });
    expect(data.blocks.map(({ id, clicks }) => [id, clicks])).toEqual([
      [3, 1],
      [1, 1],
      [4, 0],
      [2, 0],
    ]);
    expect((await server.call(getLink, { params: { id: 1 } })).data.clicks).toBe(1);
    await page.getByRole('tab', { name: 'Messages' }).click();
    await page.getByText('carl@example.com').waitFor();
  });

  test('the page is accessible in every theme, light and dark', {
    tags: 'long',
    timeout: 240_000,
  }, async () => {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, bypassCSP: true });
    watch(context);
    const visitor = await context.newPage();
    for (const theme of bioThemeNames) {
      const { link } = await server.call(addBio, {
        body: {
          name: theme,
          title: `Theme ${theme}`,
          description: 'A quiet line',
          theme,
          avatar: 'https://pictures.example/me.png',
          blocks: [
            { type: 'link', title: 'Plain', url: 'https://example.com/' },
            {
              type: 'link',
              title: 'Strong',
              url: 'https://example.com/',
              description: 'Line',
              highlight: true,
            },
            { type: 'link', title: 'With a line', url: 'https://example.com/', description: 'A second line' },
            { type: 'heading', text: 'Heading' },
            { type: 'text', text: 'Text' },
            { type: 'image', image: 'https://pictures.example/a.png', url: 'https://example.com/' },
            { type: 'divider' },
            { type: 'vcard', name: 'Anna', role: 'Baker' },
            { type: 'video', title: 'Film', url: 'https://vimeo.com/1' },
            { type: 'contact', title: 'Write' },
            { type: 'socials', items: [{ network: 'github', url: 'https://github.com/x' }] },
          ],
        },
      });
      // The others look the same to everybody.
      for (const colorScheme of theme === 'plain' ? (['light', 'dark'] as const) : (['light'] as const)) {
        await visitor.emulateMedia({ colorScheme });
        await visitor.goto(link);
        await visitor.getByText('Write', { exact: true }).click();
        expect(await faultsOf(visitor, { theme: colorScheme, except: 'iframe' })).toEqual([]);
      }
    }
    await context.close();
  });

  test('no request went elsewhere', () => expect(elsewhere).toEqual([]));
});
