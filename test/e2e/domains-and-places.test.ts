import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AdminPage, openAdminPage, signInAt } from '../support/admin-page.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { mmdb } from '../support/mmdb.ts';
import { findChromium } from '../support/provision.ts';
import { addDomain } from '../support/second-account.ts';
import { visit } from '../support/visits.ts';

const host = 'go.example.com';
const dayMs = 86_400_000;
const fingerprint = Array.from({ length: 32 }, () => 'A1').join(':');
const places = mmdb('Example-Region', [
  {
    range: '198.51.100.0/24',
    content: { country: { iso_code: 'US' }, subdivisions: [{ names: { en: 'California' } }] },
  },
]);

/** What an account and its instance set once for all links of a domain, and for what is told of visitors. */
describe.skipIf(!findChromium())('the settings of domains, locations and parameters', () => {
  let server: TestApp;
  let browser: TestBrowser;
  let admin: AdminPage;
  let page: Page;
  let domain: number;

  beforeAll(async () => {
    server = await startApp({ ratelimit: 10_000, trustedProxies: ['127.0.0.1'], geolocation: null });
    domain = addDomain(server, host, 1);
    // It works already, so editing it does not switch it off.
    server.databases.main.exec('UPDATE domains SET server_synced = 1');
    browser = await openBrowser();
    admin = await openAdminPage(browser, server.origin);
    page = admin.page;
    await signInAt(page, server.origin);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  let aliases = 0;
  /** Another one for each try. */
  const newAlias = (name: string) => {
    aliases += 1;
    return `${name}-${aliases}`;
  };
  const send = (method: string, path: string, body?: object) => server.request(method, path, { body });
  const branded = (path: string) => visit(server, path, { headers: { Host: host } });
  const card = (title: string) =>
    page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
  const save = () => page.getByRole('button', { name: 'Save', exact: true, disabled: false }).click();

  test('a domain allows aliases with slashes once enabled', { tags: 'long' }, async () => {
    await send('PUT', `/api/domain/${domain}/aliases`, { slashes: false });
    const alias = newAlias('docs/start');
    await page.goto(`${server.origin}/admin/domains/${domain}`);
    await page.getByRole('switch', { name: 'Allow slashes' }).click();
    await save();
    await page.getByText('Saved', { exact: true }).first().waitFor();
    await page.goto(`${server.origin}/admin/links`);
    await page.getByRole('button', { name: 'New link' }).first().click();
    const form = page.getByRole('dialog', { name: 'New link' });
    await form.getByRole('textbox', { name: 'Destination' }).fill('https://example.com/docs');
    await form.getByRole('combobox', { name: 'Domain of the short link' }).click();
    await page.getByRole('option', { name: host }).click();
    await form.getByPlaceholder('random').fill(alias);
    await page.keyboard.press('Control+Enter');
    await page.getByText(`${host}/${alias}`).first().waitFor();
    expect((await branded(`/${alias}`)).location).toBe('https://example.com/docs');
  });

  test('a domain sets where ended links lead and which apps open its links', { tags: 'long' }, async () => {
    const nothing = { apps: null, redirectexpired: null, redirectearly: null };
    await send('PUT', `/api/domain/${domain}/update`, nothing);
    await page.goto(`${server.origin}/admin/domains/${domain}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).first().click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Redirect expired links to').fill('https://example.com/over');
    await form.getByLabel('Redirect links that aren’t active yet to').fill('https://example.com/soon');
    await form.getByLabel('iPhone and iPad apps').fill('ABCDE12345.com.example.app /app/*');
    await form.getByLabel('Android apps').fill(`com.example.app ${fingerprint}`);
    await page.keyboard.press('Control+Enter');
    await form.waitFor({ state: 'hidden' });
    const custom = newAlias('early');
    const early = { url: 'https://example.com/', domain: host, custom, notbefore: '2090-01-01' };
    await send('POST', '/api/url/add', early);
    expect((await branded(`/${custom}`)).location).toBe('https://example.com/soon');
    const apple = JSON.parse((await branded('/.well-known/apple-app-site-association')).body);
    expect(apple.applinks.details).toEqual([
      { appIDs: ['ABCDE12345.com.example.app'], components: [{ '/': '/app/*' }] },
    ]);
    const [android] = JSON.parse((await branded('/.well-known/assetlinks.json')).body);
    expect(android.target).toMatchObject({
      package_name: 'com.example.app',
      sha256_cert_fingerprints: [fingerprint],
    });
  });

  test('an uploaded geolocation database provides regions for rules and statistics', {
    tags: 'long',
  }, async () => {
    await send('DELETE', '/api/places/delete');
    await page.goto(`${server.origin}/admin/settings/instance`);
    await page.getByText('Built in').waitFor();
    const file = { name: 'regions.mmdb', mimeType: 'application/octet-stream', buffer: places };
    await page.locator('input[type=file][accept=".mmdb"]').setInputFiles(file);
    await page.getByText('Countries and regions', { exact: true }).waitFor();
    const rules = [
      { conditions: [{ type: 'region', op: 'is', value: 'California' }], link: 'https://example.com/west' },
    ];
    const custom = newAlias('sale');
    const { id } = (await send('POST', '/api/url/add', { url: 'https://example.com/', custom, rules })).body;
    const headers = { 'X-Forwarded-For': '198.51.100.7' };
    expect((await visit(server, `/${custom}`, { headers })).location).toBe('https://example.com/west');
    await page.goto(`${server.origin}/admin/links/${id}`);
    const regions = card('Regions');
    await regions.getByText('California', { exact: true }).waitFor();
  });

  test('a query parameter is counted once it is configured', { tags: 'long' }, async () => {
    await send('PUT', '/api/parameters', { parameters: [] });
    await page.goto(`${server.origin}/admin/settings/privacy`);
    await page.getByLabel('Names').fill('ref, hall');
    await save();
    await page.getByText('Saved', { exact: true }).first().waitFor();
    const custom = newAlias('poster');
    const { id } = (await send('POST', '/api/url/add', { url: 'https://example.com/', custom })).body;
    await visit(server, `/${custom}?ref=station-north`);
    await page.goto(`${server.origin}/admin/links/${id}`);
    const parameters = card('Parameters');
    await parameters.getByText('station-north', { exact: true }).waitFor();
  });

  test('an A/B test ends on its day with the selected variant', { tags: 'long' }, async () => {
    const abtesting = [{ url: 'https://example.com/b', percentage: 100 }];
    const custom = newAlias('tested');
    const { id } = (await send('POST', '/api/url/add', { url: 'https://example.com/a', custom, abtesting }))
      .body;
    const tomorrow = new Date(server.clock.now() + dayMs).toISOString().slice(0, 16).replace('T', ' ');
    await page.goto(`${server.origin}/admin/links/${id}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Edit link' });
    await form.getByRole('button', { name: /^A\/B test/ }).click();
    await form.getByLabel('End the test').first().fill(tomorrow);
    await form.getByRole('button', { name: /^Save/ }).click();
    await page.getByText('Link saved').first().waitFor();
    expect((await visit(server, `/${custom}`)).location).toBe('https://example.com/b');
    server.clock.advance(2 * dayMs);
    expect((await visit(server, `/${custom}`)).location).toBe('https://example.com/a');
  });

  test('a visitor in another app is offered the phone’s browser', async () => {
    const custom = newAlias('in-app');
    const body = { url: 'https://example.com/landed', custom, deeplink: { auto: true } };
    await send('POST', '/api/url/add', body);
    const userAgent =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22G86 Instagram 390.0.0.28.85';
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, userAgent });
    const visitor = await context.newPage();
    await visitor.goto(`${server.origin}/${custom}`);
    const go = visitor.getByRole('link', { name: 'Open in browser' });
    expect(await go.getAttribute('href')).toBe('x-safari-https://example.com/landed');
    expect(await visitor.getByRole('link', { name: 'Continue here' }).getAttribute('href')).toBe(
      'https://example.com/landed',
    );
    await context.close();
  });

  test('nothing failed', () => {
    expect({ complaints: admin.complaints, elsewhere: admin.elsewhere }).toEqual({
      complaints: [],
      elsewhere: [],
    });
  });
});
