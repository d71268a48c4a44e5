import type { Page } from 'playwright';
import { expect } from 'vitest';
import { type AdminPage, openAdminPage, signInAt } from './admin-page.ts';
import { startApp, type TestApp } from './app.ts';
import { openBrowser, type TestBrowser } from './browser.ts';

/** A list of links in the browser: `tall1`, `tall2` and so on, the last one the newest and the first in the list. */
export class NumberedLinks {
  readonly count: number;
  readonly server: TestApp;
  readonly admin: AdminPage;
  readonly #browser: TestBrowser;

  private constructor(count: number, server: TestApp, browser: TestBrowser, admin: AdminPage) {
    this.count = count;
    this.server = server;
    this.admin = admin;
    this.#browser = browser;
  }

  /** Makes `count` links of the first account, and opens the list of them. */
  static async open(count: number): Promise<NumberedLinks> {
    const server = await startApp({ ratelimit: 10_000 });
    server.databases.main.exec(`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
        INSERT INTO links (user_id, alias, url, created_at, updated_at, search)
        SELECT 1, 'tall' || i, 'https://example.com/' || i, i, 1, 'tall' || i FROM n;
      INSERT INTO aliases (domain_id, alias, kind, target_id) SELECT 0, alias, 'link', id FROM links;`);
    const browser = await openBrowser();
    const admin = await openAdminPage(browser, server.origin);
    const list = new NumberedLinks(count, server, browser, admin);
    await signInAt(admin.page, server.origin, '/links');
    await list.row(1).waitFor();
    return list;
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.server.close();
  }

  get page(): Page {
    return this.admin.page;
  }

  /** The row of the n-th link in the list, newest first. */
  row(place: number) {
    const text = `tall${this.count + 1 - place}`;
    return this.page.locator(`tbody tr[data-index="${place - 1}"]`, { hasText: text });
  }

  /** The element that scrolls. */
  scroller() {
    return this.page.locator('div:has(> table)');
  }

  /** Drags the scroll bar to a share of its way; returns the index of a row that is visible then. */
  async dragTo(share: number): Promise<number> {
    await this.scroller().evaluate((element, to) => element.scrollTo(0, element.scrollHeight * to), share);
    const seen = this.page.locator('tbody tr[data-index]').nth(18);
    let found = Number.NaN;
    // It may have been farther down before.
    await expect
      .poll(async () => {
        found = Number(await seen.getAttribute('data-index'));
        return Math.abs(found / this.count - share);
      })
      .toBeLessThan(0.05);
    await this.row(found + 1).waitFor();
    return found;
  }

  /** Follows a link of the frame. */
  async goTo(name: string): Promise<void> {
    await this.page.getByRole('link', { name, exact: true }).click();
  }

  /** Opens the list at its start, not where it was left. */
  async openAtStart(): Promise<void> {
    await this.page.goto(`${this.server.origin}/admin/overview`);
    await this.goTo('Links');
    await this.row(1).waitFor();
  }
}
