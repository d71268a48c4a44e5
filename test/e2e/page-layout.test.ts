import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addCampaign } from '../../server/contract/campaigns.ts';
import { addChannel } from '../../server/contract/channels.ts';
import { addLink, listLinks } from '../../server/contract/links.ts';
import { updateOverlay } from '../../server/contract/overlays.ts';
import { exampleContent } from '../guide/example-content.ts';
import { findFlaws } from '../guide/flaws.ts';
import { speakPseudo } from '../guide/pseudo-language.ts';
import { smallTargets } from '../guide/small-targets.ts';
import { strayTexts } from '../guide/stray-texts.ts';
import { pathOf, type View } from '../guide/view.ts';
import { views } from '../guide/views.ts';
import { openAdminPage } from '../support/admin-page.ts';
import { administrator, startApp, type TestApp } from '../support/app.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { anotherName } from '../support/names.ts';
import { findChromium } from '../support/provision.ts';
import { addDomain } from '../support/second-account.ts';
import { some } from '../support/trials.ts';

/** Between them they have each kind of thing that is touched; the others follow in the long form. */
const touched = ['links', 'bulk-menu', 'date-picker', 'overlays-form', 'overview', 'menu', 'campaigns'];
/** This server has no backup that could be restored; `npm run look` has one. */
const isElsewhere = ({ name, isPublic }: View) => isPublic || name === 'backup-restore';
const appViews = views.filter((view) => !isElsewhere(view));
/** Those without steps first, from which the short form takes some. */
const ordered = [...appViews.filter(({ steps }) => !steps), ...appViews.filter(({ steps }) => steps)];
/** Without the one that goes on to another host by itself. */
const publicViews = views.filter(({ name, isPublic }) => isPublic && name !== 'public-splash');
const isTouched = ({ name }: View) => touched.includes(name);
const signedIn = appViews.filter(({ isSignedOut }) => !isSignedOut);
const forFingers = [...signedIn.filter(isTouched), ...signedIn.filter((view) => !isTouched(view))];

/** Every page and form in a narrow window of a laptop: in longer words, and from right to left; and on a phone. */
describe.skipIf(!findChromium())('the layout of the pages', () => {
  let server: TestApp;
  let browser: TestBrowser;
  let token: string;
  let places: Readonly<Record<string, string>>;
  beforeAll(async () => {
    server = await startApp({ ratelimit: 100_000 });
    places = await exampleContent(server.origin, administrator);
    ({ token = '' } = places);
    addDomain(server, 'go.northwind-coffee.example', 1);
    const title = 'What we learned about altitude, rainfall and the long way down to the small harbours';
    const { id } = await server.call(addChannel, { body: { name: 'Everything about the harbours' } });
    await server.call(addChannel, { body: { name: 'Everything about the harbours/Posters' } });
    // It runs the other way than most pages do.
    await server.call(addCampaign, {
      body: {
        name: 'ما تعلمناه عن الارتفاع والأمطار والطريق الطويل إلى الموانئ الصغيرة',
        slug: 'harbours-tour',
        public: true,
      },
    });
    await server.call(updateOverlay, { params: { id: 1 }, body: { name: title } });
    for (const custom of ['altitude', 'harbours']) {
      const url = `https://blog.example.com/${'a-long-way/'.repeat(12)}`;
      await server.call(addLink, { body: { url, custom, title, channel: [id] } });
    }
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  /** What of the page is broken once all of it is there. */
  async function flawsOf(page: Page): Promise<string[]> {
    await page.evaluate(() => document.fonts.ready);
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    await expect.poll(() => page.locator('main [data-slot="skeleton"]:visible').count()).toBe(0);
    return await findFlaws(page);
  }

  /** Signs the page in by this session; out without one. */
  async function keepToken(page: Page, kept: string): Promise<void> {
    await page.evaluate((value) => {
      if (value) localStorage.setItem('waypost:local:token', value);
      else localStorage.removeItem('waypost:local:token');
    }, kept);
  }

  const languages: [string, string, number][] = [
    ['words that are longer by 40 %', 'en-GB', 12],
    ['Arabic, from right to left', 'ar', 3],
  ];
  test.each(some(languages, { from: 0, short: 1 }))('fits %s at 1024 pixels', async (_, locale, from) => {
    const viewport = { width: 1024, height: 768 };
    const { page, complaints } = await openAdminPage(browser, server.origin, { locale, viewport });
    await page.goto(`${server.origin}/admin/icon.svg`);
    await page.evaluate((kept) => localStorage.setItem('waypost:local:token', kept), token);
    for (const view of some(ordered, { from, short: 3 })) {
      const { name, steps, isSignedOut } = view;
      await using _standIn = await view.prepare?.(page);
      // More is asked for than a session may ask for in a minute.
      server.clock.advance(60_000);
      await keepToken(page, isSignedOut ? '' : token);
      await page.goto(`${server.origin}/admin${pathOf(view, places)}`);
      await page.locator('#content h1, main h1').first().waitFor();
      if (locale === 'en-GB') await speakPseudo(page);
      await steps?.(page);
      // A step may have gone on to another page.
      if (locale === 'en-GB') await speakPseudo(page);
      await expect.poll(() => flawsOf(page), { message: name }).toEqual([]);
    }
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('covers neither the view menu at 1024 pixels nor, in Arabic, the navigation', {
    tags: 'long',
  }, async () => {
    for (const locale of ['en-GB', 'ar']) {
      const viewport = { width: 1024, height: 768 };
      const { page } = await openAdminPage(browser, server.origin, { locale, viewport });
      await page.goto(`${server.origin}/admin/icon.svg`);
      await page.evaluate((kept) => localStorage.setItem('waypost:local:token', kept), token);
      await page.goto(`${server.origin}/admin/links`);
      const search = page.getByRole('searchbox').first();
      await search.waitFor();
      const tools = await search
        .locator('xpath=ancestor::*[contains(@class, "justify-between")][1]')
        .locator('button, input')
        .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON() as DOMRect));
      expect(tools.length).toBeGreaterThan(4);
      const covered = tools.filter((one) =>
        tools.some(
          (other) =>
            other !== one &&
            other.left < one.right - 1 &&
            one.left < other.right - 1 &&
            other.top < one.bottom - 1 &&
            one.top < other.bottom - 1,
        ),
      );
      expect(covered, locale).toEqual([]);
      await search.blur();
      await page.keyboard.press('c');
      const form = page.getByRole('dialog');
      await form.waitFor();
      const placeOf = async (one: Locator) => ((await one.boundingBox())?.x ?? 0) < 512;
      const isOnTheLeft = await placeOf(page.locator('a[href$="/admin/campaigns"]').first());
      expect(isOnTheLeft).toBe(locale !== 'ar');
      await expect.poll(() => placeOf(form)).toBe(!isOnTheLeft);
      await page.context().close();
    }
  });

  test('holds public pages in Arabic on a phone', async () => {
    const viewport = { width: 390, height: 844 };
    const { page } = await openAdminPage(browser, server.origin, { locale: 'ar', viewport });
    for (const view of some(publicViews, { from: 2, short: 2 })) {
      const { name } = view;
      await page.goto(`${server.origin}${pathOf(view, places)}`);
      await page.locator('main').first().waitFor();
      expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
      // Bio pages are centered; elsewhere what is in another language stands below the title, too.
      if (name === 'public-preview') {
        const lines = page.locator('main p, main dd');
        const sides = await lines.evaluateAll((all) => all.map((each) => getComputedStyle(each).direction));
        expect(new Set(sides)).toEqual(new Set(['rtl']));
      }
      await expect.poll(() => flawsOf(page), { message: name }).toEqual([]);
    }
    await page.context().close();
  });

  test('shows nested channels whole, times in their column, and what is disabled', {
    tags: 'long',
  }, async () => {
    const viewport = { width: 1440, height: 900 };
    const { page } = await openAdminPage(browser, server.origin, { viewport });
    await page.goto(`${server.origin}/admin/icon.svg`);
    await page.evaluate((kept) => localStorage.setItem('waypost:local:token', kept), token);
    await page.goto(`${server.origin}/admin/channels`);
    await page.locator('article nav').first().waitFor();
    await expect.poll(() => strayTexts(page)).toEqual([]);
    await page.goto(`${server.origin}/admin/links`);
    const shorten = page.getByRole('button', { name: 'Shorten', exact: true });
    expect(await shorten.isDisabled()).toBe(true);
    expect(await shorten.evaluate((button) => Number(getComputedStyle(button).opacity))).toBeLessThan(0.6);
    await page.setViewportSize({ width: 390, height: 844 });
    await server.call(addChannel, { body: { name: anotherName('New') } });
    await page.clock.setFixedTime(server.clock.now() + 17 * 60_000);
    await page.goto(`${server.origin}/admin/activity`);
    await page.locator('tbody').getByText('17 minutes ago').first().waitFor();
    await expect.poll(() => strayTexts(page)).toEqual([]);
    await page.context().close();
  });

  test('is checked by a method that finds controls below others, and leaves alone what is beside or on them', async () => {
    const { page } = await openAdminPage(browser, server.origin);
    const button = (name: string, left: number, width = 80) =>
      `<button style="position:absolute;left:${left}px;top:9px;width:${width}px">${name}</button>`;
    const flawsWith = async (...buttons: string[]) => {
      await page.setContent(buttons.join(''));
      return findFlaws(page);
    };
    expect(await flawsWith(button('Domain', 0), button('All links', 80))).toEqual([]);
    expect(await flawsWith(button('A whole card', 0, 400), button('Menu', 180, 40))).toEqual([]);
    expect(await flawsWith(button('Domain', 0), button('All links', 20))).toEqual([
      'below another control: button “Domain” is covered by button “All links”',
    ]);
    await page.context().close();
  });

  test('keeps the statistics of a link in place while the link loads', { tags: 'long' }, async () => {
    const { page } = await openAdminPage(browser, server.origin);
    await page.goto(`${server.origin}/admin/icon.svg`);
    await page.evaluate((kept) => localStorage.setItem('waypost:local:token', kept), token);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\/api\/url\/\d+$/, async (route) => {
      await held;
      await route.continue();
    });
    const { data } = await server.call(listLinks, { query: { q: 'altitude' } });
    await page.goto(`${server.origin}/admin/links/${data.urls[0]?.id}`);
    const statistics = page.getByRole('heading', { name: 'Statistics', exact: true });
    await statistics.waitFor();
    await page.evaluate(() => document.fonts.ready);
    const button = page.getByRole('button', { name: 'Export', exact: true });
    const places = async () => {
      const [heading, its] = [await statistics.boundingBox(), await button.boundingBox()];
      return [Math.round(heading?.y ?? 0), Math.round(its?.x ?? 0), Math.round(its?.y ?? 0)];
    };
    const before = await places();
    release();
    await page.getByRole('button', { name: 'Share', exact: true }).waitFor();
    expect(await places()).toEqual(before);
    await page.context().close();
  });

  test('is as wide as its figure around a count on a phone', async () => {
    const viewport = { width: 390, height: 844 };
    const { page } = await openAdminPage(browser, server.origin, { viewport, hasTouch: true });
    await page.goto(`${server.origin}/admin/icon.svg`);
    await page.evaluate((kept) => localStorage.setItem('waypost:local:token', kept), token);
    await page.goto(`${server.origin}/admin/channels`);
    const heading = page.locator('#content h1');
    await heading.waitFor();
    const count = heading.locator('xpath=following::span[contains(@class, "rounded-full")][1]');
    await expect.poll(() => count.textContent()).toMatch(/\d/);
    const beside = await count.evaluate((badge) => {
      const figure = document.createRange();
      figure.selectNodeContents(badge);
      const [outer, inner] = [badge.getBoundingClientRect(), figure.getBoundingClientRect()];
      return [inner.left - outer.left, outer.right - inner.right];
    });
    expect(beside[1]).toBeCloseTo(beside[0] as number, 0);
    await page.context().close();
  });

  test('has touch targets of at least 44 pixels at 390 pixels', { tags: 'long' }, async () => {
    const viewport = { width: 390, height: 844 };
    const options = { locale: 'de', viewport, hasTouch: true };
    const { page, complaints } = await openAdminPage(browser, server.origin, options);
    await page.goto(`${server.origin}/admin/icon.svg`);
    await page.evaluate((kept) => localStorage.setItem('waypost:local:token', kept), token);
    for (const view of some(forFingers, { from: 0, short: touched.length })) {
      const { name, steps } = view;
      await using _standIn = await view.prepare?.(page);
      server.clock.advance(60_000);
      await page.goto(`${server.origin}/admin${pathOf(view, places)}`);
      await page.locator('#content h1, main h1').first().waitFor();
      await steps?.(page);
      await expect.poll(() => flawsOf(page), { message: name }).toEqual([]);
      await expect.poll(() => smallTargets(page), { message: name }).toEqual([]);
    }
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
