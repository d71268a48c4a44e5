import type { BrowserContext, Page } from 'playwright';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { addLink, getLink, listLinks } from '../../server/contract/links.ts';
import { getOverlay, listOverlays } from '../../server/contract/overlays.ts';
import { getSplash, listSplash } from '../../server/contract/splash.ts';
import { rejected } from '../../server/platform/errors.ts';
import { signInAt } from '../support/admin-page.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { faultsOf } from '../support/axe.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { findChromium } from '../support/provision.ts';
import { some } from '../support/trials.ts';
import { visit } from '../support/visits.ts';

/** Overlays and splash pages in the admin UI, under its own policy: made, previewed, chosen for links, deleted. */
describe.skipIf(!findChromium())('overlays and splash pages', () => {
  let server: TestApp;
  let browser: TestBrowser;
  let context: BrowserContext;
  let page: Page;
  const elsewhere: string[] = [];
  const faults: string[] = [];

  beforeAll(async () => {
    const picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#2255aa' } })
      .png()
      .toBuffer();
    server = await startApp({
      ratelimit: 10_000,
      fetcher: {
        async get(url, { field }) {
          if (url.includes('missing'))
            throw rejected('unreachable_url', field, 'This address could not be fetched.');
          return { body: picture, type: 'image/png' };
        },
        look: async (url) => ({
          url: new URL(url),
          status: 200,
          headers: url.includes('closed') ? { 'x-frame-options': 'DENY' } : {},
        }),
      },
    });
    browser = await openBrowser();
    context = await browser.newContext({ reducedMotion: 'reduce' });
    context.on('request', (request) => {
      const isOwn = request.url().startsWith(server.origin) || /^(data|blob|about):/.test(request.url());
      if (!isOwn) elsewhere.push(request.url());
    });
    page = await context.newPage();
    page.setDefaultTimeout(15_000);
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      // The sandbox says so each time that it holds a page back, which is what it is there for.
      const isSandbox = /Refused to execute the redirect|Blocked opening/.test(message.text());
      if (message.type() === 'error' && !isSandbox) faults.push(message.text());
    });
    await signInAt(page, server.origin, '/overlays');
    await page.getByText('Put a call to action on any page').waitFor();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  afterEach(async () => {
    // What a failed test left open is not the next one's affair.
    if (await form().isVisible()) await page.keyboard.press('Escape');
  });

  const eventually = <Value>(look: () => Promise<Value>) => expect.poll(look, { timeout: 15_000 });
  const form = () => page.getByRole('dialog');
  const field = (name: string) => form().getByLabel(name, { exact: true });
  /** The preview that is shown; the next one is drawn hidden behind it. */
  const preview = (title: string) => page.frameLocator(`iframe[title="${title}"]:not([aria-hidden="true"])`);
  const inOverlay = () => preview('Overlay preview');
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });

  async function newOverlay(name: string, type: string): Promise<void> {
    await page.getByRole('button', { name: 'New overlay' }).first().click();
    await field('Name').fill(name);
    await form().getByRole('radio', { name: type }).check({ force: true });
  }
  async function save(action: string): Promise<void> {
    await form().getByRole('button', { name: action }).click();
    await form().waitFor({ state: 'hidden' });
  }
  async function stored(name: string) {
    const { cta } = (await server.call(listOverlays, { query: { q: name } })).data;
    return (await server.call(getOverlay, { params: { id: cta[0]?.id ?? 0 } })).data;
  }

  const payload = `"><img src=x onerror="top.__ran=1"><script>top.__ran=1</script>`;

  test('a message is previewed while typing, and markup in it stays text', { tags: 'long' }, async () => {
    await newOverlay('A message', 'Message');
    await inOverlay().getByText('Tell your visitors something.').waitFor();
    await field('Text').fill(`Hello ${payload}`);
    await inOverlay().getByText(`Hello ${payload}`).waitFor();
    await field('Button URL').fill('example.com/more');
    await field('Button').fill('Read on');
    await inOverlay().getByRole('link', { name: 'Read on' }).waitFor();
    // What is followed in the preview leads nowhere. By key, because the pane may reach below the form's footer.
    await inOverlay().getByRole('link', { name: 'Read on' }).press('Enter');
    await inOverlay().getByText('Hello').waitFor();
    expect(await page.evaluate(() => Reflect.get(window, '__ran'))).toBeUndefined();
    expect(await page.locator('iframe').first().getAttribute('sandbox')).toBe('');
    await save('Create overlay');
    expect(await stored('A message')).toMatchObject({
      type: 'message',
      content: { text: `Hello ${payload}`, label: 'Read on', link: 'https://example.com/more' },
    });
    expect([elsewhere, faults]).toEqual([[], []]);
  });

  const types: [string, Record<string, string>, string][] = [
    [
      'Contact',
      { Title: 'Write to us', Button: 'Write', 'Your email address': 'us@example.com' },
      'Write to us',
    ],
    ['Newsletter', { Title: 'Our letter', Button: 'Subscribe' }, 'Our letter'],
    ['Coupon', { Text: 'Ten percent off', Code: 'TEN' }, 'TEN'],
  ];
  test.each(some(types, { from: 2, short: 1 }))(
    'of type %s are previewed while typing, and saved',
    async (type, texts, seen) => {
      await newOverlay(`The ${type}`, type);
      for (const [label, text] of Object.entries(texts)) await field(label).fill(text);
      await inOverlay().getByText(seen, { exact: true }).waitFor();
      await save('Create overlay');
      expect(Object.values((await stored(`The ${type}`)).content)).toEqual(
        expect.arrayContaining(Object.values(texts)),
      );
    },
  );

  test('a picture is shown in the preview, and an unavailable one is reported', {
    tags: 'long',
  }, async () => {
    await newOverlay('A picture', 'Image');
    await field('Picture').fill('https://img.example.com/missing.png');
    await form().getByText('This address could not be fetched.').waitFor();
    await field('Picture').fill('https://img.example.com/a.png');
    await form().getByRole('img', { name: 'The picture loads' }).waitFor();
    const width = await inOverlay()
      .locator('img')
      .evaluate((image) => (image as HTMLImageElement).naturalWidth);
    expect(width).toBe(60);
    await save('Create overlay');
    expect((await stored('A picture')).content).toMatchObject({ image: 'https://img.example.com/a.png' });
  });

  test('the options of a poll are sorted by keyboard, and too few are refused', async () => {
    await newOverlay('A poll', 'Poll');
    await field('Question').fill('Tea or coffee?');
    await form().getByRole('button', { name: 'Create overlay' }).click();
    await form().getByText('Enter at least two answers.').waitFor();
    await field('Answer 1').fill('Tea');
    await field('Answer 1').press('Enter');
    await field('Answer 2').fill('Coffee');
    await field('Answer 2').press('Enter');
    await field('Answer 3').fill('Neither');
    const handle = form().getByRole('button', { name: 'Move answer 3', exact: true });
    await handle.press('Space');
    await handle.press('ArrowUp');
    await form().getByRole('button', { name: 'Move answer 2', exact: true }).press('ArrowUp');
    await form().getByRole('button', { name: 'Move answer 1', exact: true }).press('Space');
    await expect
      .poll(() => inOverlay().getByRole('button').allTextContents())
      .toEqual(['Neither', 'Tea', 'Coffee']);
    await save('Create overlay');
    expect((await stored('A poll')).content).toEqual({
      question: 'Tea or coffee?',
      answers: ['Neither', 'Tea', 'Coffee'],
    });
  });

  test('position and colors change the preview, poor contrast is pointed out, and devices and themes can be chosen', {
    tags: 'long',
  }, async () => {
    await page.getByRole('button', { name: 'Edit The Coupon' }).click();
    await form().getByRole('radio', { name: 'Top left' }).check({ force: true });
    const box = () => inOverlay().locator('details');
    await eventually(() => box().evaluate((element) => getComputedStyle(element).top)).toBe('60px');
    await form().getByRole('textbox', { name: 'Background color' }).fill('#202020');
    await form().getByText('is hard to read').waitFor();
    const color = () =>
      inOverlay()
        .locator('.box')
        .evaluate((element) => getComputedStyle(element).backgroundColor);
    await eventually(color).toBe('rgb(32, 32, 32)');
    await form().getByRole('button', { name: 'Green' }).click();
    await form().getByText('is hard to read').waitFor({ state: 'hidden' });
    const bar = () =>
      inOverlay()
        .locator('header')
        .evaluate((element) => getComputedStyle(element).color);
    await form().getByRole('button', { name: 'Dark' }).last().click();
    await eventually(bar).toBe('rgb(238, 240, 244)');
    await form().getByRole('button', { name: 'Light' }).last().click();
    await eventually(bar).toBe('rgb(21, 24, 30)');
    await form().getByRole('button', { name: 'Desktop' }).click();
    const inner = () =>
      inOverlay()
        .locator('html')
        .evaluate((element) => element.clientWidth);
    await eventually(inner).toBe(1280);
    await save('Save');
    expect(await stored('The Coupon')).toMatchObject({
      position: 'topleft',
      colors: { background: '#ECFDF5' },
    });
  });

  test('an overlay is selected in the link form, with a notice if the destination forbids frames', async () => {
    await page.keyboard.press('c');
    await field('Destination').fill('https://closed.example.com/');
    await form().getByRole('button', { name: 'Type' }).click();
    await form().getByLabel('How the destination is shown').click();
    await page.getByRole('option', { name: 'A poll' }).click();
    await form().getByText('This site can’t be shown in a frame').waitFor();
    await field('Destination').fill('https://open.example.com/');
    await form().getByText('This site can’t be shown in a frame').waitFor({ state: 'hidden' });
    await field('Destination').fill('https://closed.example.com/');
    await form().getByText('This site can’t be shown in a frame').waitFor();
    await form().getByRole('button', { name: 'Create link' }).click();
    await form().waitFor({ state: 'hidden' });
    const { urls } = (await server.call(listLinks, { query: { q: 'closed' } })).data;
    const id = urls[0]?.id ?? 0;
    expect((await server.call(getLink, { params: { id } })).details.type).toMatch(/^overlay-\d+$/);
    const answer = await visit(server, `/${urls[0]?.alias}`);
    expect([answer.status, answer.location]).toEqual([302, 'https://closed.example.com/']);
    await page.goto(`${server.origin}/admin/links/${id}`);
    await page.getByText('This site can’t be shown in a frame').waitFor();
    await page.getByText('With an overlay').waitFor();
  });

  test("visitors' responses are counted, shown as bars, and exported", async () => {
    const { id } = await stored('A poll');
    for (const [index, answer] of ['Tea', 'Tea', 'Coffee'].entries()) {
      await visit(server, `/o/${id}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'User-Agent': `Firefox/${index}` },
        body: new URLSearchParams({ answer, back: '/' }).toString(),
      });
    }
    await page.goto(`${server.origin}/admin/overlays`);
    await page.getByRole('link', { name: 'answers to A poll' }).click();
    await page.getByText('3 votes in total').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Tea' }).getByText('2 votes').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Neither' }).getByText('no votes').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`overlay-${id}-answers.csv`);
    await page.getByRole('link', { name: 'Back' }).click();
    await row('A poll').waitFor();
  });

  test('the list is searched, and deleted ones are restored with their responses and links', {
    tags: 'long',
  }, async () => {
    await page.getByRole('searchbox', { name: 'Search overlays' }).fill('the c');
    await row('A poll').waitFor({ state: 'hidden' });
    await expect.poll(() => page.getByRole('row').count()).toBe(3);
    await page.getByRole('searchbox', { name: 'Search overlays' }).fill('');
    const { urls } = (await server.call(listLinks, { query: { q: 'closed' } })).data;
    const typeOf = async () =>
      (await server.call(getLink, { params: { id: urls[0]?.id ?? 0 } })).details.type ?? '';
    const before = await typeOf();
    expect(before).toMatch(/^overlay-/);
    const remove = async () => {
      await page.getByRole('button', { name: 'Actions for A poll' }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await row('A poll').waitFor({ state: 'hidden' });
      expect(await typeOf()).toBe('direct');
    };
    await remove();
    await page.getByRole('button', { name: 'Undo' }).click();
    await row('A poll').getByRole('link', { name: '3 answers to A poll' }).waitFor();
    expect(await typeOf()).toBe(before);
    await remove();
  });

  test('a splash page is previewed while typing, saved, used and duplicated', async () => {
    await page.goto(`${server.origin}/admin/splash`);
    await page.getByText('Show a page before redirecting').waitFor();
    await page.getByRole('button', { name: 'New splash page' }).first().click();
    const inSplash = () => preview('Splash page preview');
    await field('Name').fill('Launch');
    await field('Title').fill(`Shoes ${payload}`);
    await field('Message').fill('They are here.');
    await inSplash()
      .getByRole('heading', { name: `Shoes ${payload}` })
      .waitFor();
    await inSplash().getByText('They are here.').waitFor();
    await field('Banner').fill('https://img.example.com/b.png');
    await inSplash().locator('img').waitFor();
    await form().getByRole('spinbutton').fill('3');
    await save('Create splash page');
    const { splash } = (await server.call(listSplash, { query: {} })).data;
    const id = splash[0]?.id ?? 0;
    expect((await server.call(getSplash, { params: { id } })).data).toMatchObject({
      name: 'Launch',
      counter: 3,
    });
    const made = await server.call(addLink, { body: { url: 'https://example.com/', type: String(id) } });
    await page.reload();
    await page.getByRole('button', { name: 'Edit Launch' }).click();
    await form()
      .getByText(made.shorturl.replace(/^http:\/\//, ''))
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Actions for Launch' }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await save('Create splash page');
    await row('Launch (copy)').waitFor();
    expect(await page.evaluate(() => Reflect.get(window, '__ran'))).toBeUndefined();
    expect([elsewhere, faults]).toEqual([[], []]);
  });

  test('have no axe violations in either theme', { tags: 'long', timeout: 240_000 }, async () => {
    const state = await context.storageState();
    const own = await browser.newContext({ storageState: state, bypassCSP: true, reducedMotion: 'reduce' });
    try {
      const tab = await own.newPage();
      tab.setDefaultTimeout(15_000);
      const check = async (name: string) => {
        for (const theme of ['dark', 'light'] as const) {
          await tab.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
          const faults = await faultsOf(tab, { theme, except: 'iframe' });
          expect([name, theme, faults]).toEqual([name, theme, []]);
        }
      };
      await tab.goto(`${server.origin}/admin/overlays`);
      for (const name of ['A message', 'A picture', 'The Coupon']) {
        await tab.getByRole('button', { name: `Edit ${name}` }).click();
        await tab.frameLocator('iframe[title="Overlay preview"]').first().locator('summary').waitFor();
        await check(`overlay form: ${name}`);
        await tab.keyboard.press('Escape');
        await tab.getByRole('dialog').waitFor({ state: 'hidden' });
      }
      await check('overlays');
      const { id } = await stored('The Newsletter');
      await tab.goto(`${server.origin}/admin/overlays/${id}/answers`);
      await tab.getByText('No answers yet').waitFor();
      await check('answers');
      await tab.goto(`${server.origin}/admin/splash`);
      await tab.getByRole('button', { name: 'Edit Launch', exact: true }).click();
      await tab.frameLocator('iframe[title="Splash page preview"]').first().locator('h1').waitFor();
      await check('splash form');
    } finally {
      await own.close();
    }
  });
});
