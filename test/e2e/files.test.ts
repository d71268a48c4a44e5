import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listFiles } from '../../server/contract/files.ts';
import { signInAt } from '../support/admin-page.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { faultsOf } from '../support/axe.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { findChromium } from '../support/provision.ts';
import { some } from '../support/trials.ts';

/** The page of files: dropped, downloaded, counted, changed and deleted. */
describe.skipIf(!findChromium())('the files page', () => {
  let server: TestApp;
  let browser: TestBrowser;
  let page: Page;
  const elsewhere: string[] = [];

  beforeAll(async () => {
    server = await startApp({ ratelimit: 10_000, maxUploadMb: 1 });
    browser = await openBrowser();
    const context = await browser.newContext({ bypassCSP: true, reducedMotion: 'reduce' });
    context.on('request', (request) => {
      const isOwn = request.url().startsWith(server.origin) || /^(data|blob):/.test(request.url());
      if (!isOwn) elsewhere.push(request.url());
    });
    page = await context.newPage();
    page.setDefaultTimeout(45_000);
    await signInAt(page, server.origin, '/files');
    await page.getByText('Share files with a short link').waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  /** Drops files onto the page as a file manager does. */
  async function drop(files: { name: string; content: string }[]): Promise<void> {
    const transfer = await page.evaluateHandle((dropped) => {
      const data = new DataTransfer();
      for (const { name, content } of dropped) data.items.add(new File([content], name));
      return data;
    }, files);
    for (const type of ['dragenter', 'dragover', 'drop']) {
      await page.dispatchEvent('body', type, { dataTransfer: transfer });
    }
  }

  const row = (name: string) => page.getByRole('row').filter({ hasText: name });

  test('dropped files get short links, and downloads are counted', async () => {
    await drop([
      { name: 'price list.txt', content: 'apples 3' },
      { name: 'notes.md', content: '# hello' },
    ]);
    await page.getByText('2 of 2 uploaded').waitFor();
    await row('price list.txt').waitFor();

    const { list } = await server.call(listFiles, { query: { name: 'price' } });
    const download = await fetch(list[0]?.shorturl ?? '');
    expect(await download.text()).toBe('apples 3');
    await page.reload();
    await row('price list.txt').getByRole('cell', { name: '1', exact: true }).waitFor();
  });

  test('a limit is set in the form beside the list', async () => {
    await page.getByRole('button', { name: 'Edit notes.md' }).click();
    await page.getByLabel('Download limit').fill('1');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await row('notes.md').getByText('0 of 1').waitFor();

    const { list } = await server.call(listFiles, { query: { name: 'notes' } });
    expect((await fetch(list[0]?.shorturl ?? '')).status).toBe(200);
    expect((await fetch(list[0]?.shorturl ?? '')).status).toBe(410);
    await page.reload();
    await row('notes.md').getByText('Download limit reached').waitFor();
  });

  test('a refused file gives the reason and the next one continues', async () => {
    await drop([
      { name: 'large.bin', content: 'x'.repeat(1_200_000) },
      { name: 'small.bin', content: 'x' },
    ]);
    await row('small.bin').waitFor();
    await page
      .getByRole('alert')
      .filter({ hasText: /large|MB/i })
      .waitFor();
    await page.getByRole('button', { name: 'Remove large.bin from this list' }).click();
  });

  test('files are uploaded with what is filled in beside the list', { tags: 'long' }, async () => {
    await page.getByRole('button', { name: 'Upload with options' }).click();
    const form = page.getByRole('dialog', { name: 'Upload with options' });
    await form.getByRole('button', { name: 'Upload', exact: true }).click();
    await form.getByText('Choose at least one file.').waitFor();
    await form
      .locator('input[type=file]')
      .setInputFiles({ name: 'offer.txt', mimeType: 'text/plain', buffer: Buffer.from('ten percent') });
    await form.getByText('offer.txt').waitFor();
    await form.getByLabel('Name').fill('Spring offer');
    await form.getByLabel('Short link').fill('spring-offer');
    await form.getByLabel('Password', { exact: true }).fill('tulip');
    await form.getByLabel('Expires on').fill('2027-05-31');
    await form.getByLabel('Download limit').fill('3');
    await form.getByRole('button', { name: 'Upload', exact: true }).click();
    await row('Spring offer').waitFor();

    const { list } = await server.call(listFiles, { query: { name: 'spring' } });
    expect(list[0]).toMatchObject({
      name: 'Spring offer',
      filename: 'offer.txt',
      shorturl: `${server.origin}/spring-offer`,
      protected: true,
      expiry: '2027-05-31',
      maxdownloads: 3,
    });
    const asked = await fetch(`${server.origin}/spring-offer`);
    expect(await asked.text()).toContain('This file is protected');
  });

  test('a lost connection pauses the queue, and a button resumes it', async () => {
    await page.route('**/api/files/upload/**', (route) => route.abort('connectionfailed'));
    await drop([
      { name: 'first.txt', content: '1' },
      { name: 'second.txt', content: '2' },
    ]);
    await page.getByText('The connection was lost while the file was sent.').waitFor();
    expect((await server.call(listFiles, { query: { name: 'first' } })).result).toBe(0);
    await page.unroute('**/api/files/upload/**');
    await page.getByRole('button', { name: 'Resume' }).click();
    await row('first.txt').waitFor();
    await row('second.txt').waitFor();
  });

  test('a file that the server could not store is retried with a button', { tags: 'long' }, async () => {
    let refusals = 1;
    await page.route('**/api/files/upload/**', (route) => {
      if (refusals === 0) return route.continue();
      refusals -= 1;
      const body = { error: 1, code: 'disk_full', message: 'The server’s disk is full.' };
      return route.fulfill({ status: 507, contentType: 'application/json', body: JSON.stringify(body) });
    });
    await drop([{ name: 'again.txt', content: 'x' }]);
    await page.getByRole('alert').filter({ hasText: 'The server’s disk is full.' }).waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await row('again.txt').waitFor();
    await page.unroute('**/api/files/upload/**');
  });

  test('features missing from the plan are shown as such', { tags: 'long' }, async () => {
    const body = { permissions: { password: false, alias: false } };
    await server.request('PUT', '/api/plan/2/update', { body });
    await page.reload();
    await page.getByRole('button', { name: 'Upload with options' }).click();
    const form = page.getByRole('dialog', { name: 'Upload with options' });
    await form.getByText('Your plan doesn’t include passwords.').waitFor();
    await form.getByText('Your plan doesn’t include custom aliases.').waitFor();
    await expect.poll(() => form.getByLabel('Password', { exact: true }).isDisabled()).toBe(true);
    await expect.poll(() => form.getByLabel('Short link').isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    await page.keyboard.press('c');
    const link = page.getByRole('dialog', { name: 'New link' });
    await link.getByText('Your plan doesn’t include custom aliases.').waitFor();
    await expect.poll(() => link.getByLabel('Short link').isDisabled()).toBe(true);
    await link.getByRole('button', { name: 'Password' }).click();
    await link.getByText('Your plan doesn’t include passwords.').waitFor();
    await page.keyboard.press('Escape');
    await link.waitFor({ state: 'detached' });
    await server.request('PUT', '/api/plan/2/update', {
      body: { permissions: { password: true, alias: true } },
    });
    await page.reload();
  });

  test('a file is deleted only after confirmation', async () => {
    await page.getByRole('button', { name: 'Actions for small.bin' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete permanently' }).click();
    await row('small.bin').waitFor({ state: 'detached' });
    // The row goes at once, and comes back if the server refuses.
    const left = async () => (await server.call(listFiles, { query: { name: 'small' } })).result;
    await expect.poll(left).toBe(0);
  });

  test.each(some(['light', 'dark'] as const, { from: 0, short: 1 }))(
    'the list is accessible when it is %s',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme });
      expect(await faultsOf(page, { theme: colorScheme })).toEqual([]);
    },
  );

  test('no request went elsewhere', () => expect(elsewhere).toEqual([]));
});
