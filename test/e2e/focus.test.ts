import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addChannel } from '../../server/contract/channels.ts';
import { listLinks } from '../../server/contract/links.ts';
import { addQr } from '../../server/contract/qr.ts';
import { openAdminPage, signInAt } from '../support/admin-page.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { anotherName } from '../support/names.ts';
import { findChromium } from '../support/provision.ts';

/** Where the keyboard is after something was closed, chosen or sent. */
describe.skipIf(!findChromium())('the focus', () => {
  let server: TestApp;
  let browser: TestBrowser;
  let page: Page;

  beforeAll(async () => {
    server = await startApp({ ratelimit: 10_000 });
    for (const custom of ['first', 'second'])
      await server.request('POST', '/api/url/add', {
        body: { url: `https://example.com/${custom}`, custom },
      });
    await server.call(addQr, { body: { type: 'text', data: 'window', name: 'Window' } });
    browser = await openBrowser();
    ({ page } = await openAdminPage(browser, server.origin));
    await signInAt(page, server.origin, '/links');
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const form = () => page.getByRole('dialog', { name: 'New link' });
  async function openForm(): Promise<void> {
    await page.keyboard.press('c');
    await form().getByRole('textbox', { name: 'Destination' }).waitFor();
  }
  const focused = (selector: string) =>
    expect.poll(() => page.evaluate((wanted) => document.activeElement?.matches(wanted), selector));

  test('returns to where it was before a form, whether or not something was typed', async () => {
    await page.goto(`${server.origin}/admin/links`);
    const row = page.locator('tbody tr[data-index="1"]');
    await row.getByText('/first').first().waitFor();
    await row.focus();
    for (const typed of ['', 'https://example.com/draft']) {
      await openForm();
      await page.keyboard.type(typed);
      await page.keyboard.press('Escape');
      await form().waitFor({ state: 'hidden' });
      await focused('tr[data-index="1"]').toBe(true);
    }
    const button = page.getByRole('button', { name: 'New link' });
    await button.focus();
    await page.keyboard.press('Enter');
    await form().waitFor();
    await page.keyboard.press('Escape');
    await form().waitFor({ state: 'hidden' });
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test('stays on a select menu after a choice, which Enter closes and Ctrl+Enter submits', {
    tags: 'long',
  }, async () => {
    await page.goto(`${server.origin}/admin/links`);
    await page.locator('tbody tr[data-index="1"]').waitFor();
    await openForm();
    const name = anotherName('chosen');
    await form().getByRole('textbox', { name: 'Destination' }).fill(`https://example.com/${name}`);
    await form()
      .getByRole('button', { name: /^Rules/ })
      .click();
    await form().getByRole('button', { name: 'Add a rule' }).click();
    const condition = form().getByRole('combobox', { name: 'Condition' });
    await condition.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: 'Country' }).waitFor();
    await focused('[role="option"]').toBe(true);
    await page.keyboard.press('b');
    await focused('[role="option"]').toBe(true);
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent?.trim())).toBe('Browser');
    await page.keyboard.press('Enter');
    await expect.poll(() => condition.textContent()).toContain('Browser');
    await focused('[role="combobox"]').toBe(true);
    // Neither does this open the menu again, nor was it open.
    await page.keyboard.press('Control+Enter');
    await form().waitFor({ state: 'hidden' });
    await expect.poll(async () => (await server.call(listLinks, { query: { q: name } })).data.result).toBe(1);
  });

  test('moves to an invalid field, with a message of the app', async () => {
    await page.goto(`${server.origin}/admin/settings/users`);
    await page.getByRole('button', { name: 'Invite' }).first().press('Enter');
    const field = page.getByRole('dialog').getByLabel('Email');
    await field.waitFor();
    await page.keyboard.type('nobody');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    await focused('input[type="email"]').toBe(true);
    await expect.poll(() => field.getAttribute('aria-describedby').then(Boolean)).toBe(true);
    await page.keyboard.press('Escape');
  });

  test('is on the checkbox that started a selection once it is cleared', async () => {
    await page.goto(`${server.origin}/admin/qr-codes`);
    const box = page.getByRole('checkbox', { name: 'Select Window' });
    await box.press('Space');
    await page.getByRole('button', { name: 'Clear selection' }).press('Enter');
    await page.getByText('1 selected').waitFor({ state: 'hidden' });
    await expect
      .poll(() =>
        box.evaluate(
          (element) => element === document.activeElement || element.contains(document.activeElement),
        ),
      )
      .toBe(true);
  });

  test('is on the button of a menu while it exports, and after that', { tags: 'long' }, async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\/export\?/, async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(`${server.origin}/admin/links`);
    await page.locator('tbody tr[data-index="1"]').waitFor();
    const more = page
      .locator('header, [data-slot="root"]')
      .getByRole('button', { name: 'More options' })
      .first();
    await more.press('Enter');
    await page.getByRole('menuitem', { name: 'Export as CSV' }).press('Enter');
    await expect.poll(() => more.isDisabled()).toBe(true);
    // Enter twice is a common slip.
    await page.keyboard.press('Enter');
    release();
    await expect.poll(() => more.evaluate((element) => element === document.activeElement)).toBe(true);

    const { promise: later } = Promise.withResolvers<void>();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.route(/\/export\?/, () => later);
    await page.locator('tbody tr[data-index="1"]').press('Enter');
    const figures = page.getByRole('button', { name: 'Export', exact: true });
    await expect.poll(() => figures.isEnabled()).toBe(true);
    await figures.press('Enter');
    await page.getByRole('menuitem', { name: 'Clicks (CSV)' }).press('Enter');
    const cancel = page.getByRole('button', { name: 'Cancel export' });
    await expect.poll(() => cancel.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await expect.poll(() => figures.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('is on a channel that goes to another place because of its star', async () => {
    const [first, last] = [anotherName('A'), anotherName('Z')];
    for (const name of [first, last]) await server.call(addChannel, { body: { name } });
    await page.goto(`${server.origin}/admin/channels`);
    const isFocused = (control: Locator) =>
      expect.poll(() => control.evaluate((element) => element === document.activeElement)).toBe(true);
    const top = page.locator('article').first().getByRole('heading');
    const card = page.locator('article').filter({ hasText: last });
    const star = card.locator('button[aria-pressed]');
    await star.press('Enter');
    await expect.poll(() => top.textContent()).toContain(last);
    await isFocused(star);
    const menu = card.locator('button[aria-haspopup="menu"]');
    await menu.press('Enter');
    await page.getByRole('menuitem', { name: 'Remove star' }).press('Enter');
    await expect.poll(() => top.textContent()).not.toContain(last);
    await isFocused(menu);
  });
});
