import { afterEach, beforeEach, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import { pictureNetwork } from '../../support/picture-network.ts';

let server: TestApp;
/** Fetches of addresses with `slow` in them; each waits until it is let go. */
let slow: (() => void)[];
beforeEach(async () => {
  slow = [];
  const { fetcher } = await pictureNetwork();
  server = await startApp({
    ratelimit: 1000,
    fetcher: {
      async get(url, options) {
        if (url.includes('slow')) await new Promise<void>((resolve) => slow.push(resolve));
        return fetcher.get(url, options);
      },
    },
  });
});
afterEach(() => server.close());

const send = (method: string, path: string, body?: unknown) =>
  server.request(method, path, body === undefined ? {} : { body });

/** Deletes another page, which removes the pictures that no page shows. */
async function deleteAnotherPage(): Promise<void> {
  const { id } = (await send('POST', '/api/splash/add', { name: 'another' })).body;
  expect((await send('DELETE', `/api/splash/${id}/delete`)).status).toBe(200);
}

/** The pictures of a page, as a visitor's browser asks for them. */
async function picturesOf(alias: string): Promise<number[]> {
  const page = await (await fetch(`${server.origin}/${alias}`)).text();
  const addresses = [...page.matchAll(/<img[^>]* src="([^"]+)"/g)].map(([, src]) => src ?? '');
  return Promise.all(addresses.map(async (src) => (await fetch(new URL(src, server.origin))).status));
}

const image = (url: string) => ({ type: 'image', image: url, alt: 'A square', url: null });

test('a new bio page keeps pictures fetched before another page was deleted', async () => {
  const blocks = [image('https://p.example/first.png'), image('https://p.example/slow.png')];
  const reply = send('POST', '/api/bio/add', { name: 'x', alias: 'mine', blocks });
  await expect.poll(() => slow.length).toBe(1);
  await deleteAnotherPage();
  for (const letGo of slow) letGo();
  expect((await reply).status).toBe(200);
  expect(await picturesOf('mine')).toEqual([200, 200]);
});

test('so does an updated one', async () => {
  const { id } = (await send('POST', '/api/bio/add', { name: 'x', alias: 'mine' })).body;
  const blocks = [image('https://p.example/first.png'), image('https://p.example/slow.png')];
  const reply = send('PUT', `/api/bio/${id}/update`, { blocks });
  await expect.poll(() => slow.length).toBe(1);
  await deleteAnotherPage();
  for (const letGo of slow) letGo();
  expect((await reply).status).toBe(200);
  expect(await picturesOf('mine')).toEqual([200, 200]);
});

test('a picture that another page dropped meanwhile is stored again', async () => {
  const first = image('https://p.example/first.png');
  const { id } = (await send('POST', '/api/bio/add', { name: 'x', alias: 'old', blocks: [first] })).body;
  const blocks = [first, image('https://p.example/slow.png')];
  const reply = send('POST', '/api/bio/add', { name: 'y', alias: 'new', blocks });
  await expect.poll(() => slow.length).toBe(1);
  await send('PUT', `/api/bio/${id}/update`, { blocks: [] });
  for (const letGo of slow) letGo();
  expect((await reply).status).toBe(200);
  expect(await picturesOf('new')).toEqual([200, 200]);
});

test('a splash page keeps both of its pictures', async () => {
  const body = { name: 'x', avatar: 'https://p.example/first.png', banner: 'https://p.example/slow.png' };
  const reply = send('POST', '/api/splash/add', body);
  await expect.poll(() => slow.length).toBe(1);
  await deleteAnotherPage();
  for (const letGo of slow) letGo();
  const { id } = (await reply).body;
  const link = { url: 'https://example.com/', custom: 'splashed', type: String(id) };
  expect((await send('POST', '/api/url/add', link)).status).toBe(200);
  expect(await picturesOf('splashed')).toEqual([200, 200]);
});
