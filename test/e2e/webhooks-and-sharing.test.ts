import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fetcher } from '../../server/platform/fetcher/fetcher.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { type AdminPage, openAdminPage, signInAt } from '../support/admin-page.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { lan, lanNetwork } from '../support/lan.ts';
import { findChromium } from '../support/provision.ts';

describe.skipIf(!findChromium())('the settings of webhooks and sharing', () => {
  let server: TestApp;
  let browser: TestBrowser;
  let admin: AdminPage;
  let page: Page;
  const arrived: string[] = [];
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => response.end());
    arrived.push(String(request.headers['webhook-signature']));
  });

  beforeAll(async () => {
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    server = await startApp({
      fetcher: fetcher({ allowedRanges: () => ['127.0.0.1/32'] }),
      network: lanNetwork(() => server),
    });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    receiver.close();
  });
  beforeEach(async () => {
    admin = await openAdminPage(browser, server.origin);
    page = admin.page;
    await signInAt(page, server.origin);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });
  afterEach(async () => {
    await admin.context.close();
    expect(admin.elsewhere).toEqual([]);
  });

  test('a webhook is created, shows its secret once, is tested, and its log is read', async () => {
    const { port } = receiver.address() as AddressInfo;
    await page.goto(`${server.origin}/admin/settings/webhooks`);
    await page.getByText('No webhooks yet').waitFor();
    await page.getByRole('button', { name: 'New webhook' }).first().click();
    const form = page.getByRole('dialog');
    await form.getByRole('button', { name: 'Create' }).click();
    await form.getByText('Enter an http or https URL.').waitFor();
    await form.getByLabel('URL').fill(`http://127.0.0.1:${port}/hook`);
    await form.getByLabel('Selected events').check();
    await form.getByRole('group', { name: 'Links' }).getByLabel('created').check();
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Create' }).click();
    await page.getByText(/^whsec_/).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();

    const line = page.getByRole('list', { name: 'Webhooks' }).getByRole('listitem');
    await line.getByText('1 event').waitFor();
    await line.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Send a test' }).click();
    await page
      .getByText(/^Test delivered: status 200/)
      .first()
      .waitFor();
    expect(arrived).toHaveLength(1);

    await server.request('POST', '/api/url/add', { body: { url: 'https://example.com/' } });
    await expect.poll(() => arrived.length).toBe(2);
    await line.getByRole('button', { name: `127.0.0.1:${port}/hook`, exact: true }).click();
    const log = page.getByRole('dialog');
    await log.getByText('link.created', { exact: true }).click();
    await log.getByText('"longurl":"https://example.com/"').waitFor();
    await log.getByRole('button', { name: 'Send again' }).first().click();
    await expect.poll(() => arrived.length).toBe(3);
  });

  test('sharing is turned on with an explanation, shows the addresses, and a badge everywhere', {
    tags: 'long',
  }, async () => {
    await page.goto(`${server.origin}/admin/settings/sharing`);
    await page.getByText('Only this computer can reach it.').waitFor();
    await page.getByRole('switch', { name: 'Share with my network' }).click();
    await page.getByText(`${lan}:${server.port}`).first().waitFor();
    await page.getByRole('link', { name: 'Shared on your network' }).waitFor();
    await expectAccessible(page);
    expect((await fetch(`http://${lan}:${server.port}/api/health`)).status).toBe(200);

    // Short links begin with this machine's own name until somebody says otherwise.
    await page.getByText(`Short links still begin with localhost:${server.port}`).waitFor();
    await page.getByRole('button', { name: `Use ${lan}:${server.port}`, exact: true }).click();
    await page.getByText('Used for short links', { exact: true }).waitFor();
    const link = await server.request('POST', '/api/url/add', { body: { url: 'https://example.com/lan' } });
    const visit = await fetch(link.body.shorturl, { redirect: 'manual' });
    expect([new URL(link.body.shorturl).hostname, visit.headers.get('location')]).toEqual([
      lan,
      'https://example.com/lan',
    ]);
    // The form says so as well, wherever this browser reached the server.
    await page.keyboard.press('c');
    const form = page.getByRole('dialog', { name: 'New link' });
    await form.getByText(`${lan}:${server.port}/`, { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });

    await page.getByRole('switch', { name: 'Share with my network' }).click();
    await page.getByText('Only this computer can reach it.').waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Shared on your network' }).count()).toBe(0);
  });
});
