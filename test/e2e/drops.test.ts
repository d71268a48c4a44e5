import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CDPSession, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listFiles } from '../../server/contract/files.ts';
import { listLinks } from '../../server/contract/links.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { type AdminPage, openAdminPage, signInAt } from '../support/admin-page.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { anotherName } from '../support/names.ts';
import { findChromium } from '../support/provision.ts';

/**
 * Files dragged onto the window by the browser's own drag and drop, which opens them in place of the page if it may.
 */
describe.skipIf(!findChromium())('files dropped on the window', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-drops-'));
  let server: TestApp;
  let browser: TestBrowser;
  let admin: AdminPage;
  let page: Page;
  let devtools: CDPSession;

  beforeAll(async () => {
    server = await startApp({ ratelimit: 10_000 });
    browser = await openBrowser();
    admin = await openAdminPage(browser, server.origin);
    page = admin.page;
    devtools = await admin.context.newCDPSession(page);
    await signInAt(page, server.origin);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    // Lost if the page is ever left for another document.
    await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => open('Activity'));

  async function open(name: string): Promise<void> {
    await page.getByRole('navigation', { name: 'Sidebar' }).getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { name, exact: true }).first().waitFor();
  }
  function file(name: string, content: string): string {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  }
  async function drag(type: 'dragEnter' | 'dragOver' | 'drop', files: string[], y = 450): Promise<void> {
    const data = { items: [], files, dragOperationsMask: 1 };
    await devtools.send('Input.dispatchDragEvent', { type, x: 700, y, data });
  }
  async function drop(...files: string[]): Promise<void> {
    await drag('dragEnter', files);
    await drag('dragOver', files);
    await drag('drop', files);
  }
  const isSamePage = () => page.evaluate(() => 'isSamePage' in window);
  const words = () => page.getByText('Drop it anywhere');

  test('are announced while they are held over it, until they leave', { tags: 'long' }, async () => {
    const photo = file('photo.png', 'pixels');
    await drag('dragEnter', [photo]);
    await drag('dragOver', [photo]);
    await words().waitFor();
    await expectAccessible(page);
    // Out of the window again.
    await drag('dragOver', [photo], -5);
    await words().waitFor({ state: 'detached' });
    expect((await server.call(listFiles, { query: {} })).list).toEqual([]);
  });

  test('get a short link on the files page', async () => {
    await drop(file('price list.txt', 'apples 3'), file('photo.png', 'pixels'));
    await page.getByText('2 of 2 uploaded').waitFor();
    await admin.row('price list.txt').waitFor();
    expect(await isSamePage()).toBe(true);
    const { list } = await server.call(listFiles, { query: { name: 'price' } });
    expect(await (await fetch(list[0]?.shorturl ?? '')).text()).toBe('apples 3');
  });

  test('open the import if they are a table of links', { tags: 'long' }, async () => {
    await drop(file('links.csv', 'Long URL,Short code\nhttps://example.com/spring,spring\n'));
    await page.getByRole('button', { name: 'Import one link' }).click();
    await page.getByText('One link was imported').waitFor();
    expect((await server.call(listLinks)).data.urls[0]).toMatchObject({ alias: 'spring' });
    expect(await isSamePage()).toBe(true);
  });

  test('open the import, as do several pasted addresses, with invalid lines marked', async () => {
    const name = anotherName('pasted');
    const lines = Array.from({ length: 50 }, (_, at) => `https://example.com/${name}/${at}`);
    const text = [...lines, 'and a note, "without" an address'].join('\r\n');
    await page.evaluate((pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', pasted);
      document.body.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      );
    }, text);
    await page.getByRole('button', { name: 'Problem 1' }).waitFor();
    await page.getByRole('button', { name: 'Import 50 links' }).click();
    await page.getByText('50 links were imported').waitFor();
    expect((await server.call(listLinks, { query: { q: name } })).data.result).toBe(50);
  });

  test('a URL pasted outside a field is shortened and copied with Enter', async () => {
    await open('Overview');
    const path = anotherName('entered');
    const ofPath = async () => (await server.call(listLinks, { query: { q: path } })).data.urls;
    await page.evaluate((pasted) => {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', pasted);
      document.body.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      );
    }, `https://example.com/${path}`);
    await page.getByRole('button', { name: 'Shorten and copy' }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(ofPath).toHaveLength(1);
    const [link] = await ofPath();
    const { status, headers } = await fetch(link?.shorturl ?? '', { redirect: 'manual' });
    expect([status, headers.get('location')]).toEqual([302, `https://example.com/${path}`]);
    // There is nothing left to accept.
    await page.keyboard.press('Enter');
    expect(await ofPath()).toHaveLength(1);
  });

  test('open the import, as do several addresses pasted into the field for one', {
    tags: 'long',
  }, async () => {
    await open('Links');
    const path = anotherName('typed');
    const lines = Array.from({ length: 3 }, (_, at) => `https://example.com/${path}/${at}`);
    await page.getByLabel('Long URL to shorten').evaluate((field, pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', pasted);
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, lines.join('\n'));
    await page.getByRole('button', { name: 'Import 3 links' }).click();
    await page.getByText('3 links were imported').waitFor();
    expect((await server.call(listLinks, { query: { q: path } })).data.result).toBe(3);
  });

  test('are offered for shortening if they are a bookmark', { tags: 'long' }, async () => {
    await drop(file('bookmark.url', '[InternetShortcut]\r\nURL=https://example.com/bookmarked\r\n'));
    await page.getByRole('button', { name: 'Shorten and copy' }).click();
    await expect
      .poll(async () => (await server.call(listLinks)).data.urls.map(({ longurl }) => longurl))
      .toContain('https://example.com/bookmarked');
  });

  test('are imported as a backup if they are one, and never published', { tags: 'long' }, async () => {
    const before = (await server.call(listFiles, { query: {} })).result;
    await drop(file('waypost-2026-11-21T02-10-00-123Z-manual.tar.gz', 'no backup at all'));
    await page.getByText('This file is not a Waypost backup.').first().waitFor();
    await page.getByRole('heading', { name: 'Backups', exact: true }).waitFor();
    expect((await server.call(listFiles, { query: {} })).result).toBe(before);
  });

  test('cannot be folders', { tags: 'long' }, async () => {
    const holidays = join(folder, 'Holidays');
    mkdirSync(holidays);
    await drop(holidays);
    await page.getByText('Folders can’t be uploaded.').first().waitFor();
  });

  test('never replace the page, even if nothing accepts them', async () => {
    const html = file('page.html', '<title>Not Waypost</title>');
    await page.keyboard.press('c');
    await page.getByRole('dialog').waitFor();
    await drop(html);
    expect(await isSamePage()).toBe(true);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await page.evaluate(() => localStorage.removeItem('waypost:local:token'));
    await page.goto(`${server.origin}/admin/sign-in`);
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await drop(html);
    expect(page.url()).toBe(`${server.origin}/admin/sign-in`);
    expect(await page.title()).toContain('Waypost');
    expect([admin.elsewhere, admin.complaints]).toEqual([[], []]);
  });
});
