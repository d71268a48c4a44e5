import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fetcher } from '../../server/fetcher/fetcher.ts';
import { listen } from '../../server/http/listen.ts';
import { administrator, startApp, type TestApp } from '../support/app.ts';
import { findChromium, launchOptions } from '../support/provision.ts';

/** Another loopback address stands for the one of a network. */
const lan = '127.0.0.2';

describe.skipIf(!findChromium())('the settings of webhooks and sharing', () => {
  let server: TestApp;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let elsewhere: string[];
  const arrived: string[] = [];
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => response.end());
    arrived.push(String(request.headers['webhook-signature']));
  });

  beforeAll(async () => {
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    server = await startApp({
      fetcher: fetcher({ allowedRanges: () => ['127.0.0.1/32'] }),
      network: {
        addresses: () => [lan],
        hostName: 'desk',
        bound: () => ['127.0.0.1'],
        listenOn: (address, handler) =>
          listen({
            hosts: [address],
            port: server.port,
            handler,
            trustedProxies: [],
            keylessLimit: 60,
            now: server.clock.now,
          }),
        discovery: undefined,
      },
    });
    browser = await chromium.launch(launchOptions());
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    receiver.close();
  });
  beforeEach(async () => {
    elsewhere = [];
    // axe adds a script of its own, which the policy would forbid.
    context = await browser.newContext({ bypassCSP: true, reducedMotion: 'reduce' });
    context.on('request', (request) => {
      if (!request.url().startsWith(server.origin) && !/^(data|blob):/.test(request.url()))
        elsewhere.push(request.url());
    });
    page = await context.newPage();
    page.setDefaultTimeout(45_000);
    await page.goto(`${server.origin}/admin/sign-in`);
    await page.getByLabel('E-mail or user name').fill(administrator.username);
    await page.getByLabel('Password', { exact: true }).fill(administrator.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });
  afterEach(async () => {
    await context.close();
    expect(elsewhere).toEqual([]);
  });

  async function expectAccessible(): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual(
        [],
      );
    }
  }

  test('a webhook is made, shows its secret once, is tried, and its log is read', async () => {
    const { port } = receiver.address() as AddressInfo;
    await page.goto(`${server.origin}/admin/settings/webhooks`);
    await page.getByText('Nobody is told yet').waitFor();
    await page.getByRole('button', { name: 'New webhook' }).first().click();
    const form = page.getByRole('dialog');
    await form.getByRole('button', { name: 'Create' }).click();
    await form.getByText('Enter an http or https address.').waitFor();
    await form.getByLabel('Address').fill(`http://127.0.0.1:${port}/hook`);
    await form.getByLabel('Only what I choose').check();
    await form.getByRole('group', { name: 'Links' }).getByLabel('created').check();
    await expectAccessible();
    await form.getByRole('button', { name: 'Create' }).click();
    await page.getByText(/^whsec_/).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();

    const line = page.getByRole('list', { name: 'Webhooks' }).getByRole('listitem');
    await line.getByText('1 event').waitFor();
    await line.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Send a test' }).click();
    await page
      .getByText(/^The test message arrived: status 200/)
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

  test('sharing is switched on in plain words, shows where, and says so wherever one is', async () => {
    await page.goto(`${server.origin}/admin/settings/sharing`);
    await page.getByText('Nobody but this computer reaches it.').waitFor();
    await page.getByRole('switch', { name: 'Share with my network' }).click();
    await page.getByText(`${lan}:${server.port}`).first().waitFor();
    await page.getByRole('link', { name: 'Shared in your network' }).waitFor();
    await expectAccessible();
    expect((await fetch(`http://${lan}:${server.port}/api/health`)).status).toBe(200);

    await page.getByRole('switch', { name: 'Share with my network' }).click();
    await page.getByText('Nobody but this computer reaches it.').waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Shared in your network' }).count()).toBe(0);
  });
});
