import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { ask, desktopBench } from '../support/desktop-flow.ts';

const bench = desktopBench();

interface Listed {
  result: number;
  list: { name: string; size: number; shorturl: string }[];
}

/** Chooses files that are made in the page: through the browser's debugging line large ones would take very long. */
function choose(page: Page, files: { name: string; text: string; times: number }[]): Promise<void> {
  return page.evaluate((chosen) => {
    const input = document.querySelector<HTMLInputElement>('input[type=file]');
    if (!input) throw new Error('there is nothing to choose files with');
    const transfer = new DataTransfer();
    for (const { name, text, times } of chosen) transfer.items.add(new File([text.repeat(times)], name));
    input.files = transfer.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  }, files);
}

test('files are uploaded from the desktop app, large ones too, and a removed one is not sent', {
  tags: 'long',
}, async () => {
  const app = await bench.launchSetUp();
  const { page } = app;
  const listed = async () => (await ask(app, { method: 'GET', path: '/api/files' })).body as Listed;
  await page.getByRole('link', { name: 'Files', exact: true }).first().click();
  await page.getByText('Share files with a short link').waitFor();
  await choose(page, [
    { name: 'notes.txt', text: 'hello from the desktop', times: 1 },
    { name: 'large.bin', text: 'waypost ', times: 750_000 },
  ]);
  await page.getByText('2 of 2 uploaded').waitFor();
  const { list } = await listed();
  expect(list.map(({ name, size }) => [name, size])).toEqual([
    ['large.bin', 6_000_000],
    ['notes.txt', 22],
  ]);
  const contents = await Promise.all(
    list.map(async ({ shorturl }) => Buffer.from(await (await fetch(shorturl)).arrayBuffer())),
  );
  expect(contents[0]?.equals(Buffer.alloc(6_000_000, 'waypost '))).toBe(true);
  expect(contents[1]?.toString()).toBe('hello from the desktop');

  await choose(page, [{ name: 'given-up.bin', text: 'x', times: 90_000_000 }]);
  await page.getByRole('progressbar').waitFor();
  await page.getByRole('button', { name: 'Cancel given-up.bin' }).click();
  await page.getByText('given-up.bin').waitFor({ state: 'detached' });
  await choose(page, [{ name: 'empty.txt', text: '', times: 1 }]);
  await page.getByRole('alert').filter({ hasText: 'The file is empty' }).waitFor();
  expect((await listed()).result).toBe(2);
});
