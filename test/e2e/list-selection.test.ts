import type { Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { addBio, listBios } from '../../server/contract/bio.ts';
import { addChannel, getChannel, listChannels } from '../../server/contract/channels.ts';
import { addQr, listQr } from '../../server/contract/qr.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { signInAt } from '../support/admin-page.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { anotherName } from '../support/names.ts';
import { findChromium } from '../support/provision.ts';

// Both themes are looked at by axe again and again, which takes its time.
vi.setConfig({ testTimeout: 150_000 });

/** Several rows of the lists of bio pages and QR codes: selected, put into channels, deleted and brought back. */
describe.skipIf(!findChromium())('several rows of a list', () => {
  let server: TestApp;
  let browser: TestBrowser;
  let page: Page;
  const channels: Record<string, number> = {};
  const complaints: string[] = [];

  beforeAll(async () => {
    server = await startApp({ ratelimit: 10_000 });
    for (const name of ['First', 'Second', 'Third']) {
      await server.call(addBio, { body: { name: `${name} page` } });
      await server.call(addQr, { body: { type: 'text', data: name, name: `${name} code` } });
    }
    for (const name of ['Mail', 'Print']) {
      channels[name] = (await server.call(addChannel, { body: { name } })).id;
    }
    browser = await openBrowser();
    const context = await browser.newContext({
      bypassCSP: true,
      reducedMotion: 'reduce',
      viewport: { width: 1440, height: 900 },
    });
    context.on('weberror', (error) => complaints.push(error.error().message));
    page = await context.newPage();
    page.setDefaultTimeout(20_000);
    await signInAt(page, server.origin, '/bio');
    await row('First page').waitFor();
  });
  beforeEach(() => server.clock.advance(60_000));
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  const tick = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const itemsOf = async (channel: string) => {
    const { data } = await server.call(getChannel, { params: { id: channels[channel] as number } });
    return data.items.map(({ type, title }) => `${type} ${title}`).sort();
  };
  const undo = (text: string) =>
    page.locator('li').filter({ hasText: text }).getByRole('button', { name: 'Undo' }).click();

  test('bio pages are added to a channel together, and removed by undo', { tags: 'long' }, async () => {
    await tick('First page').check();
    await tick('Third page').check();
    await page.getByText('2 selected').waitFor();
    await expectAccessible(page);
    await button('Add to channel').click();
    await page.getByRole('menuitem', { name: 'Mail' }).click();
    await page.getByText('2 added to “Mail”', { exact: true }).waitFor();
    await page.getByText('2 selected').waitFor({ state: 'hidden' });
    expect(await itemsOf('Mail')).toEqual(['bio First page', 'bio Third page']);
    await undo('2 added to “Mail”');
    await expect.poll(() => itemsOf('Mail')).toEqual([]);
  });

  test('one bio page is added to a channel from its menu', async () => {
    await page.getByRole('button', { name: 'Actions for Second page' }).click();
    await page.getByRole('menuitem', { name: 'Add to channel' }).press('ArrowRight');
    await page.getByRole('menuitem', { name: 'Print' }).click();
    await page.getByText('Added to “Print”', { exact: true }).waitFor();
    expect(await itemsOf('Print')).toEqual(['bio Second page']);
  });

  test('Shift selects a range, and Escape and the button clear it', async () => {
    await tick('Third page').click();
    await tick('First page').click({ modifiers: ['Shift'] });
    await page.getByText('3 selected').waitFor();
    await expect
      .poll(() => page.getByRole('checkbox', { name: 'Select everything on this page' }).isChecked())
      .toBe(true);
    await page.getByRole('heading', { name: 'Bio pages' }).click();
    await page.keyboard.press('Escape');
    await page.getByText('3 selected').waitFor({ state: 'hidden' });
    await tick('First page').check();
    await button('Clear selection').click();
    await page.getByPlaceholder('Search bio pages').waitFor();
  });

  test('bio pages are deleted and restored together', { tags: 'long' }, async () => {
    await page.getByRole('checkbox', { name: 'Select everything on this page' }).check();
    await button('Delete').click();
    await page.getByText('One link for everything you do').waitFor();
    await expect.poll(async () => (await server.call(listBios)).data.result).toBe(0);
    await undo('3 bio pages were deleted');
    await row('Second page').waitFor();
    await expect.poll(async () => (await server.call(listBios)).data.result).toBe(3);
    expect(await itemsOf('Print')).toEqual(['bio Second page']);
  });

  test('QR codes are added to a channel created for them', { tags: 'long' }, async () => {
    await page.goto(`${server.origin}/admin/qr-codes`);
    await row('First code').waitFor();
    await page.getByRole('checkbox', { name: 'Select everything on this page' }).check();
    await tick('Second code').uncheck();
    await page.getByText('2 selected').waitFor();
    await expectAccessible(page);
    await button('Add to channel').click();
    await page.getByRole('menuitem', { name: 'New channel…' }).click();
    await page.getByLabel('Name').fill('Shop window');
    await button('Create channel').click();
    await page.getByText('2 added to “Shop window”', { exact: true }).waitFor();
    const { data } = await server.call(listChannels, { query: { q: 'Shop window' } });
    channels.Shop = data.channels[0]?.id ?? 0;
    expect(await itemsOf('Shop')).toEqual(['qr First code', 'qr Third code']);
  });

  test('QR codes are deleted together, and restored where they were', { tags: 'long' }, async () => {
    await tick('First code').check();
    await tick('Second code').check();
    await button('Delete').click();
    await row('First code').waitFor({ state: 'hidden' });
    expect(await itemsOf('Shop')).toEqual(['qr Third code']);
    await undo('2 QR codes deleted');
    await row('Second code').waitFor();
    await expect.poll(async () => (await server.call(listQr)).data.result).toBe(3);
    expect(await itemsOf('Shop')).toEqual(['qr First code', 'qr Third code']);
  });

  test('more channels than fit in a menu are searched in a dialog, by keyboard', {
    tags: 'long',
  }, async () => {
    const name = anotherName('Found');
    channels[name] = (await server.call(addChannel, { body: { name } })).id;
    const insert = server.databases.main.prepare(
      'INSERT OR IGNORE INTO channels (user_id, name, name_folded, created_at) VALUES (1, ?, ?, 0)',
    );
    for (let count = 0; count < 120; count += 1) insert.run(`Many ${count}`, `many ${count}`);
    await page.goto(`${server.origin}/admin/qr-codes`);
    const menu = page.getByRole('button', { name: 'Actions for First code' });
    await menu.press('Enter');
    await page.getByRole('menuitem', { name: 'Add to channel' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Add to channel' });
    await dialog.getByRole('option').first().waitFor();
    await page.keyboard.type(name.toLowerCase());
    await expect.poll(() => dialog.getByRole('option').allInnerTexts()).toEqual([name]);
    await page.keyboard.press('Enter');
    await page.getByText(`Added to “${name}”`, { exact: true }).waitFor();
    expect(await itemsOf(name)).toEqual(['qr First code']);
    await expect.poll(() => menu.evaluate((element) => element === document.activeElement)).toBe(true);

    await tick('Second code').check();
    await button('Add to channel').click();
    await page.getByRole('menuitem', { name: 'Search channels' }).click();
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
    await expect.poll(() => itemsOf(name)).toEqual(['qr First code', 'qr Second code']);
  });

  test('nothing failed', () => expect(complaints).toEqual([]));
});
