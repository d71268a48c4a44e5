import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addLink, deleteLink, listLinks } from '../../server/contract/links.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { type AdminPage, openAdminPage, signInAt } from '../support/admin-page.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { linkFile, provideLinkFile } from '../support/link-file.ts';
import { findChromium } from '../support/provision.ts';
import { some } from '../support/trials.ts';

const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';

/** A first day with the pages of links: what is imported, followed, made, changed, found and taken away. */
describe.skipIf(!findChromium())('the links pages', () => {
  let server: TestApp;
  let browser: TestBrowser;
  let admin: AdminPage;
  let page: Page;

  beforeAll(async () => {
    server = await startApp({ ratelimit: 10_000 });
    browser = await openBrowser();
    // Under the policy of the pages themselves.
    admin = await openAdminPage(browser, server.origin, { bypassCSP: false });
    page = admin.page;
    await signInAt(page, server.origin, '/links');
    await page.getByText('No links yet').waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const row = (name: string) => admin.row(name);
  const firstRow = () => page.locator('tbody tr[data-index="0"]');

  async function goToLinks(): Promise<void> {
    // To the same address it is a reload, which keeps the place in the list.
    await page.goto(`${server.origin}/admin/icon.svg`);
    await page.goto(`${server.origin}/admin/links`);
    await firstRow().getByRole('link').first().waitFor();
  }

  /** Follows a short link as a visitor's phone does, and comes back with where it leads. */
  async function follow(shorturl: string): Promise<string | null> {
    const response = await fetch(shorturl, {
      redirect: 'manual',
      headers: { 'user-agent': phone, referer: 'https://news.example/today' },
    });
    return response.headers.get('location');
  }

  test('an export of another service is shown row by row before anything is created', async () => {
    await page.getByRole('link', { name: 'Import a file' }).click();
    await page.locator('input[type=file]').setInputFiles(provideLinkFile());
    const start = page.getByRole('button', { name: `Import ${linkFile.rows.toLocaleString('en')} links` });
    await start.waitFor();
    await page.getByText('Shlink export').waitFor();
    expect((await server.call(listLinks)).data.result).toBe(0);
    await start.click();
    await page.getByText(`${linkFile.rows.toLocaleString('en')} links were imported`).waitFor();
    expect((await server.call(listLinks)).data.result).toBe(linkFile.rows);
  });

  test('importing the same file again creates no duplicates', { tags: 'long' }, async () => {
    await page.getByRole('button', { name: 'Import another file' }).click();
    await page.locator('input[type=file]').setInputFiles(provideLinkFile());
    await page.getByText('All links in this file already exist.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Nothing to import' }).isDisabled()).toBe(true);
  });

  test('clicks on fifty links appear in the list without a reload', { tags: 'long' }, async () => {
    await goToLinks();
    await page.evaluate(() => Object.assign(window, { wasHereBefore: true }));
    const { data } = await server.call(listLinks, { query: { limit: 50 } });
    for (const link of data.urls) expect(await follow(link.shorturl)).toBe(link.longurl);
    await follow(data.urls[0]?.shorturl ?? '');
    await firstRow().getByRole('cell', { name: '2', exact: true }).waitFor();
    // The list scrolls by itself; rows come into being when they are in sight.
    const seen = new Set<string>();
    for (let index = 0; index < 50; index += 10) {
      await page.locator(`tbody tr[data-index="${index}"]`).scrollIntoViewIfNeeded();
      for (const link of data.urls.slice(index, index + 10)) {
        await page
          .getByRole('row')
          .filter({ has: page.getByText(link.alias, { exact: true }) })
          .getByRole('cell', { name: /^[12]$/ })
          .first()
          .waitFor();
        seen.add(link.alias);
      }
    }
    expect(seen.size).toBe(50);
    expect(await page.evaluate(() => 'wasHereBefore' in window)).toBe(true);
  });

  test('a pasted URL becomes a short link with Enter', async () => {
    await goToLinks();
    await page.getByLabel('Long URL to shorten').fill('example.com/a/long/way?x=1');
    await page.keyboard.press('Enter');
    await page.getByText('Short link created').first().waitFor();
    await firstRow().getByText('example.com/a/long/way?x=1').waitFor();
  });

  test('for a URL that has a short link, that one or another is offered', { tags: 'long' }, async () => {
    const field = page.getByLabel('Long URL to shorten');
    await field.fill('example.com/a/long/way?x=1');
    await page.keyboard.press('Enter');
    await page.getByText('You already have this link').waitFor();
    await page.getByRole('button', { name: 'Create another' }).click();
    await page.getByText('Short link created').first().waitFor();
    const found = await server.call(listLinks, { query: { q: '/a/long/way' } });
    expect(found.data.result).toBe(2);
    const newest = Math.max(...found.data.urls.map(({ id }) => id));
    await server.call(deleteLink, { params: { id: newest }, query: { force: '1' } });
    // The field is ready for the next address; letters are shortcuts outside of it.
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.keyboard.press('c');
    const form = page.getByRole('dialog');
    await form.getByLabel('Destination').first().fill('EXAMPLE.com:443/a/long/way?x=1');
    await page.keyboard.press('Control+Enter');
    await form.getByRole('button', { name: 'Open it' }).click();
    await form.waitFor({ state: 'hidden' });
    await page.waitForURL(/\/links\/\d+$/);
    await goToLinks();
  });

  test('a taken alias is reported at its field, and a free one is created', async () => {
    await server.call(addLink, { body: { url: 'https://example.com/taken', custom: 'taken' } });
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.keyboard.press('c');
    const form = page.getByRole('dialog');
    await form.getByLabel('Destination').first().fill('https://example.com/spring');
    await form.getByLabel('Short link').fill('taken');
    await page.keyboard.press('Control+Enter');
    await form.getByText('This alias is already taken. Choose another one.').waitFor();
    await form.getByLabel('Short link').fill('spring-26');
    await page.keyboard.press('Control+Enter');
    await form.waitFor({ state: 'hidden' });
    await firstRow().getByText('spring-26').waitFor();
    expect(await follow(`${server.origin}/spring-26`)).toBe('https://example.com/spring');
  });

  test('a draft survives closing its form', { tags: 'long' }, async () => {
    await page.keyboard.press('c');
    const form = page.getByRole('dialog');
    await form.getByLabel('Destination').first().fill('https://example.com/unsaved');
    await form.getByRole('button', { name: 'Cancel' }).click();
    await form.waitFor({ state: 'hidden' });
    await page.reload();
    await firstRow().getByRole('link').first().waitFor();
    await page.keyboard.press('c');
    await form.getByText('Restored your unsaved draft.').waitFor();
    await expect
      .poll(() => form.getByLabel('Destination').first().inputValue())
      .toBe('https://example.com/unsaved');
    await form.getByRole('button', { name: 'Discard' }).click();
    await form.getByRole('button', { name: 'Cancel' }).click();
    await form.waitFor({ state: 'hidden' });
  });

  test('the latest input is kept if the session had ended when it was saved', {
    tags: 'long',
  }, async () => {
    await goToLinks();
    await page.keyboard.press('c');
    const form = page.getByRole('dialog', { name: 'New link' });
    await form.getByRole('textbox', { name: 'Destination' }).fill('https://example.com/at-the-end');
    const token = await page.evaluate(() => localStorage.getItem('waypost:local:token'));
    const refusal = { status: 401, json: { error: 1, message: 'Sign in.', code: 'unauthorized' } };
    await page.route('**/api/url/add', (route) => route.fulfill(refusal));
    await page.keyboard.press('Control+Enter');
    await page.waitForURL(/\/sign-in/);
    await page.unroute('**/api/url/add');
    await page.evaluate((kept) => localStorage.setItem('waypost:local:token', kept ?? ''), token);
    await goToLinks();
    await page.keyboard.press('c');
    const destination = form.getByRole('textbox', { name: 'Destination' });
    await expect.poll(() => destination.inputValue()).toBe('https://example.com/at-the-end');
    await form.getByRole('button', { name: 'Discard' }).click();
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
  });

  test('the keyboard moves, edits, deletes and undoes', async () => {
    await goToLinks();
    await page.keyboard.press('j');
    await page.keyboard.press('e');
    const form = page.getByRole('dialog');
    await form.getByLabel('Title', { exact: true }).fill('Spring sale');
    await page.keyboard.press('Control+Enter');
    await firstRow().getByText('Spring sale').waitFor();

    await page.keyboard.press('Delete');
    await page.getByText('Link deleted.').first().waitFor();
    await row('Spring sale').waitFor({ state: 'detached' });
    expect((await fetch(`${server.origin}/spring-26`, { redirect: 'manual' })).status).toBe(404);
    await page.getByRole('button', { name: 'Undo' }).click();
    await row('Spring sale').waitFor();
    expect(await follow(`${server.origin}/spring-26`)).toBe('https://example.com/spring');
  });

  test('search finds aliases, titles and URLs, and says when there is nothing', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('spring sale');
    await page.getByRole('table').getByText('spring-26').waitFor();
    await expect.poll(() => page.locator('tbody tr[data-index]').count()).toBe(1);
    await page.keyboard.type(' of nothing');
    await page.getByText('No links found').waitFor();
    await page.getByRole('button', { name: 'Show all links' }).click();
    await firstRow().getByRole('link').first().waitFor();
  });

  test('by keyboard alone: from the search to the rows, into a link, and back to the same row', {
    tags: 'long',
  }, async () => {
    await goToLinks();
    await page.keyboard.press('End');
    const place = () =>
      page
        .locator('tbody tr[data-index]')
        .first()
        .evaluate((element) => ({
          row: document.activeElement?.getAttribute('data-index') ?? null,
          top: element.closest('table')?.parentElement?.scrollTop ?? 0,
        }));
    await page.keyboard.press('/');
    await page.keyboard.type('le');
    // The row is one of what was found, not of the list that stood there before.
    const found = (await server.call(listLinks, { query: { q: 'le' } })).data.result;
    await expect.poll(() => page.getByRole('table').getAttribute('aria-rowcount')).toBe(String(found + 1));
    await page.keyboard.press('ArrowDown');
    await expect.poll(async () => (await place()).row).toBe('0');
    for (let times = 0; times < 40; times++) await page.keyboard.press('ArrowDown');
    await expect.poll(async () => (await place()).row).toBe('40');
    const { top } = await place();
    expect(top).toBeGreaterThan(0);
    const name = await page.locator('tbody tr[data-index="40"]').getByRole('link').first().textContent();
    for (const back of some(['Escape', 'reload', 'arrow', 'browser'] as const, { from: 0, short: 2 })) {
      if (back === 'reload') {
        await page.reload();
      } else {
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: 'Recent visits' }).waitFor();
        if (back === 'Escape') await page.keyboard.press('Escape');
        else if (back === 'arrow') await page.getByRole('link', { name: 'Back', exact: true }).click();
        else await page.goBack();
      }
      const there = () => page.locator('tbody tr[data-index="40"]').getByRole('link').first().textContent();
      await expect.poll(there, { message: back }).toBe(name);
      await expect.poll(place, { message: back }).toEqual({ row: '40', top });
    }
    await page.keyboard.press('/');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('spring-26');
    // Before the list can have shown it.
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Recent visits' }).waitFor();
    await page.getByText('spring-26').first().waitFor();
    await goToLinks();
    expect((await place()).top).toBe(0);
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    await page.locator('tbody tr[data-index="1"]').waitFor();
    await page.keyboard.press('Escape');
  });

  test('many links are selected at once, and restored from the trash', async () => {
    await page.locator('tbody tr[data-index="1"]').getByRole('checkbox').click();
    await page
      .locator('tbody tr[data-index="4"]')
      .getByRole('checkbox')
      .click({ modifiers: ['Shift'] });
    await page.getByText('4 selected').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('4 links deleted.').first().waitFor();
    await page.goto(`${server.origin}/admin/links?status=trash`);
    await firstRow().getByRole('checkbox').waitFor();
    await page.getByRole('checkbox', { name: 'Select all links' }).click();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('The trash is empty').waitFor();
  });

  test('a planned day is set for many links at once, and undone', { tags: 'long' }, async () => {
    await goToLinks();
    await firstRow().getByRole('checkbox').click();
    await page.locator('tbody tr[data-index="1"]').getByRole('checkbox').click();
    await page.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Schedule archiving…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Archive 2 links later' });
    await dialog.getByRole('textbox').first().fill('2030-06-01 10:00');
    await page.keyboard.press('Tab');
    await dialog.getByRole('button', { name: 'Schedule' }).click();
    await page.getByText('Archiving scheduled for 2 links.').first().waitFor();
    const planned = async () =>
      (await server.call(listLinks)).data.urls.filter(({ archiveon }) => archiveon).length;
    expect(await planned()).toBe(2);
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await expect.poll(planned).toBe(0);
  });

  test('deleting everything asks for confirmation with the number', { tags: 'long' }, async () => {
    await goToLinks();
    const total = (await server.call(listLinks)).data.result;
    // The first rows come first, then all of them.
    const box = page.getByRole('checkbox', { name: 'Select all links' });
    await box.click();
    await page.getByText(`${Math.min(50, total)} selected`).waitFor();
    expect(await box.evaluate((field: HTMLInputElement) => field.indeterminate)).toBe(total > 50);
    if (total > 50) await box.click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText(`Delete ${total.toLocaleString('en')} links?`).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Clear selection' }).click();
    expect((await server.call(listLinks)).data.result).toBe(total);
  });

  test("a link's page shows visits as they arrive", async () => {
    await goToLinks();
    await row('Spring sale').getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Recent visits' }).waitFor();
    await follow(`${server.origin}/spring-26`);
    await page.getByText('Safari on iOS').first().waitFor();
    await page.getByText('from news.example').first().waitFor();
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Title' })
      .getByRole('button', { name: 'Undo' })
      .first()
      .click();
    await page.getByText('Change undone').first().waitFor();
  });

  test('no request went elsewhere, and no error went unseen', () => {
    expect(admin.elsewhere).toEqual([]);
    expect(admin.complaints).toEqual([]);
  });

  describe('in both themes', () => {
    test('the list is accessible, with and without selected rows', async () => {
      await goToLinks();
      await expectAccessible(page);
      await firstRow().getByRole('checkbox').click();
      await expectAccessible(page, { inBothThemes: true });
    });

    test('the form is accessible with every section open', { tags: 'long' }, async () => {
      await page.getByRole('button', { name: 'New link' }).click();
      const sections = page.locator('#link-form [data-state="closed"] > button');
      while ((await sections.count()) > 0) await sections.first().click();
      await expectAccessible(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    });

    test('the page of a link is accessible', { tags: 'long' }, async () => {
      await firstRow().getByRole('link').first().click();
      await page.getByRole('heading', { name: 'Countries' }).waitFor();
      await page.getByRole('img', { name: 'World map' }).waitFor();
      await expectAccessible(page);
    });

    test('the import is accessible, before and with a file', { tags: 'long' }, async () => {
      await page.goto(`${server.origin}/admin/import`);
      await page.getByText('Drop a CSV file here').waitFor();
      await expectAccessible(page);
      await page.locator('input[type=file]').setInputFiles(provideLinkFile());
      await page.getByText('All links in this file already exist.').waitFor();
      await expectAccessible(page);
    });
  });
});
