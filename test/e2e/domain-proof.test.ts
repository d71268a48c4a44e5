import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { type AdminPage, openAdminPage, signInAt } from '../support/admin-page.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { type Cdn, cdnAddress, startCdn } from '../support/cdn.ts';
import { visit } from '../support/domain-bench.ts';
import { type NameServer, startNameServer } from '../support/name-server.ts';
import { findChromium } from '../support/provision.ts';

const host = 'go.brand.test';

// Both themes are looked at by axe again and again, which takes its time.
vi.setConfig({ testTimeout: 150_000 });

/** A domain behind Cloudflare on its way from the form to a redirect, by a record in its zone. */
describe.skipIf(findChromium() === undefined)('domain ownership', () => {
  let names: NameServer;
  let cdn: Cdn;
  let server: TestApp;
  let browser: TestBrowser;
  let admin: AdminPage;

  beforeAll(async () => {
    names = await startNameServer();
    names.hosts.set('brand.test', { zone: true });
    names.hosts.set(host, { A: [cdnAddress] });
    cdn = startCdn();
    server = await startApp({
      fetcher: cdn.fetcher,
      settings: { publicAddresses: ['192.0.2.1'], dnsServers: [names.address] },
    });
    browser = await openBrowser();
    admin = await openAdminPage(browser, server.origin);
    await admin.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.origin });
    await signInAt(admin.page, server.origin, '/domains');
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await names?.close();
  });

  const step = (title: string) => admin.page.getByRole('listitem').filter({ hasText: title });
  const copied = () => admin.page.evaluate(() => navigator.clipboard.readText());

  test('the form shows the record for a host behind Cloudflare, and adds the host before the record exists', async () => {
    const { page } = admin;
    await page.getByRole('button', { name: 'Add domain' }).last().click();
    const form = page.getByRole('dialog', { name: 'Add a domain' });
    await form.getByLabel('Hostname').fill(host);
    await form.getByRole('heading', { name: 'Verify ownership' }).waitFor();
    await form.getByText(`${host} resolves to Cloudflare (${cdnAddress}).`).waitFor();
    await form.getByText('create a TXT record at the DNS provider of brand.test').waitFor();
    await form.getByText('_waypost.go', { exact: true }).waitFor();
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Add domain' }).click();
    await page.waitForURL(/\/admin\/domains\/\d+$/);
  });

  test('its page asks for the proof, with the record and the file to copy', async () => {
    const { page } = admin;
    const proof = step('Verify ownership').first();
    await proof.getByText('Verification needed').waitFor();
    await proof.getByText(/Unless verified, the domain is removed/).waitFor();
    await step('Short links work').getByText('Verification needed').waitFor();
    await proof.getByRole('button', { name: 'Copy the name of the TXT record' }).click();
    expect(await copied()).toBe('_waypost.go');
    await proof.getByRole('button', { name: 'Copy the file URL' }).click();
    expect(await copied()).toMatch(/^http:\/\/go\.brand\.test\/\.well-known\/waypost\/[0-9a-f]{32}$/);
    await proof.getByRole('button', { name: 'Copy the file content' }).click();
    const content = await copied();
    await proof.getByRole('button', { name: 'Copy the value of the TXT record' }).click();
    expect(await copied()).toBe(content);
    await expectAccessible(page);
  });

  test('a check without the record reports it missing, and the list shows that the domain needs it', async () => {
    const { page } = admin;
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByText('But nothing proves yet that it is yours.').first().waitFor();
    await page.goto(`${server.origin}/admin/domains`);
    await admin.row(host).getByText('Verify that you own it;').waitFor();
    await page.getByRole('link', { name: host }).click();
  });

  test('a check with the record proves it, and the job enables short links', async () => {
    const { page } = admin;
    await step('Verify ownership')
      .first()
      .getByRole('button', { name: 'Copy the value of the TXT record' })
      .click();
    names.hosts.set(`_waypost.${host}`, { TXT: [await copied()] });
    await page.getByRole('button', { name: 'Check now' }).click();
    await step('Verify ownership').getByText('Verified', { exact: true }).waitFor();
    await page.getByText('Ownership verified', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Run now' }).click();
    await step('Short links work').getByText('Working').waitFor();
    await expectAccessible(page);
    const body = { url: 'https://example.com/landed', custom: 'spring', domain: host };
    expect((await server.request('POST', '/api/url/add', { body })).status).toBe(200);
    expect(await visit(server.port, host, '/spring')).toEqual({
      status: 302,
      location: 'https://example.com/landed',
    });
  });

  test('no request left the instance, and nothing failed', () => {
    expect(admin.elsewhere).toEqual([]);
    expect(admin.complaints).toEqual([]);
  });
});
