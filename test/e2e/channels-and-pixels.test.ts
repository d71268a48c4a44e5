import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { getChannel, listChannels } from '../../server/contract/channels.ts';
import { addLink, getLink } from '../../server/contract/links.ts';
import { listPixels } from '../../server/contract/pixels.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { type AdminPage, openAdminPage, signInAt } from '../support/admin-page.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { findChromium } from '../support/provision.ts';

// Both themes are looked at by axe again and again, which takes its time.
vi.setConfig({ testTimeout: 150_000 });

/** The board of channels and the pages of pixels: made, put on links, looked at, changed, deleted and brought back. */
describe.skipIf(!findChromium())('the pages of channels and pixels', () => {
  let server: TestApp;
  let browser: TestBrowser;
  let admin: AdminPage;
  let page: Page;
  const links: number[] = [];

  beforeAll(async () => {
    server = await startApp({ ratelimit: 10_000 });
    for (const title of ['First', 'Second', 'Third']) {
      const body = { url: `https://example.com/${title}`, title, custom: title.toLowerCase() };
      links.push((await server.call(addLink, { body })).id);
    }
    browser = await openBrowser();
    admin = await openAdminPage(browser, server.origin);
    page = admin.page;
    await signInAt(page, server.origin, '/channels');
    await page.getByText('Organize by channel').waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const row = (name: string) => admin.row(name);
  const card = (name: string) => page.getByRole('article').filter({ hasText: name });
  const channels = async () => (await server.call(listChannels, { query: { items: 5 } })).data.channels;
  const pixels = async () => (await server.call(listPixels, { query: { figures: '1' } })).data.pixels;

  test('channels are created with a color, and starred ones come first', async () => {
    for (const [name, color] of [
      ['Mail', 'Amber'],
      ['Print', 'Blue'],
    ] as const) {
      await page.getByRole('button', { name: 'New channel' }).first().click();
      await page.getByLabel('Name').fill(name);
      await page.getByRole('radio', { name: color }).check();
      if (name === 'Mail') await expectAccessible(page);
      await page.getByRole('button', { name: 'Create channel' }).click();
      await card(name).waitFor();
    }
    await page.getByRole('button', { name: 'Star Print' }).click();
    await expect
      .poll(() => page.getByRole('article').getByRole('heading').allInnerTexts())
      .toEqual(['Print', 'Mail']);
    expect(await channels()).toMatchObject([
      { name: 'Mail', color: '#D97706', starred: false },
      { name: 'Print', color: '#2563EB', starred: true },
    ]);
    await page.getByRole('button', { name: 'Starred', exact: true }).click();
    await card('Mail').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Starred', exact: true }).click();
  });

  test('several links of the list are added to a channel at once, and removed again', async () => {
    await page.goto(`${server.origin}/admin/links`);
    for (const name of ['first', 'second']) await row(`/${name}`).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Channel', exact: true }).last().click();
    await page.getByRole('menuitem', { name: 'Add a channel' }).hover();
    await page.getByRole('menuitem', { name: 'Mail' }).click();
    await page.getByText('Channel added to 2 links.', { exact: true }).waitFor();
    await page.goto(`${server.origin}/admin/channels`);
    await card('Mail').getByText('2 links').waitFor();
    await card('Mail').getByText('Second', { exact: true }).waitFor();
    await expectAccessible(page);
  });

  test('channels can be shown as a table, with the same menu, and stay that way', {
    tags: 'long',
  }, async () => {
    await page.getByRole('button', { name: 'Table', exact: true }).click();
    await expect.poll(() => row('Mail').getByRole('cell').allInnerTexts()).toContain('2');
    await expectAccessible(page);
    await page.reload();
    await row('Mail').getByRole('button', { name: 'Actions for Mail' }).click();
    await page.getByRole('menuitem', { name: 'Star', exact: true }).click();
    await row('Mail').getByRole('img', { name: 'Starred' }).waitFor();
    await row('Mail').getByRole('button', { name: 'Actions for Mail' }).click();
    await page.getByRole('menuitem', { name: 'Remove star' }).click();
    await row('Mail').getByRole('img', { name: 'Starred' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Cards', exact: true }).click();
    await card('Mail').waitFor();
  });

  test("a channel's page shows its items; a removed item can be restored", async () => {
    await card('Mail').getByRole('link', { name: 'Mail', exact: true }).click();
    await row('Second').waitFor();
    await page.getByRole('button', { name: 'Add links' }).click();
    await page
      .getByRole('dialog')
      .getByRole('checkbox', { name: /\/third$/ })
      .check();
    await page.getByRole('button', { name: 'Add link', exact: true }).click();
    await row('Third').waitFor();
    await page.getByRole('checkbox', { name: 'Select everything on this page' }).check();
    await page.getByText('3 selected').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Remove', exact: true }).first().click();
    await page.getByText('No items in this channel yet').waitFor();
    await admin.undo('3 removed from');
    await row('First').waitFor();
    const [mail] = await channels();
    const { data } = await server.call(getChannel, { params: { id: mail?.id ?? 0 } });
    expect(data.items.map(({ title }) => title)).toEqual(['Third', 'Second', 'First']);
  });

  test('a deleted channel is restored with its items', { tags: 'long' }, async () => {
    await page.getByRole('button', { name: 'Actions for Mail' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await card('Print').waitFor();
    await expect.poll(async () => (await channels()).map(({ name }) => name)).toEqual(['Print']);
    await admin.undo('“Mail” deleted');
    await card('Mail').getByText('3 links').waitFor();
  });

  test('a pixel is created from the code of its service', async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await page.getByText('Retarget your visitors').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'New pixel' }).first().click();
    await page.getByLabel('Tag').fill('not an id');
    await page.getByLabel('Name').fill('Shop');
    await page.getByRole('button', { name: 'Create pixel' }).click();
    await page.getByText('Enter only the ID, such as G-ABCDEF1234.').waitFor();
    await page.getByLabel('Tag').fill('');
    await page.getByLabel('Tag').evaluate((field) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', "<script>fbq('init', '123456789012345');</script>");
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    });
    await page.getByText('Extracted from the code you pasted.').waitFor();
    await page.getByText('Events Manager, then Data sources').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create pixel' }).click();
    await page.getByText('https://www.facebook.com/tr?id=123456789012345&ev=PageView&noscript=1').waitFor();
    expect(await pixels()).toMatchObject([
      { type: 'fbpixel', name: 'Shop', tag: '123456789012345', links: 0 },
    ]);
  });

  test('it is added in the link form, and the link says what fires', async () => {
    await page.goto(`${server.origin}/admin/links/${links[0]}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const form = page.locator('#link-form');
    await form.getByRole('button', { name: 'Pixels' }).click();
    await form.getByLabel('Choose pixels').click();
    await page.getByRole('option', { name: 'Shop' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Save', exact: false }).last().click();
    const shown = page.getByRole('button', { name: 'Show what Shop loads' });
    await shown.waitFor();
    await shown.click();
    await page.getByText('https://www.facebook.com/tr?id=123456789012345').waitFor();
    await page.getByText(/^Sandboxed: the picture/).waitFor();
    expect((await server.call(getLink, { params: { id: links[0] as number } })).details.pixels).toHaveLength(
      1,
    );
    // What is said is what a visitor's page does.
    const visit = await (await fetch(`${server.origin}/first`)).text();
    expect(visit).toContain('https://www.facebook.com/tr?id=123456789012345&amp;ev=PageView&amp;noscript=1');
  });

  test('the page of a pixel lists its links, and the list counts them', { tags: 'long' }, async () => {
    await page.goto(`${server.origin}/admin/pixels`);
    await row('Shop').getByRole('cell', { name: '1', exact: true }).waitFor();
    await expectAccessible(page);
    await row('Shop').getByRole('link', { name: 'Shop' }).click();
    await page.getByText('Sandboxed', { exact: true }).waitFor();
    await page.getByRole('link', { name: /\/first$/ }).waitFor();
    await expectAccessible(page);
  });

  test('a pixel is edited, deleted and restored on its links', { tags: 'long' }, async () => {
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Name').fill('Shop, all visitors');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Pixel saved', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Actions for Shop, all visitors' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByText('Retarget your visitors').waitFor();
    await expect
      .poll(async () => (await server.call(getLink, { params: { id: links[0] as number } })).details.pixels)
      .toEqual([]);
    await admin.undo('all visitors” deleted');
    await row('Shop, all visitors').waitFor();
    expect(await pixels()).toMatchObject([{ name: 'Shop, all visitors', links: 1 }]);
  });

  test('no request went elsewhere, and nothing failed', () => {
    expect([admin.elsewhere, admin.complaints]).toEqual([[], []]);
  });
});
