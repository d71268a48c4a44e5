import { describe, expect, test } from 'vitest';
import { pageSize } from '../../renderer/api/page-size.ts';
import { fillSignIn } from '../support/admin-page.ts';
import { administrator } from '../support/app.ts';
import { anotherName } from '../support/names.ts';
import { numberedLinks } from '../support/numbered-links.ts';
import { findChromium } from '../support/provision.ts';
import { some } from '../support/trials.ts';

const count = 1_000;

describe.skipIf(!findChromium())('the list of links, on return', () => {
  const list = numberedLinks(count);

  /** Holds back the replies of the list, or others, from now on; returns a function that lets them through. */
  async function holdReplies(urls = '**/api/urls?*'): Promise<() => Promise<void>> {
    const replies = Promise.withResolvers<void>();
    await list.page.route(urls, async (route) => {
      await replies.promise;
      await route.continue();
    });
    return async () => {
      replies.resolve();
      await list.page.unrouteAll({ behavior: 'wait' });
    };
  }

  test('shows its rows at once on return, unless links were changed meanwhile', async () => {
    const isLoading = list.page.locator('tbody tr .row-place').first();
    await list.openAtStart();
    const before = await list.row(1).textContent();
    await list.goTo('Domains');
    await list.page.waitForURL(/\/domains/);
    list.server.databases.main.exec(`UPDATE links SET url = url || '/moved' WHERE alias = 'tall${count}'`);
    let release = await holdReplies();
    try {
      await list.goTo('Links');
      await list.row(1).waitFor();
      expect(await list.row(1).textContent()).toBe(before);
      await release();
      await expect.poll(() => list.row(1).textContent()).not.toBe(before);

      // A link that was just deleted must not be offered again while the list is loading.
      await list.row(1).focus();
      await list.page.keyboard.press('Enter');
      await list.page.waitForURL(/\/links\/\d+/);
      release = await holdReplies();
      await list.page.getByRole('button', { name: /^Actions for/ }).click();
      await list.page.getByRole('menuitem', { name: /^Delete/ }).click();
      await isLoading.waitFor();
      expect(await list.row(1).count()).toBe(0);
      await release();
      await list.page.getByRole('button', { name: 'Undo' }).click();
      await list.row(1).waitFor();
    } finally {
      await release();
    }
  });

  test('acts on the link that has the focus, although others came above it on return', async () => {
    const { main } = list.server.databases;
    const newer = anotherName('newer');
    await list.page.goto(`${list.server.origin}/admin/overview`);
    await list.goTo('Links');
    const first = list.page.locator('tbody tr[data-index="0"]');
    const alias = (await first.locator('bdi').first().textContent()) ?? '';
    await list.goTo('Domains');
    await list.page.waitForURL(/\/domains/);
    const release = await holdReplies();
    try {
      main
        .prepare(
          `INSERT INTO links (user_id, alias, url, created_at, updated_at, search)
           SELECT 1, ?, 'https://example.com/newer', max(created_at) + 1, 1, '' FROM links`,
        )
        .run(newer);
      await list.goTo('Links');
      await first.getByText(alias, { exact: true }).waitFor();
      await first.focus();
      await release();
      await list.page.locator('tbody tr[data-index="1"]:focus').waitFor();
      await list.page.keyboard.press('Delete');
      const isDeleted = () =>
        main.prepare('SELECT trashed_at IS NOT NULL FROM links WHERE alias = ?').pluck().get(alias);
      await expect.poll(isDeleted).toBe(1);
      await list.page.getByRole('button', { name: 'Undo' }).last().click();
      await expect.poll(isDeleted).toBe(0);
    } finally {
      await release();
      main.prepare('DELETE FROM links WHERE alias = ?').run(newer);
    }
  });

  const ways: [string, () => Promise<unknown>][] = [
    ['from the rows it had', () => Promise.resolve()],
    // Reloaded, the app has no rows to begin with.
    ['after a reload', () => list.page.reload()],
  ];
  test.each(some(ways, { from: 0, short: 1 }))(
    'comes back to the link that was left %s, although others came above it meanwhile',
    async (_, leave) => {
      const { main } = list.server.databases;
      // Enough for the link to be on another page of the list.
      const added = 30;
      await list.openAtStart();
      const index = await list.dragTo(0.38);
      expect(Math.floor(index / pageSize)).toBeLessThan(Math.floor((index + added) / pageSize));
      await list.row(index + 1).focus();
      const before = await list.row(index + 1).boundingBox();
      await list.page.keyboard.press('Enter');
      await list.page.waitForURL(/\/links\/\d+/);
      await leave();
      main.exec(`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${added})
        INSERT INTO links (user_id, alias, url, created_at, updated_at, search)
        SELECT 1, 'later' || i, 'https://example.com/later', ${count} + i, 1, '' FROM n`);
      try {
        await list.page.goBack();
        const left = list.page.locator(`tbody tr[data-index="${index + added}"]:focus`);
        await left.getByText(`tall${count - index}`, { exact: true }).waitFor();
        expect((await left.boundingBox())?.y).toBeCloseTo(before?.y ?? 0, -1);
        await list.page.keyboard.press('Enter');
        await list.page.waitForURL(`**/links/${count - index}`);
      } finally {
        main.exec("DELETE FROM links WHERE alias LIKE 'later%'");
      }
    },
  );

  test('is loaded while the pointer is on the link to it', async () => {
    await list.page.goto(`${list.server.origin}/admin/domains`);
    const link = list.page.getByRole('link', { name: 'Links', exact: true });
    await link.waitFor();
    const loaded = list.page.waitForResponse('**/api/urls?*');
    await link.hover();
    await loaded;
    const release = await holdReplies();
    try {
      await link.click();
      await list.row(1).waitFor();
    } finally {
      await release();
    }
  });

  test('is not loaded ahead against a refusal, which decides nothing', async () => {
    await list.page.goto(`${list.server.origin}/admin/domains`);
    const link = list.page.getByRole('link', { name: 'Links', exact: true });
    await link.waitFor();
    await list.page.route('**/api/urls?*', (route) =>
      route.fulfill({ status: 401, json: { error: 1, message: '' } }),
    );
    try {
      const refused = list.page.waitForResponse('**/api/urls?*');
      await link.hover();
      await refused;
      await list.goTo('Campaigns');
      await list.page.waitForURL(/\/campaigns/);
    } finally {
      await list.page.unrouteAll({ behavior: 'wait' });
    }
    await link.click();
    await list.row(1).waitFor();
  });

  test('shows nothing of another person’s who was signed in before', async () => {
    const [{ username, password }, title] = [administrator, 'Only of the second person'];
    const second = { username: anotherName('second'), password: 'a second long password' };
    const added = await list.server.request('POST', '/api/user/add', {
      body: { ...second, email: `${second.username}@example.com` },
    });
    list.server.databases.main
      .prepare(
        `INSERT INTO links (user_id, alias, url, title, created_at, updated_at, search)
         VALUES (?, ?, 'https://example.com/', ?, 1, 1, '')`,
      )
      .run(added.body.data.id, second.username, title);
    const signOut = async () => {
      await list.page.getByRole('button', { name: /^Account:/ }).click();
      await list.page.getByRole('menuitem', { name: 'Sign out' }).click();
      await list.page.waitForURL(/sign-in/);
    };
    await list.openAtStart();
    await list.goTo('Domains');
    await list.page.waitForURL(/\/domains/);
    await signOut();
    let release = await holdReplies();
    try {
      await fillSignIn(list.page, second);
      await list.goTo('Links');
      await list.page.locator('tbody tr .row-place').first().waitFor();
      expect(await list.page.getByText(/^tall\d/).count()).toBe(0);
      await release();
      await list.page.getByText(title, { exact: true }).waitFor();
      await signOut();
      release = await holdReplies();
      await fillSignIn(list.page, { username, password });
      await list.goTo('Links');
      await list.page.locator('tbody tr .row-place').first().waitFor();
      expect(await list.page.getByText(title, { exact: true }).count()).toBe(0);
    } finally {
      await release();
    }
    await list.row(1).waitFor();
  });

  test('is gone back to while another page is still opening', async () => {
    await list.openAtStart();
    await list.row(2).focus();
    await list.page.keyboard.press('Enter');
    await list.page.waitForURL(/\/links\/\d+/);
    const release = await holdReplies('**/api/account');
    try {
      const asked = list.page.waitForRequest('**/api/account');
      await list.page.reload({ waitUntil: 'commit' });
      await asked;
      await list.page.goBack({ waitUntil: 'commit' });
    } finally {
      await release();
    }
    await list.page.locator('tbody tr[data-index="1"]:focus').waitFor();
    expect(new URL(list.page.url()).pathname).toBe('/admin/links');
    expect(list.complaints).toEqual([]);
  });
});
