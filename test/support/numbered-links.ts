import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect } from 'vitest';
import { type AdminPage, openAdminPage, signInAt } from './admin-page.ts';
import { startApp, type TestApp } from './app.ts';
import { openBrowser, type TestBrowser } from './browser.ts';

/** The list of a server's numbered links in the browser, for all tests of a file. */
export interface NumberedLinks {
  readonly server: TestApp;
  readonly page: Page;
  readonly complaints: AdminPage['complaints'];
  /** The row of the n-th link in the list, newest first. */
  row(place: number): Locator;
  /** The element that scrolls. */
  scroller(): Locator;
  /** Drags the scroll bar to a share of its way; returns the index of a row that is visible then. */
  dragTo(share: number): Promise<number>;
  /** Follows a link of the frame. */
  goTo(name: string): Promise<void>;
  /** Opens the list at its start, not where it was left. */
  openAtStart(): Promise<void>;
}

/** Makes `count` links, `tall1`, `tall2` and so on, the last one the newest, and opens the list of them. */
export function numberedLinks(count: number): NumberedLinks {
  let server: TestApp;
  let browser: TestBrowser;
  let admin: AdminPage;
  beforeAll(async () => {
    server = await startApp({ ratelimit: 10_000 });
    server.databases.main.exec(`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
        INSERT INTO links (user_id, alias, url, created_at, updated_at, search)
        SELECT 1, 'tall' || i, 'https://example.com/' || i, i, 1, 'tall' || i FROM n;
      INSERT INTO aliases (domain_id, alias, kind, target_id) SELECT 0, alias, 'link', id FROM links;`);
    browser = await openBrowser();
    admin = await openAdminPage(browser, server.origin);
    await signInAt(admin.page, server.origin, '/links');
    await row(1).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const row = (place: number) =>
    admin.page.locator(`tbody tr[data-index="${place - 1}"]`, { hasText: `tall${count + 1 - place}` });
  const scroller = () => admin.page.locator('div:has(> table)');
  const goTo = (name: string) => admin.page.getByRole('link', { name, exact: true }).click();

  return {
    get server() {
      return server;
    },
    get page() {
      return admin.page;
    },
    get complaints() {
      return admin.complaints;
    },
    row,
    scroller,
    goTo,
    async dragTo(share) {
      await scroller().evaluate((element, to) => element.scrollTo(0, element.scrollHeight * to), share);
      const seen = admin.page.locator('tbody tr[data-index]').nth(18);
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
    },
    async openAtStart() {
      await admin.page.goto(`${server.origin}/admin/overview`);
      await goTo('Links');
      await row(1).waitFor();
    },
  };
}
