import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AdminPage, openAdminPage, signInAt } from '../support/admin-page.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openBrowser, type TestBrowser } from '../support/browser.ts';
import { findChromium } from '../support/provision.ts';

/** What a row of the list of links tells of its link before it is opened. */
describe.skipIf(!findChromium())('the row of a link', () => {
  let server: TestApp;
  let browser: TestBrowser;
  let admin: AdminPage;

  beforeAll(async () => {
    server = await startApp();
    browser = await openBrowser();
    admin = await openAdminPage(browser, server.origin);
    const overlay = { name: 'Note', type: 'message', content: { text: 'Hello' } };
    const { id } = (await server.request('POST', '/api/overlay/add', { body: overlay })).body;
    await add('plain');
    await add('busy', {
      password: 'secret',
      locked: true,
      type: `overlay-${id}`,
      clicklimit: 100,
      expiry: '2099-05-01',
      geotarget: [{ location: 'DE', link: 'https://example.com/de' }],
      abtesting: [{ url: 'https://example.com/b', percentage: 50 }],
    });
    await add('framed', { type: 'frame' });
    await add('waiting', { type: 'splash', notbefore: '2099-01-01' });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  async function add(custom: string, more: object = {}): Promise<void> {
    const body = { url: `https://example.com/${custom}`, custom, ...more };
    expect((await server.request('POST', '/api/url/add', { body })).status).toBe(200);
  }

  test('shows unusual properties as text, at every width, and nothing else', { tags: 'long' }, async () => {
    await signInAt(admin.page, server.origin, '/links');
    const marks = (alias: string) => admin.row(`/${alias}`).getByRole('img');
    for (const width of [1440, 1024, 390]) {
      await admin.page.setViewportSize({ width, height: 900 });
      for (const name of [
        'Locked',
        'Password-protected',
        'One targeted destination',
        'A/B test with one variant',
        'With an overlay',
        'Limited to 100 clicks',
        /^Expires .*2099/,
      ]) {
        const mark = admin.row('/busy').getByRole('img', { name, exact: true });
        await mark.waitFor();
        // Whoever points at it reads the same.
        expect(await mark.getAttribute('title')).toMatch(name);
      }
      await admin.row('/framed').getByRole('img', { name: 'In a frame' }).waitFor();
      // The day stands in the row's state already.
      await admin.row('/waiting').getByText('Scheduled').first().waitFor();
      await expect.poll(() => marks('waiting').count()).toBe(1);
      await expect.poll(() => marks('plain').count()).toBe(0);
      await expect.poll(() => marks('busy').count()).toBe(7);
    }
  });
});
