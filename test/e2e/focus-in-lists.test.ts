import type { Page, Request } from 'playwright';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openAdminPage, signInAt } from '../support/admin-page.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { anotherName } from '../support/names.ts';
import { findChromium } from '../support/provision.ts';
import { addDomain } from '../support/second-account.ts';
import { some } from '../support/trials.ts';
import { upload } from '../support/uploads.ts';

vi.setConfig({ testTimeout: 180_000 });

interface List {
  readonly path: string;
  /** Adds a record that has a row there. */
  readonly add: (server: TestApp, name: string) => Promise<unknown>;
}

/** Adds a record of a kind by the interface. */
const record =
  (kind: string, fields: (name: string) => object): List['add'] =>
  async (server, name) => {
    const { body } = await server.request('POST', `/api/${kind}/add`, { body: fields(name) });
    expect(body).toMatchObject({ error: 0 });
    return body.id;
  };
const addLink = record('url', (custom) => ({ url: `https://example.com/${custom}`, custom }));

const lists: Readonly<Record<string, List>> = {
  links: { path: '/links', add: addLink },
  'links in the trash': {
    path: '/links?status=trash',
    add: async (server, name) => server.request('DELETE', `/api/url/${await addLink(server, name)}/delete`),
  },
  campaigns: { path: '/campaigns', add: record('campaign', (name) => ({ name })) },
  channels: { path: '/channels', add: record('channel', (name) => ({ name })) },
  'QR codes': { path: '/qr-codes', add: record('qr', (name) => ({ type: 'text', data: name, name })) },
  'bio pages': { path: '/bio', add: record('bio', (name) => ({ name })) },
  files: { path: '/files', add: (server, name) => upload(server, name, {}, `${name}.txt`) },
  domains: { path: '/domains', add: async (server, name) => addDomain(server, `${name}.example.com`, 1) },
  overlays: {
    path: '/overlays',
    add: record('overlay', (name) => ({ type: 'message', name, content: { text: 'Hello' } })),
  },
  'splash pages': {
    path: '/splash',
    add: record('splash', (name) => ({ name, title: 'Hello', message: 'Look' })),
  },
  pixels: {
    path: '/pixels',
    add: record('pixel', (name) => ({
      type: 'gtmpixel',
      name,
      tag: `GTM-${name.toUpperCase().replace(/\W/g, '')}`,
    })),
  },
  users: {
    path: '/settings/users',
    add: record('user', (name) => ({
      username: name.replace('-', ''),
      email: `${name}@example.com`,
      password: 'a long example',
    })),
  },
  webhooks: {
    path: '/settings/webhooks',
    add: record('webhook', (name) => ({ url: `https://hooks.example/${name}`, events: ['link.created'] })),
  },
};

/** Where the keyboard is after something was chosen in the menu of a row, or its row has gone. */
describe.skipIf(!findChromium())('the focus in a list', () => {
  let server: TestApp;
  let browser: TestBrowser;
  let page: Page;
  const underWay = new Set<Request>();

  beforeAll(async () => {
    server = await startApp({ ratelimit: 100_000 });
    browser = await openBrowser();
    const admin = await openAdminPage(browser, server.origin);
    ({ page } = admin);
    await admin.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    page.on('popup', (opened) => void opened.close());
    page.on('request', (request) => {
      // The live stream never ends.
      if (!request.url().includes('/api/events')) underWay.add(request);
    });
    page.on('requestfinished', (request) => underWay.delete(request));
    page.on('requestfailed', (request) => underWay.delete(request));
    await signInAt(page, server.origin, '/links');
    await page.getByRole('heading', { name: 'Links' }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const buttons = () => page.locator('main :is(tr, li, article) button[aria-haspopup="menu"]');
  const dialog = () => page.locator('[role="dialog"][data-state="open"]');
  const items = () => page.getByRole('menuitem');

  /** Waits until everything that was asked for has come and is shown. */
  async function settled(): Promise<void> {
    for (let rounds = 0; rounds < 2; rounds += 1) {
      await expect.poll(() => underWay.size, { timeout: 20_000 }).toBe(0);
      await page.evaluate(
        () => new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown))),
      );
    }
  }

  /** What has the focus: nothing, the page, a dialog, a row, or something else. */
  const place = () =>
    page.evaluate(() => {
      const at = document.activeElement;
      if (!at || at === document.body || at.getClientRects().length === 0) return 'nothing';
      if (at.closest('[role="dialog"]')) return 'dialog';
      if (document.querySelector('[role="dialog"][data-state="open"]')) return 'behind the dialog';
      if (at.closest('[role="menu"]')) return 'menu';
      if (at.closest('main :is(tr, li, article)')) return 'row';
      return at.id === 'content' ? 'page' : 'control';
    });

  async function openList({ path, add }: List, rows: number): Promise<void> {
    if (page.url() !== `${server.origin}/admin${path}`) await page.goto(`${server.origin}/admin${path}`);
    await settled();
    if ((await buttons().count()) >= rows) return;
    while ((await buttons().count()) < rows) {
      await add(server, anotherName('row'));
      await page.reload();
      await settled();
      await expect.poll(() => buttons().count()).toBeGreaterThan(0);
    }
  }

  /** Chooses an item in the menu of the second row, by keys alone. Returns the menu's button. */
  async function choose(name: string): Promise<string> {
    const button = buttons().nth(1);
    const label = (await button.getAttribute('aria-label')) ?? '';
    await button.focus();
    await page.keyboard.press('Enter');
    await items().first().waitFor();
    await expect.poll(place).toBe('menu');
    const focused = () =>
      page.evaluate(() =>
        (
          document.activeElement?.querySelector('[data-slot="itemLabel"]') ?? document.activeElement
        )?.textContent?.trim(),
      );
    for (let steps = 0; steps < 12 && (await focused()) !== name; steps += 1)
      await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe(name);
    await page.keyboard.press('Enter');
    return label;
  }

  /** Deletes something for good where the menu asks first. */
  async function confirm(): Promise<void> {
    const isAtDelete = () =>
      page.evaluate(() => /^(Delete|Remove)/.test(document.activeElement?.textContent?.trim() ?? ''));
    for (let steps = 0; steps < 8 && !(await isAtDelete()); steps += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'hidden' });
  }

  const kinds = some(Object.keys(lists), { from: 3, short: 1 });
  test.for(kinds)("is never lost after choosing from a row's menu: %s", async (kind) => {
    const list = lists[kind] as List;
    await openList(list, 3);
    await buttons().nth(1).focus();
    await page.keyboard.press('Enter');
    await items().first().waitFor();
    const names = await items().evaluateAll((all) =>
      all
        .filter((item) => !item.hasAttribute('data-disabled') && item.getAttribute('aria-haspopup') === null)
        .map((item) => (item.querySelector('[data-slot="itemLabel"]') ?? item).textContent?.trim() ?? ''),
    );
    await page.keyboard.press('Escape');
    await expect.poll(place).toBe('row');

    // A locked link cannot be deleted.
    names.sort((one, other) => Number(one === 'Lock') - Number(other === 'Lock'));
    for (const name of names) {
      await openList(list, 3);
      const label = await choose(name);
      await items().first().waitFor({ state: 'hidden' });
      await settled();
      const isElsewhere = page.url() !== `${server.origin}/admin${list.path}`;
      if (isElsewhere) {
        await expect.poll(place, { message: name }).toMatch(/page|control|row/);
        continue;
      }
      if ((await dialog().count()) > 0) {
        await expect.poll(place, { message: name }).toBe('dialog');
        await page.keyboard.press('Escape');
        await dialog().waitFor({ state: 'hidden' });
        await expect.poll(place, { message: `${name}, cancelled` }).toBe('row');
        const at = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
        await expect.poll(at, { message: `${name}, cancelled` }).toBe(label);
        if (!/^(Delete|Remove)/.test(name)) continue;
        await choose(name);
        await dialog().waitFor();
        await confirm();
        await settled();
      }
      if (/^(Delete|Remove)/.test(name))
        await page.getByRole('button', { name: label, exact: true }).waitFor({ state: 'detached' });
      await settled();
      await expect.poll(place, { message: name }).toBe('row');
    }
  });

  test('returns to the list after undo by keyboard', async () => {
    await openList(lists.campaigns as List, 3);
    const label = await choose('Delete');
    await page.getByRole('button', { name: label, exact: true }).waitFor({ state: 'detached' });
    const undo = page.getByRole('button', { name: 'Undo' }).last();
    await undo.waitFor();
    await page.keyboard.press('F8');
    const isThere = () => undo.evaluate((element) => element === document.activeElement);
    for (let steps = 0; steps < 6 && !(await isThere()); steps += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: label, exact: true }).waitFor();
    await undo.waitFor({ state: 'detached' });
    await expect.poll(place).toBe('row');
  });

  test('is on the page after leaving the search field, and after opening a page by keyboard', async () => {
    await openList(lists.campaigns as List, 3);
    await page.keyboard.press('/');
    await expect.poll(place).toBe('control');
    await page.keyboard.press('Escape');
    await expect.poll(place).toBe('page');
    await buttons().nth(1).focus();
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await page.waitForURL(/\/channels$/);
    await settled();
    await expect.poll(place).toBe('page');
  });
});
