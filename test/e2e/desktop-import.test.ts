import { expect, test } from 'vitest';
import { ask, desktopBench } from '../support/desktop-flow.ts';
import { linkFile, provideLinkFile } from '../support/link-file.ts';

const bench = desktopBench();

const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';

interface Listed {
  data: { result: number; urls: { alias: string; shorturl: string; longurl: string; clicks: number }[] };
}

test('an export of another service is imported, fifty of its links are followed, and the clicks appear', {
  tags: 'long',
}, async () => {
  const app = await bench.launchSetUp();
  const { page } = app;
  await page.getByRole('link', { name: 'Links', exact: true }).first().click();
  await page.getByRole('link', { name: 'Import a file' }).click();
  await page.locator('input[type=file]').setInputFiles(provideLinkFile());
  const rows = linkFile.rows.toLocaleString('en');
  await page.getByRole('button', { name: `Import ${rows} links` }).click();
  await page.getByText(`${rows} links were imported`).waitFor();

  await page.getByRole('link', { name: 'Links', exact: true }).first().click();
  await page.locator('tbody tr[data-index="0"]').getByRole('link').first().waitFor();
  await page.evaluate(() => Object.assign(window, { wasHereBefore: true }));
  const listed = (await ask(app, { method: 'GET', path: '/api/urls?limit=50' })).body as Listed;
  expect(listed.data.result).toBe(linkFile.rows);
  for (const link of listed.data.urls) {
    const reply = await fetch(link.shorturl, { redirect: 'manual', headers: { 'user-agent': phone } });
    expect([reply.status, reply.headers.get('location')]).toEqual([302, link.longurl]);
  }
  const [first] = listed.data.urls;
  await page
    .getByRole('row')
    .filter({ hasText: `/${first?.alias}` })
    .first()
    .getByRole('cell', { name: '1', exact: true })
    .waitFor();
  expect(await page.evaluate(() => 'wasHereBefore' in window)).toBe(true);
  await expect
    .poll(async () => {
      const { body } = await ask(app, { method: 'GET', path: '/api/urls?limit=50' });
      return (body as Listed).data.urls.filter(({ clicks }) => clicks === 1).length;
    })
    .toBe(50);
});
