import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { signInAt } from '../support/admin-page.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { type DomainBench, startDomainBench, visitSecurely } from '../support/domain-bench.ts';
import { findChromium, providePebble } from '../support/provision.ts';

const hasAll = findChromium() !== undefined && (await providePebble());
const host = 'go.brand.test';

// Both themes are looked at by axe again and again, which takes its time.
vi.setConfig({ testTimeout: 150_000 });

/** A domain on its way from a name that leads elsewhere to a redirect over HTTPS, with a real authority. */
describe.skipIf(!hasAll)('branded domains', () => {
  let bench: DomainBench;
  let browser: TestBrowser;
  let page: Page;
  const elsewhere: string[] = [];

  beforeAll(async () => {
    bench = await startDomainBench();
    const { server } = bench;
    browser = await openBrowser();
    const context = await browser.newContext({ bypassCSP: true, reducedMotion: 'reduce' });
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.origin });
    context.on('request', (request) => {
      const isOwn = request.url().startsWith(server.origin) || /^(data|blob):/.test(request.url());
      if (!isOwn) elsewhere.push(request.url());
    });
    page = await context.newPage();
    page.setDefaultTimeout(30_000);
    await signInAt(page, server.origin, '/domains');
  });
  afterAll(async () => {
    await browser?.close();
    await bench?.close();
  });

  const step = (title: string) => page.getByRole('listitem').filter({ hasText: title });
  const add = () => page.getByRole('dialog', { name: 'Add a domain' });

  test('the empty page explains domains, and its button adds one', async () => {
    await page.getByText('Short links under your own name').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add domain' }).last().click();
    await add().waitFor();
  });

  test('a name that leads elsewhere is shown with the record to create, and is not added', async () => {
    await bench.pebble.point(host, '127.0.0.9');
    await add().getByLabel('Hostname').fill(host);
    await add().getByText(`${host} resolves to 127.0.0.9, which isn’t this server.`).waitFor();
    const record = add().getByRole('row').filter({ hasText: '127.0.0.1' });
    await expect
      .poll(() => record.getByRole('cell').allTextContents())
      .toEqual(['A', expect.stringContaining('go'), expect.stringContaining('127.0.0.1')]);
    await record.getByRole('button', { name: 'Copy the value of the A record' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('127.0.0.1');
    await expectAccessible(page);
    await add().getByRole('button', { name: 'Add domain' }).click();
    // The refusal stands beside the field, as well as above the record.
    await add().getByText('which is not this server. Change its DNS record and try again.').waitFor();
    await add().getByText('which isn’t this server.').waitFor();
  });

  test('an invalid or taken name is rejected while typing', async () => {
    await add().getByLabel('Hostname').fill('10.0.0.12');
    await add().getByText('Enter a hostname, not an IP address.').waitFor();
  });

  test('once the name leads here it is added, and its page shows the three steps', async () => {
    await bench.pebble.point(host, '127.0.0.1');
    await add().getByLabel('Hostname').fill(host);
    await add().getByText(`${host} resolves to this server (127.0.0.1).`).waitFor();
    await add().getByRole('button', { name: 'Add domain' }).click();
    await page.waitForURL(/\/admin\/domains\/\d+$/);
    await step('DNS points here').getByText('Points here', { exact: true }).waitFor();
    await step('Short links work').getByText('Starting soon').waitFor();
    await step('HTTPS with a certificate').getByText('Pending').waitFor();
    await expectAccessible(page);
  });

  test('a check immediately shows that it leads elsewhere, and that it leads here again', async () => {
    await bench.pebble.point(host, '127.0.0.9');
    await page.getByRole('button', { name: 'Check now' }).click();
    await step('DNS points here').getByText('Points elsewhere').waitFor();
    await page.getByRole('cell', { name: '127.0.0.1' }).waitFor();
    await bench.pebble.point(host, '127.0.0.1');
    await page.getByRole('button', { name: 'Check now' }).click();
    await step('DNS points here').getByText('Points here', { exact: true }).waitFor();
    await page.getByText('DNS check failed').waitFor();
  });

  test('the job activates it and obtains its certificate', async () => {
    await page.getByRole('button', { name: 'Run now' }).click();
    await step('Short links work').getByText('Working').waitFor();
    await step('HTTPS with a certificate').getByText('Valid', { exact: true }).waitFor();
    await page.getByText('Certificate issued').waitFor();
  });

  test('a link is created on it in the form, and followed over HTTPS', async () => {
    await page.goto(`${bench.server.origin}/admin/links`);
    await page.getByRole('button', { name: 'New link' }).first().click();
    const form = page.getByRole('dialog').filter({ hasText: 'Destination' });
    await form.getByRole('textbox', { name: 'Destination' }).fill('https://example.com/landed');
    await form.getByRole('combobox', { name: 'Domain of the short link' }).click();
    await page.getByRole('option', { name: host }).click();
    await form.getByPlaceholder('random').fill('spring');
    await page.keyboard.press('Control+Enter');
    await page.getByText(`${host}/spring`).first().waitFor();
    const root = await bench.pebble.issuingRoot();
    const { head, certificate } = await visitSecurely(bench.server.httpsPort, host, '/spring', root);
    expect(head).toContain('302 Found');
    expect(head).toContain('Location: https://example.com/landed\r\n');
    expect(certificate.subjectaltname).toBe(`DNS:${host}`);
  });

  test('its links are found by a filter', { tags: 'long' }, async () => {
    await bench.server.request('POST', '/api/url/add', {
      body: { url: 'https://example.com/other', custom: 'other' },
    });
    await page.goto(`${bench.server.origin}/admin/domains`);
    const row = page.getByRole('row').filter({ hasText: host });
    await row.getByRole('cell', { name: '1', exact: true }).waitFor();
    await row.getByRole('button', { name: `Actions for ${host}` }).click();
    await page.getByRole('menuitem', { name: 'Show links' }).click();
    await page.getByText(`${host}/spring`).first().waitFor();
    expect(await page.getByText('/other').count()).toBe(0);
    await page
      .getByRole('button', { name: `Domain: ${host}` })
      .first()
      .waitFor();
  });

  test('its root is set, and it is disabled and enabled', { tags: 'long' }, async () => {
    await page.goto(`${bench.server.origin}/admin/domains`);
    await page.getByRole('link', { name: host }).click();
    await page.getByRole('button', { name: 'Edit' }).first().click();
    const form = page.getByRole('dialog', { name: 'Edit domain' });
    // The keyboard begins at the first choice of the form, not at its first text.
    await expect
      .poll(() => form.getByRole('radio', { checked: true }).evaluate((at) => at === document.activeElement))
      .toBe(true);
    await form.getByRole('radio', { name: 'A URL' }).click();
    await form.getByLabel('Redirect visitors to').fill('https://example.com/home');
    await form.getByLabel('Redirect expired links to').fill('https://example.com/over');
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'https://example.com/home' }).waitFor();
    const root = await bench.pebble.issuingRoot();
    const bare = await visitSecurely(bench.server.httpsPort, host, '/', root);
    expect(bare.head).toContain('Location: https://example.com/home\r\n');
    await page.getByRole('link', { name: 'https://example.com/over' }).waitFor();
    const ended = { url: 'https://example.com/', custom: 'ended', domain: host, expiry: '2020-01-01' };
    const { body: made } = await bench.server.request('POST', '/api/url/add', { body: ended });
    const over = await visitSecurely(bench.server.httpsPort, host, '/ended', root);
    expect(over.head).toContain('Location: https://example.com/over\r\n');
    await bench.server.request('DELETE', `/api/url/${made.id}/delete?force=1`);

    await page.getByRole('button', { name: `Actions for ${host}` }).click();
    await page.getByRole('menuitem', { name: 'QR code' }).click();
    await page.getByRole('img', { name: `QR code of ${host}` }).waitFor();
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: `Actions for ${host}` }).click();
    await page.getByRole('menuitem', { name: 'Turn off' }).click();
    await page.getByText('This domain is off').waitFor();
    const off = await visitSecurely(bench.server.httpsPort, host, '/spring', root);
    expect(off.head).toContain(' 404 ');
    await page
      .getByRole('alert')
      .or(page.locator('main'))
      .getByRole('button', { name: 'Turn on' })
      .first()
      .click();
    await page.getByText('This domain is off').waitFor({ state: 'hidden' });
  });

  test("deleting it says what is on it, and moves that to the instance's address", async () => {
    await page.goto(`${bench.server.origin}/admin/domains`);
    await page.getByRole('link', { name: host }).click();
    await page.getByRole('button', { name: `Actions for ${host}` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByText('Used by 1 link.').waitFor();
    await page.getByRole('button', { name: 'Delete domain' }).click();
    await page.getByText('Short links under your own name').waitFor();
    const { body } = await bench.server.request('GET', '/api/urls?q=spring');
    expect(body.data.urls[0].shorturl).toBe(`${bench.server.origin}/spring`);
  });

  test('no request left the instance', () => {
    expect(elsewhere).toEqual([]);
  });
});
