import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listFiles } from '../../server/contract/files.ts';
import { type AdminPage, openAdminPage, signInAt } from '../support/admin-page.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { faultsOf } from '../support/axe.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { findChromium } from '../support/provision.ts';

/** The space that a plan gives: set by the administrator, seen on the page of files, and kept to. */
describe.skipIf(!findChromium())('the storage of a plan', () => {
  let server: TestApp;
  let browser: TestBrowser;
  let admin: AdminPage;

  beforeAll(async () => {
    server = await startApp({ ratelimit: 10_000 });
    browser = await openBrowser();
    admin = await openAdminPage(browser, server.origin);
    await signInAt(admin.page, server.origin, '/files');
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const choose = (...files: { name: string; bytes: number }[]) =>
    admin.page
      .locator('input[data-files]')
      .setInputFiles(
        files.map(({ name, bytes }) => ({ name, mimeType: 'text/plain', buffer: Buffer.alloc(bytes, 'x') })),
      );

  test('is unlimited at first: the files page shows what is used', async () => {
    const { page } = admin;
    await page.getByText('0 bytes used').waitFor();
    await choose({ name: 'first.txt', bytes: 400_000 });
    await page.getByText('400 kB used').waitFor();
  });

  test('is set in the plan form, and shown on its card', async () => {
    const { page } = admin;
    await page.goto(`${server.origin}/admin/settings/plans`);
    await page.getByRole('button', { name: 'Edit Pro' }).click();
    await page.getByLabel('Storage for files and pictures (MB)').fill('1');
    expect(await faultsOf(page, { theme: 'light' })).toEqual([]);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('1 MB').waitFor();
    await page.reload();
    await page.getByText('1 MB').waitFor();
  });

  test('is shared by all files: a file that does not fit is refused with both numbers', async () => {
    const { page } = admin;
    await page.goto(`${server.origin}/admin/files`);
    await page.getByText('400 kB of 1 MB used').waitFor();
    await choose({ name: 'large.txt', bytes: 700_000 }, { name: 'small.txt', bytes: 550_000 });
    await page
      .getByText('Your files and pictures use 0.4 MB of the 1 MB in your plan, so this does not fit.')
      .waitFor();
    await admin.row('small.txt').waitFor();
    await page.getByText('950 kB of 1 MB used').waitFor();
    const { list } = await server.call(listFiles, { query: {} });
    expect(list.map(({ name }) => name)).toEqual(['small.txt', 'first.txt']);
    const download = await fetch(list[0]?.shorturl ?? '');
    expect((await download.arrayBuffer()).byteLength).toBe(550_000);
  });

  test('is free again after a file is deleted', { tags: 'long' }, async () => {
    const { page } = admin;
    await page.getByRole('button', { name: 'Actions for first.txt' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete permanently' }).click();
    await page.getByText('550 kB of 1 MB used').waitFor();
  });

  test.each(['light', 'dark'] as const)('is shown accessibly, %s', { tags: 'long' }, async (colorScheme) => {
    const { page, complaints } = admin;
    await page.emulateMedia({ colorScheme });
    expect(await faultsOf(page, { theme: colorScheme })).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
