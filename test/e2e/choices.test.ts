import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { type AdminPage, openAdminPage, signInAt } from '../support/admin-page.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { findChromium } from '../support/provision.ts';
import { visit } from '../support/visits.ts';

/** What an account chooses once, and then finds in each new link and visit. */
describe.skipIf(!findChromium())('account preferences', () => {
  let server: TestApp;
  let browser: TestBrowser;
  let admin: AdminPage;
  let page: Page;

  beforeAll(async () => {
    server = await startApp({ ratelimit: 10_000 });
    browser = await openBrowser();
    admin = await openAdminPage(browser, server.origin);
    page = admin.page;
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  /** Makes a link by the form and returns its alias. */
  async function create(fill: (form: ReturnType<Page['getByRole']>) => Promise<void>): Promise<string> {
    const before = (await server.request('GET', '/api/urls')).body.data.result;
    await page.goto(`${server.origin}/admin/links`);
    await page.getByRole('button', { name: 'New link' }).first().click();
    const form = page.getByRole('dialog', { name: 'New link' });
    await fill(form);
    await page.keyboard.press('Control+Enter');
    await form.waitFor({ state: 'hidden' });
    const { data } = (await server.request('GET', '/api/urls')).body;
    expect(data.result).toBe(before + 1);
    return data.urls[0].alias;
  }

  test('links without an alias get words with a prefix', { tags: 'long' }, async () => {
    await signInAt(page, server.origin, '/settings/preferences');
    await page.getByLabel('Style').click();
    await page.getByRole('option', { name: /^Words/ }).click();
    await page.getByLabel('Prefix').fill('go-');
    await page.getByRole('button', { name: 'Save', disabled: false }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.reload();
    await expect.poll(() => page.getByLabel('Prefix').inputValue()).toBe('go-');
    const alias = await create((form) =>
      form.getByLabel('Destination').first().fill('https://example.com/a'),
    );
    expect(alias).toMatch(/^go-[a-z]+-[a-z]+/);
    expect((await visit(server, `/${alias}`)).location).toBe('https://example.com/a');
  });

  test('an alias is suggested from the destination, and works', { tags: 'long' }, async () => {
    const alias = await create(async (form) => {
      await form.getByLabel('Destination').first().fill('https://example.com/blog/autumn-harvest-festival');
      await form.getByRole('button', { name: 'Suggest' }).click();
      await form
        .getByRole('button', { name: /autumn/ })
        .first()
        .click();
      await expect.poll(() => form.getByLabel('Short link').inputValue()).toContain('autumn');
    });
    expect((await visit(server, `/${alias}`)).location).toContain('autumn-harvest-festival');
  });

  test('a saved UTM template is available for the next link', { tags: 'long' }, async () => {
    await create(async (form) => {
      await form.getByLabel('Destination').first().fill('https://example.com/b');
      await form.getByRole('button', { name: 'UTM builder' }).click();
      await form.getByLabel('Source').fill('newsletter');
      await form.getByLabel('Template name').fill('Weekly letter');
      await form.getByRole('button', { name: 'Save as template' }).click();
      await form.getByRole('button', { name: 'Weekly letter', exact: true }).waitFor();
    });
    const alias = await create(async (form) => {
      await form.getByLabel('Destination').first().fill('https://example.com/c?x=1');
      await form.getByRole('button', { name: 'UTM builder' }).click();
      await form.getByRole('button', { name: 'Weekly letter', exact: true }).click();
      await expectAccessible(page);
    });
    expect((await visit(server, `/${alias}`)).location).toBe(
      'https://example.com/c?x=1&utm_source=newsletter',
    );
  });

  test('referrers that are turned off are not shown anywhere, and the statistics say so', {
    tags: 'long',
  }, async () => {
    const { id, alias } = (await server.request('GET', '/api/urls')).body.data.urls[0];
    const headers = { Referer: 'https://news.example/article' };
    await visit(server, `/${alias}`, { headers });
    await page.goto(`${server.origin}/admin/settings/privacy`);
    await page.getByRole('switch', { name: 'Don’t keep referrers' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await expectAccessible(page);
    await page.reload();
    await expect
      .poll(() => page.getByRole('switch', { name: 'Don’t keep referrers' }).isChecked())
      .toBe(true);
    await visit(server, `/${alias}`, { headers });
    const clicks = async () => (await server.request('GET', `/api/url/${id}/clicks`)).body.data.clicks;
    await expect.poll(async () => (await clicks()).length).toBe(3);
    const [last, first] = await clicks();
    expect([last.referrer, first.referrer]).toEqual(['', 'news.example/article']);
    await page.goto(`${server.origin}/admin/links/${id}`);
    await page.getByText('Not kept of new visits: referrers').waitFor();
  });

  test('visits of signed-in users are excluded on request, until they sign out', {
    tags: 'long',
  }, async () => {
    const { id, alias } = (await server.request('GET', '/api/urls')).body.data.urls[0];
    const clicks = async () => (await server.request('GET', `/api/url/${id}/clicks`)).body.data.result;
    const before = await clicks();
    const cookies = async () => {
      const kept = await page.context().cookies(server.origin);
      return kept.map(({ name, value }) => `${name}=${value}`).join('; ');
    };
    await server.request('PUT', '/api/privacy', { body: { noSignedIn: false } });
    await signInAt(page, server.origin, '/settings/privacy');
    await page.getByRole('switch', { name: 'Don’t count people who are signed in' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    const headers = { Cookie: await cookies() };
    expect((await visit(server, `/${alias}`, { headers })).status).toBe(302);
    await page.goto(`${server.origin}/admin/links/${id}`);
    await page.getByText('visits of people who are signed in').waitFor();
    await page.getByRole('button', { name: /^Account:/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(/sign-in/);
    await expect.poll(cookies).not.toContain('waypost_signed_in');
    await visit(server, `/${alias}`, { headers: { Cookie: await cookies() } });
    // The one that was left out came first: it would be here by now.
    await expect.poll(clicks).toBe(before + 1);
  });

  test('nothing failed', () => {
    expect({ complaints: admin.complaints, elsewhere: admin.elsewhere }).toEqual({
      complaints: [],
      elsewhere: [],
    });
  });
});

describe.skipIf(!findChromium())('thousands of channels', () => {
  test('are rendered only where visible, and found by name', { tags: 'long' }, async () => {
    const server = await startApp({ ratelimit: 10_000 });
    const browser = await openBrowser();
    try {
      const add = server.databases.main.prepare(
        'INSERT INTO channels (user_id, name, name_folded, created_at) VALUES (1, @name, @name, 0)',
      );
      for (let index = 0; index < 3_000; index += 1)
        add.run({ name: `group${index % 60}/part${Math.floor(index / 60)}` });
      const last = (await server.request('GET', '/api/channels?q=group59/part49')).body.data.channels[0].id;
      const body = { url: 'https://example.com/', custom: 'in-the-last', channel: last };
      expect((await server.request('POST', '/api/url/add', { body })).status).toBe(200);
      const { page, row } = await openAdminPage(browser, server.origin);
      await signInAt(page, server.origin, '/links');
      await page
        .getByRole('combobox', { name: 'Channel' })
        .or(page.getByRole('button', { name: 'Channel', exact: true }))
        .first()
        .click();
      await page.getByRole('option').first().waitFor();
      await expect.poll(() => page.getByRole('option').count()).toBeLessThan(100);
      await page.getByPlaceholder('Search…', { exact: true }).fill('group59/part49');
      await page.getByRole('option', { name: 'group59/part49' }).click();
      await row('in-the-last').waitFor();
    } finally {
      await browser.close();
      await server.close();
    }
  });
});
