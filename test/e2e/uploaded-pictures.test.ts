import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { getAccount } from '../../server/contract/account.ts';
import { getBio, listBios } from '../../server/contract/bio.ts';
import { listFiles } from '../../server/contract/files.ts';
import { addLink } from '../../server/contract/links.ts';
import { getSplash, listSplash } from '../../server/contract/splash.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { openAdminPage, signInAt } from '../support/admin-page.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { findChromium } from '../support/provision.ts';

vi.setConfig({ testTimeout: 120_000 });

/** Pictures of one's own machine wherever a picture is asked for, and what visitors see of them. */
describe.skipIf(!findChromium())('an uploaded picture', () => {
  let server: TestApp;
  let browser: TestBrowser;
  let page: Page;
  let complaints: readonly string[];
  let png: Buffer;
  beforeAll(async () => {
    server = await startApp({ ratelimit: 100_000 });
    browser = await openBrowser();
    ({ page, complaints } = await openAdminPage(browser, server.origin));
    png = await sharp({ create: { width: 30, height: 30, channels: 3, background: '#336699' } })
      .png()
      .toBuffer();
    await signInAt(page, server.origin, '/splash');
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    expect(complaints).toEqual([]);
  });

  const field = (label: string) =>
    page
      .locator('[data-picture]')
      .filter({ has: page.getByRole('button', { name: `${label}: upload a picture` }) });
  const uploaded = (label: string) => field(label).getByText('Uploaded picture');

  /** Drops or pastes a file on the field of a picture. */
  async function give(label: string, kind: 'drop' | 'paste'): Promise<void> {
    await field(label).evaluate(
      (element, { content, kind }) => {
        const files = new DataTransfer();
        files.items.add(new File([Uint8Array.from(content)], 'picture.png', { type: 'image/png' }));
        if (kind === 'paste') {
          const event = new ClipboardEvent('paste', {
            clipboardData: files,
            bubbles: true,
            cancelable: true,
          });
          element.querySelector('input, button')?.dispatchEvent(event);
          return;
        }
        for (const name of ['dragenter', 'dragover', 'drop']) {
          element.dispatchEvent(
            new DragEvent(name, { dataTransfer: files, bubbles: true, cancelable: true }),
          );
        }
      },
      { content: [...png], kind },
    );
  }
  const file = (buffer: Buffer) => ({ name: 'picture.png', mimeType: 'image/png', buffer });
  const choose = (label: string, buffer: Buffer) =>
    field(label).locator('input[type="file"]').setInputFiles(file(buffer));

  test('is dropped and pasted on a splash page, whose form waits for it, and shown to visitors', {
    tags: 'long',
  }, async () => {
    await page.unroute('**/api/picture/add');
    await page.goto(`${server.origin}/admin/splash`);
    await page.getByRole('button', { name: 'New splash page' }).first().click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name', { exact: true }).fill('Launch');
    await choose('Avatar', Buffer.from('no picture'));
    await field('Avatar').getByRole('alert').filter({ hasText: 'PNG or JPEG' }).waitFor();
    await give('Avatar', 'drop');
    await uploaded('Avatar').waitFor();
    await field('Avatar').getByRole('status').filter({ hasText: 'Picture uploaded.' }).waitFor();
    await expectAccessible(page, { except: 'iframe' });

    let letGo = (): void => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const asked = page.waitForRequest('**/api/picture/add');
    await page.route('**/api/picture/add', async (route) => {
      await held;
      await route.continue();
    });
    await field('Banner').getByRole('textbox').focus();
    await give('Banner', 'paste');
    await asked;
    await form.getByRole('button', { name: 'Create splash page' }).click();
    letGo();
    await form.waitFor({ state: 'hidden' });
    await page.unroute('**/api/picture/add');

    const { splash } = (await server.call(listSplash, { query: {} })).data;
    const id = splash[0]?.id ?? 0;
    const { avatar, banner } = (await server.call(getSplash, { params: { id } })).data;
    expect([avatar, banner]).toEqual([
      expect.stringMatching(/\/img\/[0-9a-f]{32}$/),
      expect.stringMatching(/\/img\/[0-9a-f]{32}$/),
    ]);
    const { shorturl } = await server.call(addLink, {
      body: { url: 'https://example.com/', type: String(id) },
    });
    const visitor = await browser.newContext();
    const seen = await visitor.newPage();
    await seen.goto(shorturl);
    const widths = () =>
      seen.locator('img').evaluateAll((all) => all.map((image) => (image as HTMLImageElement).naturalWidth));
    await expect.poll(widths).toEqual(expect.arrayContaining([30, 30]));
    await visitor.close();
  });

  test('is not sent with a form that was submitted while an unusable one was read', {
    tags: 'long',
  }, async () => {
    await page.goto(`${server.origin}/admin/splash`);
    await page.getByRole('button', { name: 'New splash page' }).first().click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name', { exact: true }).fill('Early');
    // As long as it takes a slow machine to see that it is not a picture.
    await page.evaluate(() => {
      const { decode } = HTMLImageElement.prototype;
      HTMLImageElement.prototype.decode = () =>
        new Promise((_resolve, reject) => {
          Object.assign(window, {
            giveUp: () => {
              HTMLImageElement.prototype.decode = decode;
              reject(new Error('no picture'));
            },
          });
        });
    });
    await choose('Avatar', Buffer.from('no picture'));
    await page.waitForFunction(() => 'giveUp' in window);
    await form.getByRole('button', { name: 'Create splash page' }).click();
    await page.evaluate('giveUp()');
    await field('Avatar').getByRole('alert').waitFor();
    const webp = await sharp(png).webp().toBuffer();
    await choose('Avatar', webp);
    await uploaded('Avatar').waitFor();
    await form.getByLabel('Name', { exact: true }).fill('Late');
    await form.getByRole('button', { name: 'Create splash page' }).click();
    await form.waitFor({ state: 'hidden' });
    const { splash } = (await server.call(listSplash, { query: {} })).data;
    const names = splash.map(({ name }) => name);
    expect([names.includes('Early'), names.includes('Late')]).toEqual([false, true]);
  });

  test('keeps the focus in its field, and a URL of another site is not an upload', {
    tags: 'long',
  }, async () => {
    await page.goto(`${server.origin}/admin/splash`);
    await page.getByRole('button', { name: 'New splash page' }).first().click();
    await page.getByRole('dialog').waitFor();
    const banner = field('Banner').getByRole('textbox');
    await banner.fill(`https://example.org/img/${'0'.repeat(32)}`);
    await banner.focus();
    expect(await banner.inputValue()).toContain('https://example.org/');
    // What the server does not know is drawn anew, once.
    await page.unroute('**/api/picture/add');
    const refusal = { error: 1, code: 'invalid_image', message: 'Use a PNG or JPEG picture.' };
    await page.route('**/api/picture/add', (route) => route.fulfill({ status: 400, json: refusal }), {
      times: 1,
    });
    await give('Banner', 'paste');
    await uploaded('Banner').waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    await expect.poll(focused).toBe('Banner: remove the uploaded picture');
  });

  test('is made smaller before upload, and belongs to the account after a reload', async () => {
    // No encoder makes less of it, whichever version it is.
    const large = await sharp(randomBytes(800 * 800 * 3), { raw: { width: 800, height: 800, channels: 3 } })
      .png()
      .toBuffer();
    expect(large.length).toBeGreaterThan(600_000);
    await page.goto(`${server.origin}/admin/settings/profile`);
    await choose('Picture', large);
    await page.getByText('Picture changed').first().waitFor();
    await page.reload();
    const own = page.getByRole('img', { name: 'Your picture' });
    await expect.poll(() => own.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(500);
    expect((await server.call(getAccount)).data.avatar).not.toMatch(/\.svg$/);
  });

  test('can be cancelled while uploading, and reports if its field is gone', async () => {
    await page.goto(`${server.origin}/admin/splash`);
    await page.getByRole('button', { name: 'New splash page' }).first().click();
    await page.getByRole('dialog').waitFor();
    // It never arrives.
    await page.route('**/api/picture/add', () => {});
    try {
      await choose('Avatar', png);
      await page.getByRole('button', { name: 'Avatar: cancel the upload' }).click();
      await field('Avatar').waitFor();
      const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
      await expect.poll(focused).toBe('Avatar: upload a picture');
      expect(await field('Avatar').getByRole('alert').count()).toBe(0);
      await choose('Banner', png);
      await page.getByRole('button', { name: 'Banner: cancel the upload' }).waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }).first().click();
      await page.getByText('Banner: its field was closed before the picture arrived.').first().waitFor();
    } finally {
      await page.unroute('**/api/picture/add');
    }
  });

  test('goes to its field when dropped beside it, if there is no other', {
    tags: 'long',
  }, async () => {
    await server.request('POST', '/api/bio/add', { body: { name: 'Beside' } });
    const { bios } = (await server.call(listBios, { query: {} })).data;
    const id = bios.find(({ name }) => name === 'Beside')?.id ?? 0;
    await page.goto(`${server.origin}/admin/bio/${id}`);
    await page.getByRole('button', { name: 'Title, description and picture' }).click();
    await field('Picture').waitFor();
    await page.locator('main').evaluate(
      (element, content) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([Uint8Array.from(content)], 'beside.png', { type: 'image/png' }));
        for (const name of ['dragenter', 'dragover', 'drop']) {
          element.dispatchEvent(new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true }));
        }
      },
      [...png],
    );
    await uploaded('Picture').waitFor();
    expect((await server.call(listFiles, { query: { name: 'beside' } })).list).toEqual([]);
  });

  test('is chosen for a bio page and its blocks', { tags: 'long' }, async () => {
    await server.request('POST', '/api/bio/add', {
      body: { name: 'Me', blocks: [{ type: 'link', title: 'Shop', url: 'https://example.com/' }] },
    });
    const [{ id = 0 } = {}] = (await server.call(listBios, { query: {} })).data.bios;
    await page.goto(`${server.origin}/admin/bio/${id}`);
    await page.getByRole('button', { name: 'Title, description and picture' }).click();
    await choose('Picture', png);
    await uploaded('Picture').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    const stored = async () => (await server.call(getBio, { params: { id } })).data.avatar;
    await expect.poll(stored).toMatch(/\/img\/[0-9a-f]{32}$/);
    await page.reload();
    await page.getByRole('button', { name: 'Title, description and picture' }).click();
    await uploaded('Picture').waitFor();
    const reply = await fetch(new URL(new URL((await stored()) ?? '').pathname, server.origin));
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/png']);
  });
});
