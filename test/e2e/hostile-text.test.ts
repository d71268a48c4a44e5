import type { BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signInAt } from '../support/admin-page.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { hostileText, hostileTexts } from '../support/hostile-texts.ts';
import { findChromium } from '../support/provision.ts';
import { picturesFor, visitAllPages } from '../support/public-pages.ts';
import { some } from '../support/trials.ts';
import { browsers, visit } from '../support/visits.ts';

/**
 * The admin pages with hostile texts in everything that a user, an API client or a visitor can write (T-18, T-20):
 * names, titles, notes, file names, answers, messages, user agents, referrers and unknown addresses.
 */
describe.skipIf(!findChromium())('the admin pages with hostile texts', () => {
  let server: TestApp;
  let browser: TestBrowser;
  let context: BrowserContext;
  let page: Page;
  const foreign: string[] = [];
  const ran: string[] = [];

  beforeAll(async () => {
    server = await startApp({ ...(await picturesFor()), ratelimit: 10_000, trustedProxies: ['127.0.0.1'] });
    const text = hostileText();
    await visitAllPages(server, 'h', text);
    const link = { url: `https://example.com/#${encodeURIComponent(text(200))}`, custom: 'followed' };
    await server.request('POST', '/api/url/add', { body: { ...link, title: text(255), note: text(2000) } });
    for (let visitor = 0; visitor < 8; visitor += 1) {
      const headers = {
        'User-Agent': `${browsers.windows} ${text(300).replace(/[^\x20-\x7e]/g, '')}`,
        'X-Forwarded-For': `203.0.113.${visitor}`,
        'Accept-Language': text(60).replace(/[^\x20-\x7e]/g, ''),
        Referer: `https://example.org/${encodeURIComponent(text(200))}`,
      };
      const query = encodeURIComponent(text(100));
      await visit(server, `/followed?utm_source=${query}&utm_medium=${query}&utm_campaign=${query}`, {
        headers,
      });
      await visit(server, `/${encodeURIComponent(text(60))}`, { headers });
    }
    await server.request('POST', '/api/channel/add', { body: { name: text(60), description: text(200) } });
    await server.request('POST', '/api/key/add', { body: { name: text(60), scopes: ['links:read'] } });
    await server.request('PUT', '/api/account/update', { body: { name: text(100) } });
    await server.request('POST', '/api/plan/add', { body: { name: text(60) } });
    await server.request('POST', '/api/user/add', {
      body: { username: 'other', email: 'other@example.com', password: 'correct horse', name: text(100) },
    });

    browser = await openBrowser();
    // Without the policy of the pages: what gets through must not be caught by it alone.
    context = await browser.newContext({ bypassCSP: true, reducedMotion: 'reduce' });
    context.on('request', (request) => {
      const isOwn = request.url().startsWith(server.origin) || /^(data|blob):/.test(request.url());
      if (!isOwn) foreign.push(request.url());
    });
    page = await context.newPage();
    page.setDefaultTimeout(45_000);
    page.on('dialog', (dialog) => {
      ran.push(dialog.message());
      void dialog.dismiss();
    });
    page.on('console', (message) => {
      if (message.text().includes('pwned')) ran.push(message.text());
    });
    page.on('popup', (popup) => ran.push(popup.url()));
    await signInAt(page, server.origin, '/overview');
    await page.waitForURL('**/admin/overview');
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  /** Elements and attributes of the texts that have become part of the page, and addresses that are no addresses. */
  const planted = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('*')]
        .filter(
          (element) =>
            element.localName.startsWith('x-pwned') ||
            [...element.attributes].some(({ name }) => name === 'data-pwned' || name.startsWith('on')) ||
            [...element.attributes].some(
              ({ name, value }) =>
                ['href', 'src', 'action', 'formaction', 'data', 'srcdoc'].includes(name) &&
                /^\s*(javascript|vbscript|data:text)/i.test(value),
            ),
        )
        .map((element) => element.outerHTML.slice(0, 200)),
    );

  async function expectHarmless(where: string): Promise<void> {
    expect([where, ran, await planted(), foreign]).toEqual([where, [], [], []]);
  }

  /** Waits until a page has loaded what it shows; its live stream stays open, so that the network is never idle. */
  const settled = () => page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'));

  /** Waits until a page has shown its texts: `pwned` is in all of them. */
  async function seeTexts(): Promise<void> {
    await page.waitForFunction(() => /pwned/.test(document.querySelector('main')?.textContent ?? ''));
  }

  const lists = [
    'links',
    'campaigns',
    'channels',
    'files',
    'overlays',
    'splash',
    'pixels',
    'bio',
    'qr-codes',
  ];
  test.each(some(lists, { from: 0, short: 1 }))('%s', async (path) => {
    await page.goto(`${server.origin}/admin/${path}`);
    await seeTexts();
    await expectHarmless(path);
  });

  const others = [
    'overview',
    'activity',
    'settings/users',
    'settings/keys',
    'settings/profile',
    'domains',
    'settings/plans',
  ];
  test.each(some(others, { from: 0, short: 1 }))('%s', async (path) => {
    await page.goto(`${server.origin}/admin/${path}`);
    await page.locator('main').first().waitFor();
    await settled();
    await expectHarmless(path);
  });

  test("a link's page with its visits, its form and the simulator", async () => {
    const { urls } = (await server.request('GET', '/api/urls?short=followed')).body.data;
    await page.goto(`${server.origin}/admin/links/${urls[0].id}`);
    await page.getByRole('heading', { name: 'Recent visits' }).waitFor();
    await seeTexts();
    await expectHarmless('link');
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('dialog', { name: 'Edit link' }).getByLabel('Title', { exact: true }).waitFor();
    await expectHarmless('form');
    await page.keyboard.press('Escape');
    const { id } = (await server.request('GET', '/api/urls?short=hplain')).body.data.urls[0];
    await server.request('POST', `/api/url/${id}/case/add`, {
      body: { name: '"><x-pwned><img src=x onerror=alert("pwned")>', visitor: { city: '<x-pwned>' } },
    });
    await page.goto(`${server.origin}/admin/links/${id}`);
    await page.getByRole('button', { name: 'Simulate' }).click();
    await page.getByText('No rule is met').waitFor();
    await expectHarmless('simulator');
    await page.getByRole('tab', { name: 'Saved cases' }).click();
    await page
      .getByRole('button', { name: /^Actions for/ })
      .first()
      .waitFor();
    await expectHarmless('cases');
  });

  test('the pages of a campaign, a bio page and a code, and the responses to an overlay', {
    tags: 'long',
  }, async () => {
    const first = async (path: string, key: string) =>
      (await server.request('GET', path)).body.data[key][0]?.id as number;
    const overlays = (await server.request('GET', '/api/overlay?limit=100')).body.data.cta;
    const poll = overlays.find(({ type }: { type: string }) => type === 'poll').id;
    const paths = [
      `campaigns/${await first('/api/campaigns', 'campaigns')}`,
      `bio/${await first('/api/bio', 'bios')}`,
      `qr-codes/${await first('/api/qr', 'qrs')}`,
      `overlays/${poll}/answers`,
    ];
    for (const path of paths) {
      await page.goto(`${server.origin}/admin/${path}`);
      await page.locator('main').first().waitFor();
      await settled();
      await expectHarmless(path);
    }
  });

  test('the command palette', { tags: 'long' }, async () => {
    await page.goto(`${server.origin}/admin/links`);
    await seeTexts();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('pwned');
    await settled();
    await expectHarmless('palette');
  });

  test('are checked by a method that detects scripts that get through', async () => {
    await page.evaluate((texts) => {
      const place = document.createElement('div');
      place.innerHTML = texts.join('');
      document.body.append(place);
    }, hostileTexts);
    expect((await planted()).length).toBeGreaterThan(10);
    await expect.poll(() => ran.length).toBeGreaterThan(0);
  });
});
