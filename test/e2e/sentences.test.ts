import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '../../renderer/catalogue.ts';
import { messages as german } from '../../renderer/translations/de/messages.ts';
import { openAdminPage, signInAt } from '../support/admin-page.ts';
import { administrator, startApp, type TestApp } from '../support/app.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { findChromium } from '../support/provision.ts';
import { some } from '../support/trials.ts';

const places = [
  ...[
    'links',
    'campaigns',
    'channels',
    'qr-codes',
    'bio',
    'files',
    'overlays',
    'splash',
    'pixels',
    'domains',
  ],
  ...['overview', 'compare', 'import', 'activity', 'missed-visits', 'transfer', 'api', 'nowhere'],
  ...['profile', 'preferences', 'security', 'keys', 'privacy', 'team', 'webhooks', 'users', 'plans'].map(
    (name) => `settings/${name}`,
  ),
  ...['instance', 'sso', 'mail', 'backups', 'sharing', 'fleet', 'about'].map((name) => `settings/${name}`),
];

/** All keys with their text: `ui.copy.name`. */
function leaves(tree: object, path = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]) => {
    const here = path ? `${path}.${key}` : key;
    return typeof value === 'string' ? [[here, value] as [string, string]] : leaves(value, here);
  });
}

/** Notes each of these texts that is ever shown, if only for a moment. Call it before the page is opened. */
async function watchFor(page: Page, texts: readonly string[]): Promise<() => Promise<string[]>> {
  await page.addInitScript((unwanted) => {
    const wrong = new Set(unwanted);
    const seen = new Set<string>();
    Object.assign(window, { seenTexts: seen });
    const look = (node: Node) => {
      const words =
        node instanceof Element
          ? ['aria-label', 'placeholder', 'title'].map((name) => node.getAttribute(name) ?? '')
          : [node.nodeType === Node.TEXT_NODE ? (node.textContent ?? '') : ''];
      for (const word of words) if (wrong.has(word.trim())) seen.add(word.trim());
      node.childNodes.forEach(look);
    };
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) {
        look(target);
        addedNodes.forEach(look);
      }
    }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  }, texts);
  return () => page.evaluate(() => [...(window as unknown as { seenTexts: Set<string> }).seenTexts]);
}

describe.skipIf(!findChromium())('the sentences of the pages', () => {
  let server: TestApp;
  let browser: TestBrowser;
  beforeAll(async () => {
    server = await startApp({ ratelimit: 100_000 });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const english = leaves(catalogue.en);
  const keys = english.map(([key]) => key);
  /** What somebody who reads German would notice; words that both languages share are none of it. */
  const translated = new Map(leaves(german));
  const said = new Set(translated.values());
  const foreign = english.flatMap(([key, text]) =>
    /^[A-Z][a-z]+ [a-z]/.test(text) && translated.get(key) !== text && !said.has(text) ? [text] : [],
  );

  const locales: [string, string, string[]][] = [
    ['de', german.session.signIn.submit, [...keys, ...foreign]],
    ['en', 'Sign in', keys],
  ];
  test.each(some(locales, { from: 0, short: 1 }))(
    'are loaded in %s before anything of a page is shown',
    async (locale, submit, unwanted) => {
      const { page, complaints } = await openAdminPage(browser, server.origin, { locale });
      const seen = await watchFor(page, unwanted);
      await page.goto(`${server.origin}/admin/`);
      await page.getByRole('button', { name: submit, exact: true }).waitFor();
      expect(await seen()).toEqual([]);
      const reply = await page.request.post(`${server.origin}/api/auth/login`, {
        data: { login: administrator.username, password: administrator.password, device: 'Chrome' },
      });
      const { token } = (await reply.json()).data;
      await page.evaluate((kept) => localStorage.setItem('waypost:local:token', kept), token);
      for (const place of some(places, { from: locale === 'en' ? 0 : 18, short: 1 })) {
        // A page that is loaded for itself has no sentences of the pages before it.
        await page.goto(`${server.origin}/admin/${place}`);
        await page.locator('#content h1, main h1').first().waitFor();
        await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
        expect(await seen(), place).toEqual([]);
      }
      expect(complaints).toEqual([]);
      await page.context().close();
    },
  );

  test('are requested again with the next page if loading failed', { tags: 'long' }, async () => {
    const { page } = await openAdminPage(browser, server.origin, { locale: 'de' });
    const translation = '**/assets/translation-*.js*';
    await page.route(translation, (route) => route.abort());
    await signInAt(page, server.origin, '/campaigns');
    await page.getByRole('heading', { name: 'Campaigns', exact: true }).waitFor();
    await page.unroute(translation);
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.getByRole('heading', { name: german.overview.title, exact: true }).waitFor();
    await page.getByRole('link', { name: german.campaigns.title, exact: true }).click();
    await page.getByRole('heading', { name: german.campaigns.title, exact: true }).waitFor();
    await page.context().close();
  });
});
