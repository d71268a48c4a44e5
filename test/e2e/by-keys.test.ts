import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { listCampaigns } from '../../server/contract/campaigns.ts';
import { addLink, listLinks } from '../../server/contract/links.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { type AdminPage, openAdminPage, signInAt } from '../support/admin-page.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { findChromium } from '../support/provision.ts';
import { addDomain } from '../support/second-account.ts';
import { times } from '../support/trials.ts';
import { visit } from '../support/visits.ts';

vi.setConfig({ testTimeout: 120_000 });

/** What is done every day, with the keyboard alone and few keys. */
describe.skipIf(!findChromium())('daily work by keyboard', () => {
  let server: TestApp;
  let browser: TestBrowser;
  let page: Page;
  let admin: AdminPage;
  let complaints: readonly string[];
  let keys = 0;

  beforeAll(async () => {
    server = await startApp({ ratelimit: 100_000, trustedProxies: ['127.0.0.1'] });
    browser = await openBrowser();
    admin = await openAdminPage(browser, server.origin);
    ({ page, complaints } = admin);
    await signInAt(page, server.origin, '/overview');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    expect(complaints).toEqual([]);
  });

  async function press(key: string, times = 1): Promise<void> {
    for (let count = 0; count < times; count += 1) await page.keyboard.press(key);
    keys += times;
  }
  async function type(text: string): Promise<void> {
    await page.keyboard.type(text);
    keys += text.length;
  }
  const focused = () =>
    page.evaluate(
      () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
    );

  /** The row that has the focus, or the text of whatever else has it. */
  const atRow = () => page.evaluate(() => document.activeElement?.closest('tr')?.textContent ?? '');

  test('a link is found among 10,000 and edited, and its row has the focus again', async () => {
    server.databases.main.exec(`
      WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 10000)
      INSERT INTO links (user_id, alias, url, created_at, updated_at, search)
      SELECT 1, 'many' || n, 'https://example.com/' || n, n, n, 'many' || n || ' example.com/' || n FROM numbers;
      INSERT OR IGNORE INTO aliases (domain_id, alias, kind, target_id) SELECT 0, alias, 'link', id FROM links`);
    await page.goto(`${server.origin}/admin/links`);
    await page.getByRole('row').filter({ hasText: 'many10000' }).waitFor();

    keys = 0;
    await press('/');
    await type('many7777');
    await press('ArrowDown');
    await expect.poll(atRow).toContain('many7777');
    await press('e');
    const form = page.getByRole('dialog', { name: 'Edit link' });
    await form.getByRole('textbox', { name: 'Destination' }).waitFor();
    await expect.poll(focused).not.toContain('many7777');
    await press('End');
    await type('/new');
    await press('Control+Enter');
    await form.waitFor({ state: 'hidden' });
    await expect.poll(atRow).toContain('many7777');
    expect(keys).toBeLessThan(20);
    await expect
      .poll(async () => (await server.call(listLinks, { query: { q: 'many7777' } })).data.urls[0]?.longurl)
      .toBe('https://example.com/7777/new');

    await press('Enter');
    await page.getByRole('heading', { name: 'Recent visits' }).waitFor();
    await page.goBack();
    await expect.poll(atRow).toContain('many7777');
  });

  test('fifty links are added to a new campaign and removed again', { tags: 'long' }, async () => {
    await page.goto(`${server.origin}/admin/links`);
    await page.getByRole('row').filter({ hasText: 'many10000' }).waitFor();
    const counted = async () => {
      const { data } = await server.call(listCampaigns);
      const id = data.campaigns[0]?.id;
      return id === undefined ? 0 : (await server.call(listLinks, { query: { campaign: id } })).data.result;
    };

    keys = 0;
    await press('a');
    await page.getByText('50 selected').waitFor();
    await press('m');
    await page.getByRole('menuitem', { name: 'New campaign…' }).waitFor();
    await expect.poll(focused).toContain('New campaign');
    await press('Enter');
    await page.getByRole('dialog', { name: 'New campaign' }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
    await type('Spring');
    await press('Control+Enter');
    await page.getByText('50 links moved to Spring.', { exact: true }).first().waitFor();
    expect(keys).toBeLessThan(12);
    expect(await counted()).toBe(50);
    await admin.undo('50 links moved to Spring.');
    await expect.poll(counted).toBe(0);
  });

  /** Goes on with the Tab key to the control of this name. */
  async function tabTo(name: string): Promise<void> {
    const named = () =>
      page.evaluate(() => {
        const at = document.activeElement;
        const label =
          at instanceof HTMLInputElement || at instanceof HTMLButtonElement ? at.labels?.[0] : undefined;
        return (at?.getAttribute('aria-label') ?? (label?.textContent || at?.textContent) ?? '').trim();
      });
    for (let tabs = 0; tabs < 30; tabs += 1) {
      await press('Tab');
      if ((await named()).startsWith(name)) return;
    }
    throw new Error(`The Tab key does not lead to ${name}.`);
  }

  test('a link with a rule is created, tested beforehand, and shown', { tags: 'long' }, async () => {
    await page.goto(`${server.origin}/admin/links`);
    await page.getByRole('row').filter({ hasText: 'many10000' }).waitFor();

    keys = 0;
    await press('c');
    const form = page.getByRole('dialog', { name: 'New link' });
    await form.getByRole('textbox', { name: 'Destination' }).waitFor();
    await type('https://example.com/ruled');
    await tabTo('Rules');
    await press('Enter');
    await tabTo('Add a rule');
    await press('Enter');
    await expect.poll(focused).toContain('Condition');
    await tabTo('Country');
    await press('Enter');
    await type('germany');
    await page.getByRole('option', { name: 'Germany' }).waitFor();
    await press('Enter');
    // Several countries can be chosen, so it stays open.
    await press('Escape');
    await page.getByRole('option').first().waitFor({ state: 'hidden' });
    await expect.poll(focused).toBe('Country · Germany');
    await tabTo('Goes to');
    await type('https://example.com/de');
    const destination = form.getByRole('textbox', { name: 'Goes to' });
    await expect.poll(() => destination.inputValue()).toBe('https://example.com/de');
    await tabTo('Test');
    await press('Enter');
    const trial = form.getByRole('region', { name: 'Test' });
    await trial.getByRole('link', { name: 'example.com/ruled' }).waitFor();
    await tabTo('Country');
    await press('Enter');
    await type('germany');
    await page.getByRole('option', { name: 'Germany' }).waitFor();
    await press('Enter');
    await trial.getByRole('link', { name: 'example.com/de' }).waitFor();
    await trial.getByText('This rule matches').waitFor();
    const links = async () => (await server.call(listLinks, { query: { q: 'ruled' } })).data.urls;
    expect(await links()).toEqual([]);
    await press('Control+Enter');
    await form.waitFor({ state: 'hidden' });
    await expect.poll(async () => (await links()).length).toBe(1);
    await press('/');
    await type('ruled');
    await page.getByRole('row').filter({ hasText: 'example.com/ruled' }).waitFor();
    await press('Enter');
    await page.getByRole('main').getByText('Germany').first().waitFor();
    expect(keys).toBeLessThan(130);

    const [{ alias = '' } = {}] = await links();
    const visited = (address: string) =>
      visit(server, `/${alias}`, { headers: { 'X-Forwarded-For': address } });
    expect((await visited('217.160.0.1')).location).toBe('https://example.com/de');
    expect((await visited('8.8.8.8')).location).toBe('https://example.com/ruled');
  });

  test('statistics are filtered by two dimensions and exported with few keystrokes', {
    tags: 'long',
  }, async () => {
    const { id } = await server.call(addLink, { body: { url: 'https://example.com/', custom: 'counted' } });
    const [berlin, google] = ['217.160.0.1', '8.8.8.8'].map((address) => ({ 'X-Forwarded-For': address }));
    await visit(server, '/counted', { headers: berlin ?? {} });
    await visit(server, '/counted', { headers: berlin ?? {}, agent: 'iphone' });
    await visit(server, '/counted', { headers: google ?? {}, agent: 'iphone' });
    await page.goto(`${server.origin}/admin/links/${id}`);
    await page.getByText('Clicks over time').waitFor();

    keys = 0;
    for (const text of ['germany', 'mobile']) {
      await press('f');
      await page.getByPlaceholder('Search values…').waitFor();
      await type(text);
      await page.getByRole('option').first().waitFor();
      await press('Enter');
    }
    await expect.poll(() => page.url()).toContain('country=DE&device=Mobile');
    await expectAccessible(page);
    const saved = page.waitForEvent('download');
    await press('d');
    await page.getByRole('menuitem', { name: 'Figures (CSV)' }).waitFor();
    await expect.poll(focused).toContain('Figures');
    await press('Enter');
    const download = await saved;
    expect(download.suggestedFilename()).toMatch(/\.csv$/);
    const table = await readFile(await download.path(), 'utf8');
    expect(table).toContain('"Filter","Country: Germany"');
    expect(table).toContain('"Filter","Device: Mobile"');
    expect(table).toMatch(/"Total",[^\r\n]*,1,1/);
    expect(keys).toBeLessThan(25);

    // The address alone brings it back, and what is taken off is gone.
    await page.reload();
    await page.getByRole('button', { name: 'Remove filter Device: Mobile' }).press('Enter');
    await expect.poll(() => page.url()).not.toContain('device=');
    await page.getByRole('button', { name: 'Remove filter Country: Germany' }).waitFor();
    await page.getByRole('button', { name: 'United States' }).press('Enter');
    await expect.poll(() => page.url()).toContain('country=DE&country=US');
  });

  test('typing right after closing something goes to the page, not to what is closing', async () => {
    await page.goto(`${server.origin}/admin/links`);
    await page.getByRole('row').filter({ hasText: 'many10000' }).waitFor();
    const search = page.getByRole('searchbox');
    for (const [open, field] of [
      ['Control+k', page.getByRole('dialog').getByRole('textbox')],
      ['c', page.getByRole('dialog').getByRole('textbox', { name: 'Destination' })],
    ] as const) {
      await press(open);
      await field.waitFor();
      await press('Escape');
      await press('/');
      await type('many42');
      await expect.poll(() => search.inputValue()).toBe('many42');
      await press('Escape', 2);
      await expect.poll(() => search.inputValue()).toBe('');
    }
  });

  /** Records of all kinds that the palette finds. */
  let areMade = false;
  async function makeRecords(): Promise<void> {
    const add = async (kind: string, body: object) => {
      const reply = await server.request('POST', `/api/${kind}/add`, { body });
      expect([kind, reply.body.error]).toEqual([kind, 0]);
    };
    await add('campaign', { name: 'Menu campaign' });
    await add('channel', { name: 'Menu channel' });
    await add('qr', { type: 'text', data: 'menu', name: 'Menu code' });
    await add('bio', { name: 'Menu page' });
    await add('overlay', { type: 'message', name: 'Menu overlay', content: { text: 'Hello' } });
    await add('splash', {
      name: 'Menu splash',
      title: 'Hello',
      message: 'Look',
      product: 'https://example.com/',
    });
    await add('pixel', { type: 'gtmpixel', name: 'Menu pixel', tag: 'GTM-ABC123' });
    addDomain(server, 'menu.example.com', 1);
    await server.request('POST', '/api/files/upload/menu.txt', {
      rawBody: 'content',
      headers: { 'content-type': 'application/octet-stream' },
    });
  }

  test('the palette does what the page of a record does', { tags: 'long' }, async () => {
    const { body } = await server.request('POST', '/api/campaign/add', {
      body: { name: 'Palette campaign' },
    });
    const campaign = body.id as number;
    const made = await server.request('POST', '/api/channel/add', { body: { name: 'Palette channel' } });
    const link = await server.call(addLink, { body: { url: 'https://example.com/p' } });
    const offered = async (path: string, heading: string) => {
      await page.goto(`${server.origin}/admin${path}`);
      await page.getByRole('main').getByText(heading).first().waitFor();
      await press('Control+k');
      await page.getByRole('dialog').getByRole('option').first().waitFor();
      return page.getByRole('dialog').getByRole('option').allTextContents();
    };
    const isListed = (names: string[]) => names.map((name) => expect.stringContaining(name));
    const ofChannel = await offered(`/channels/${made.body.id}`, 'Palette channel');
    expect(ofChannel).toEqual(expect.arrayContaining(isListed(['Add links', 'Edit', 'Delete'])));
    const ofCampaign = await offered(`/campaigns/${campaign}`, 'Palette campaign');
    expect(ofCampaign).toEqual(expect.arrayContaining(isListed(['Add links', 'Settings', 'Delete'])));
    const ofLink = await offered(`/links/${link.id}`, 'example.com/p');
    const wanted = ['Copy short link', 'Edit', 'Archive', 'Delete', 'Add to campaign…', 'Simulate'];
    expect(ofLink).toEqual(expect.arrayContaining(isListed(wanted)));

    keys = 0;
    await type('add to camp');
    await page.getByRole('option', { name: 'Add to campaign…' }).waitFor();
    await press('Enter');
    await page.getByRole('option', { name: 'Palette campaign' }).waitFor();
    await press('Enter');
    const stored = async () => (await server.request('GET', `/api/url/${link.id}`)).body.details;
    await expect.poll(async () => (await stored()).campaign).toBe(campaign);
    await press('Control+k');
    await page.getByRole('dialog').getByRole('option').first().waitFor();
    await type('archive');
    await page.getByRole('option', { name: 'Archive', exact: true }).waitFor();
    await press('Enter');
    const archived = async () =>
      (await server.call(listLinks, { query: { status: 'archived' } })).data.urls.map(({ id }) => id);
    await expect.poll(archived).toContain(link.id);
    expect(keys).toBeLessThan(30);
  });

  test('records of every kind are opened from the palette, recent ones without typing', {
    tags: 'long',
  }, async () => {
    if (!areMade) await makeRecords();
    areMade = true;
    await page.goto(`${server.origin}/admin/links`);
    await page.getByRole('row').filter({ hasText: 'many10000' }).waitFor();

    const kinds = {
      'Menu campaign': /\/campaigns\/\d+$/,
      'Menu channel': /\/channels\/\d+$/,
      'Menu code': /\/qr-codes\?q=/,
      'Menu page': /\/bio\/\d+/,
      'Menu overlay': /\/overlays\?q=/,
      'Menu splash': /\/splash\?q=/,
      'Menu pixel': /\/pixels\/\d+$/,
      'menu.example.com': /\/domains\/\d+$/,
      'menu.txt': /\/files\?q=/,
    };
    // Files are the last in any case.
    for (const [name, address] of Object.entries(kinds).slice(-times({ short: 4, long: 9 }))) {
      keys = 0;
      await press('Control+k');
      await page.getByRole('dialog').getByRole('textbox').waitFor();
      await type(name);
      const record = page.getByRole('group', { name: 'Records' }).getByRole('option', { name });
      await record.click();
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      await expect.poll(() => page.url()).toMatch(address);
      await page.getByRole('main').getByText(name).first().waitFor();
    }
    await page.goto(`${server.origin}/admin/links`);
    await page.getByRole('row').filter({ hasText: 'many10000' }).waitFor();
    await press('Control+k');
    await expect.poll(() => page.getByRole('option').first().textContent()).toContain('menu.txt');
    await press('Enter');
    await page.waitForURL(kinds['menu.txt']);
  });
});
