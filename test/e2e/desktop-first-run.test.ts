import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ask, desktopBench, isAlive, serverState, setUpByClicking } from '../support/desktop-flow.ts';

const bench = desktopBench();

/** Programs are counted apart, as bots. */
const browser =
  'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

test('the first run needs one click, then a link is made, followed and counted', async () => {
  const app = await bench.launch();
  const { page } = app;
  await page.getByRole('heading', { name: 'Welcome to Waypost' }).waitFor();
  for (const field of ['Name', 'Username', 'Email', 'Password']) {
    await expect.poll(() => page.getByLabel(field, { exact: true }).inputValue()).not.toBe('');
  }
  await setUpByClicking(app);

  await page.getByRole('textbox', { name: 'URL to shorten' }).fill('https://example.com/a/long/address?a=1');
  await page.getByRole('button', { name: 'Shorten' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click();
  const { text: short } = await app.waitFor('copied');

  const followed = await fetch(short, { redirect: 'manual', headers: { 'user-agent': browser } });
  expect([followed.status, followed.headers.get('location')]).toEqual([
    302,
    'https://example.com/a/long/address?a=1',
  ]);
  // The page hears of it by the live stream, without being asked to look again.
  await page
    .getByText(/^just now$|^now$|second/i)
    .first()
    .waitFor();
  const id = new URL(short).pathname.slice(1);
  const { body } = await ask(app, { method: 'GET', path: `/api/urls?short=${id}` });
  expect(body).toMatchObject({ data: { urls: [{ alias: id, clicks: 1 }] } });
  expect(app.told.filter(({ type }) => type === 'requested')).toEqual([]);
});

test('later starts go straight in, on the same port, with everything there', async () => {
  const first = await bench.launch();
  const key = await setUpByClicking(first);
  const made = await ask(first, {
    method: 'POST',
    path: '/api/url/add',
    body: { url: 'https://example.com' },
  });
  const running = await serverState(first, 'running');
  const pid = first.serverPid();
  await first.close();
  expect(await first.exited).toBe(0);
  expect(isAlive(pid)).toBe(false);
  expect(first.log()).not.toContain('did not stop in time');

  const second = await bench.launch();
  await second.page.getByRole('heading', { name: 'Overview' }).waitFor();
  expect(await serverState(second, 'running')).toEqual(running);
  const { body } = await ask(second, { method: 'GET', path: '/api/urls' });
  expect(body).toMatchObject({ data: { urls: [{ id: (made.body as { id: number }).id }] } });

  // What the API key may is the person's own matter: the app has a session, which nobody can read off the disk.
  expect(filesBelow(bench.userData()).filter((file) => readFileSync(file).includes(key))).toEqual([]);
  expect(
    await second.page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage })),
  ).not.toMatch(/wp_/);
});

test('the commands of the menu reach the page', async () => {
  const app = await bench.launch();
  await setUpByClicking(app);
  app.order({ type: 'click-menu', id: 'search' });
  await app.page.getByPlaceholder(/search links/i).waitFor();
  await app.page.keyboard.press('Escape');
  app.order({ type: 'click-menu', id: 'new-link' });
  await app.page.getByRole('dialog').getByRole('button', { name: 'Create link' }).waitFor();
});

function filesBelow(folder: string): string[] {
  return (
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      // Chromium's own profile is part of the stand-in, but what a page leaves there counts.
      .filter((file) => !/SingletonLock|SingletonSocket|SingletonCookie/.test(file))
  );
}
