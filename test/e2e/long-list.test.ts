import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AdminPage, fillSignIn, openAdminPage, signInAt } from '../support/admin-page.ts';
import { administrator, startApp, type TestApp } from '../support/app.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { anotherName } from '../support/names.ts';
import { findChromium } from '../support/provision.ts';

/** 44 pixels each: taller than a list is drawn in full (`renderer/ui/scroll-scale.ts`). */
const count = 130_000;

describe.skipIf(!findChromium())('a list that is too tall for browsers', () => {
  let server: TestApp;
  let browser: TestBrowser;
  let admin: AdminPage;
  let page: Page;

  beforeAll(async () => {
    server = await startApp({ ratelimit: 10_000 });
    server.databases.main.exec(`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
        INSERT INTO links (user_id, alias, url, created_at, updated_at, search)
        SELECT 1, 'tall' || i, 'https://example.com/' || i, i, 1, 'tall' || i FROM n;
      INSERT INTO aliases (domain_id, alias, kind, target_id) SELECT 0, alias, 'link', id FROM links;`);
    browser = await openBrowser();
    admin = await openAdminPage(browser, server.origin);
    page = admin.page;
    await signInAt(page, server.origin, '/links');
    await row(1).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  /** The row of the n-th link, newest first. */
  const row = (place: number) =>
    page.locator(`tbody tr[data-index="${place - 1}"]`, { hasText: `tall${count + 1 - place}` });
  /** Drags the scroll bar to a share of its way; returns the index of a row that is visible then. */
  async function dragTo(share: number): Promise<number> {
    await scroller().evaluate((element, to) => element.scrollTo(0, element.scrollHeight * to), share);
    const seen = page.locator('tbody tr[data-index]').nth(18);
    let found = Number.NaN;
    // It may have been farther down before.
    await expect
      .poll(async () => {
        found = Number(await seen.getAttribute('data-index'));
        return Math.abs(found / count - share);
      })
      .toBeLessThan(0.05);
    await row(found + 1).waitFor();
    return found;
  }
  const goTo = (name: string) => page.getByRole('link', { name, exact: true }).click();
  /** Opens the list at its start, not where it was left. */
  async function openList(): Promise<void> {
    await page.goto(`${server.origin}/admin/overview`);
    await goTo('Links');
    await row(1).waitFor();
  }
  /** Holds back the replies of the list, or others, from now on; returns a function that lets them through. */
  async function holdReplies(urls = '**/api/urls?*'): Promise<() => Promise<void>> {
    const replies = Promise.withResolvers<void>();
    await page.route(urls, async (route) => {
      await replies.promise;
      await route.continue();
    });
    return async () => {
      replies.resolve();
      await page.unrouteAll({ behavior: 'wait' });
    };
  }
  /** The element that scrolls. */
  const scroller = () => page.locator('div:has(> table)');
  const isVisible = (place: number) =>
    expect
      .poll(async () => {
        const [box, frame] = [await row(place).boundingBox(), await scroller().boundingBox()];
        return box && frame && box.y >= frame.y && box.y + box.height <= frame.y + frame.height + 1;
      })
      .toBe(true);

  test('reaches its last link at the end of the scroll bar, showing every row on the way', async () => {
    const drawn = await scroller().evaluate((element) => element.scrollHeight);
    expect(drawn).toBeLessThan(17_000_000);
    await scroller().evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await isVisible(count);
    const [last] = await Promise.all([
      fetch(`${server.origin}/tall1`, { redirect: 'manual' }),
      row(count).getByText('tall1', { exact: true }).waitFor(),
    ]);
    expect(last.headers.get('location')).toBe('https://example.com/1');

    // The wheel moves by what it turns, wherever a jump has led.
    const index = await dragTo(0.5);
    const before = (await row(index + 1).boundingBox())?.y ?? 0;
    await scroller().hover();
    await page.mouse.wheel(0, 132);
    await expect.poll(async () => (await row(index + 1).boundingBox())?.y).toBe(before - 132);

    // From the middle to the end at once, by the scroll bar and by a key.
    await scroller().evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await isVisible(count);
    await scroller().evaluate((element) => element.scrollTo(0, 0));
    await isVisible(1);
    await row((await dragTo(0.5)) + 1).focus();
    await page.keyboard.press('End');
    await isVisible(count);
    await page.locator(`tbody tr[data-index="${count - 1}"]:focus`).waitFor();

    await scroller().evaluate((element) => element.scrollTo(0, 0));
    await isVisible(1);
  });

  test('is navigated by keyboard from first to last row, and keeps its place when left', async () => {
    await row(1).focus();
    await page.keyboard.press('End');
    await isVisible(count);
    await page.keyboard.press('PageUp');
    await page.keyboard.press('ArrowUp');
    const place = Number(await page.locator('tbody tr:focus').getAttribute('data-index')) + 1;
    expect(place).toBeLessThan(count - 5);
    await isVisible(place);
    await page.keyboard.press('Home');
    await isVisible(1);

    const index = await dragTo(0.3);
    await row(index + 1).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/links\/\d+/);
    await page.goBack();
    await isVisible(index + 1);
    await page.locator(`tbody tr[data-index="${index}"]:focus`).waitFor();
  });

  test('shows its rows at once on return, unless links were changed meanwhile', async () => {
    const isLoading = page.locator('tbody tr .row-place').first();
    await openList();
    const before = await row(1).textContent();
    await goTo('Domains');
    await page.waitForURL(/\/domains/);
    server.databases.main.exec(`UPDATE links SET url = url || '/moved' WHERE alias = 'tall${count}'`);
    let release = await holdReplies();
    try {
      await goTo('Links');
      await row(1).waitFor();
      expect(await row(1).textContent()).toBe(before);
      await release();
      await expect.poll(() => row(1).textContent()).not.toBe(before);

      // A link that was just deleted must not be offered again while the list is loading.
      await row(1).focus();
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/links\/\d+/);
      release = await holdReplies();
      await page.getByRole('button', { name: /^Actions for/ }).click();
      await page.getByRole('menuitem', { name: /^Delete/ }).click();
      await isLoading.waitFor();
      expect(await row(1).count()).toBe(0);
      await release();
      await page.getByRole('button', { name: 'Undo' }).click();
      await row(1).waitFor();
    } finally {
      await release();
    }
  });

  test('acts on the link that has the focus, although others came above it on return', async () => {
    const { main } = server.databases;
    const newer = anotherName('newer');
    await page.goto(`${server.origin}/admin/overview`);
    await goTo('Links');
    const first = page.locator('tbody tr[data-index="0"]');
    const alias = (await first.locator('bdi').first().textContent()) ?? '';
    await goTo('Domains');
    await page.waitForURL(/\/domains/);
    const release = await holdReplies();
    try {
      main
        .prepare(
          `INSERT INTO links (user_id, alias, url, created_at, updated_at, search)
           SELECT 1, ?, 'https://example.com/newer', max(created_at) + 1, 1, '' FROM links`,
        )
        .run(newer);
      await goTo('Links');
      await first.getByText(alias, { exact: true }).waitFor();
      await first.focus();
      await release();
      await page.locator('tbody tr[data-index="1"]:focus').waitFor();
      await page.keyboard.press('Delete');
      const isDeleted = () =>
        main.prepare('SELECT trashed_at IS NOT NULL FROM links WHERE alias = ?').pluck().get(alias);
      await expect.poll(isDeleted).toBe(1);
      await page.getByRole('button', { name: 'Undo' }).last().click();
      await expect.poll(isDeleted).toBe(0);
    } finally {
      await release();
      main.prepare('DELETE FROM links WHERE alias = ?').run(newer);
    }
  });

  test.each([
    ['from the rows it had', () => Promise.resolve()],
    // Reloaded, the app has no rows to begin with.
    ['after a reload', () => page.reload()],
  ])('comes back to the link that was left %s, although others came above it meanwhile', async (_, leave) => {
    const { main } = server.databases;
    // Enough for the link to be on another page of the list.
    const added = 30;
    await openList();
    const index = await dragTo(0.3);
    await row(index + 1).focus();
    const before = await row(index + 1).boundingBox();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/links\/\d+/);
    await leave();
    main.exec(`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${added})
        INSERT INTO links (user_id, alias, url, created_at, updated_at, search)
        SELECT 1, 'later' || i, 'https://example.com/later', ${count} + i, 1, '' FROM n`);
    try {
      await page.goBack();
      const left = page.locator(`tbody tr[data-index="${index + added}"]:focus`);
      await left.getByText(`tall${count - index}`, { exact: true }).waitFor();
      expect((await left.boundingBox())?.y).toBeCloseTo(before?.y ?? 0, -1);
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/links/${count - index}`);
    } finally {
      main.exec("DELETE FROM links WHERE alias LIKE 'later%'");
    }
  });

  test('is loaded while the pointer is on the link to it', async () => {
    await page.goto(`${server.origin}/admin/domains`);
    const link = page.getByRole('link', { name: 'Links', exact: true });
    await link.waitFor();
    const loaded = page.waitForResponse('**/api/urls?*');
    await link.hover();
    await loaded;
    const release = await holdReplies();
    try {
      await link.click();
      await row(1).waitFor();
    } finally {
      await release();
    }
  });

  test('is not loaded ahead against a refusal, which decides nothing', async () => {
    await page.goto(`${server.origin}/admin/domains`);
    const link = page.getByRole('link', { name: 'Links', exact: true });
    await link.waitFor();
    await page.route('**/api/urls?*', (route) =>
      route.fulfill({ status: 401, json: { error: 1, message: '' } }),
    );
    try {
      const refused = page.waitForResponse('**/api/urls?*');
      await link.hover();
      await refused;
      await goTo('Campaigns');
      await page.waitForURL(/\/campaigns/);
    } finally {
      await page.unrouteAll({ behavior: 'wait' });
    }
    await link.click();
    await row(1).waitFor();
  });

  test('shows nothing of another person’s who was signed in before', async () => {
    const [{ username, password }, title] = [administrator, 'Only of the second person'];
    const second = { username: anotherName('second'), password: 'a second long password' };
    const added = await server.request('POST', '/api/user/add', {
      body: { ...second, email: `${second.username}@example.com` },
    });
    server.databases.main
      .prepare(
        `INSERT INTO links (user_id, alias, url, title, created_at, updated_at, search)
         VALUES (?, ?, 'https://example.com/', ?, 1, 1, '')`,
      )
      .run(added.body.data.id, second.username, title);
    const signOut = async () => {
      await page.getByRole('button', { name: /^Account:/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.waitForURL(/sign-in/);
    };
    await openList();
    await goTo('Domains');
    await page.waitForURL(/\/domains/);
    await signOut();
    let release = await holdReplies();
    try {
      await fillSignIn(page, second);
      await goTo('Links');
      await page.locator('tbody tr .row-place').first().waitFor();
      expect(await page.getByText(/^tall\d/).count()).toBe(0);
      await release();
      await page.getByText(title, { exact: true }).waitFor();
      await signOut();
      release = await holdReplies();
      await fillSignIn(page, { username, password });
      await goTo('Links');
      await page.locator('tbody tr .row-place').first().waitFor();
      expect(await page.getByText(title, { exact: true }).count()).toBe(0);
    } finally {
      await release();
    }
    await row(1).waitFor();
  });

  test('is gone back to while another page is still opening', async () => {
    await openList();
    await row(2).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/links\/\d+/);
    const release = await holdReplies('**/api/account');
    try {
      const asked = page.waitForRequest('**/api/account');
      await page.reload({ waitUntil: 'commit' });
      await asked;
      await page.goBack({ waitUntil: 'commit' });
    } finally {
      await release();
    }
    await page.locator('tbody tr[data-index="1"]:focus').waitFor();
    expect(new URL(page.url()).pathname).toBe('/admin/links');
  });

  test('is navigated by the same keys while nothing in particular has the focus', async () => {
    const isAt = async (place: number) => {
      await row(place).and(page.locator(':focus')).waitFor();
      await isVisible(place);
    };
    const leave = () =>
      page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    await openList();
    await page.locator('#content').focus();
    await page.keyboard.press('ArrowDown');
    await isAt(1);
    await leave();
    await page.keyboard.press('End');
    await isAt(count);
    await leave();
    await page.keyboard.press('Home');
    await isAt(1);
    // In a field they move the caret.
    await page.getByRole('textbox', { name: 'URL' }).first().fill('https://example.com/');
    await page.keyboard.press('End');
    await isVisible(1);
  });

  test('shows the host that all links have once, above them', async () => {
    const { host } = new URL(server.origin);
    const heading = page.getByRole('columnheader', { name: `Short link ${host}/`, exact: true });
    await heading.waitFor();
    expect(await page.locator('tbody').getByText(host).count()).toBe(0);
    await page.getByRole('link', { name: `${host}/tall${count}`, exact: true }).waitFor();
  });

  test('stays where it is while an error is shown above it', async () => {
    const field = page.getByRole('textbox', { name: 'URL' }).first();
    await field.fill('');
    const before = await scroller().boundingBox();
    await field.fill('https://exa mple.com/');
    await page.keyboard.press('Enter');
    const error = page.locator('form [data-slot="error"]');
    await error.waitFor();
    expect(await scroller().boundingBox()).toEqual(before);
    const [box, form] = [await error.boundingBox(), await page.locator('form').boundingBox()];
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual((form?.y ?? 0) + (form?.height ?? 0));
  });

  test('stays in place when scrolled far back, step by step', { tags: 'long' }, async () => {
    await dragTo(0.2);
    const first = page.locator('tbody tr[data-index]').first();
    const start = Number(await first.getAttribute('data-index'));
    // 60,000 pixels in steps that are no jumps.
    const seen = await scroller().evaluate(async (element) => {
      const places: number[] = [];
      for (let step = 0; step < 30; step += 1) {
        element.scrollBy(0, -2000);
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
        places.push(Number(element.querySelector('tr[data-index]')?.getAttribute('data-index')));
      }
      return places;
    });
    const end = Number(await first.getAttribute('data-index'));
    expect(start - end).toBeGreaterThanOrEqual(Math.floor(60_000 / 44) - 1);
    expect(start - end).toBeLessThanOrEqual(Math.ceil(60_000 / 44) + 1);
    expect(seen.every((place, step) => step === 0 || place <= (seen[step - 1] ?? 0))).toBe(true);
    expect(admin.complaints).toEqual([]);
  });
});
