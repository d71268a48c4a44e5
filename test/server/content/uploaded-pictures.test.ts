import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pictureQueries } from '../../../server/content/pictures/queries.ts';
import { captureChanges } from '../../../server/network/fleet/capture.ts';
import { readChanges } from '../../../server/network/fleet/records.ts';
import { transactions } from '../../../server/platform/database/transactions.ts';
import { trashJob } from '../../../server/platform/trash/job.ts';
import { trashQueries } from '../../../server/platform/trash/queries.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { addDomain, secondAccount } from '../../support/second-account.ts';
import { newTeam } from '../../support/team.ts';

let server: TestApp;
let picture: string;
beforeAll(async () => {
  server = await startApp({ ratelimit: 100_000 });
  picture = await drawn('#336699');
});
afterAll(() => server.close());

async function drawn(background: string, width = 40, height = 40): Promise<string> {
  const png = await sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
  return `data:image/png;base64,${png.toString('base64')}`;
}

/** The job that forgets what nobody needs any more, at some moment. */
const hourlyJob = (now: number) =>
  trashJob({
    queries: trashQueries(server.databases.main),
    transactions: transactions(server.databases.main),
    pictures: pictureQueries(server.databases.main),
    clock: { isTrusted: () => true },
    now: () => now,
  });

const send = (method: string, path: string, body: unknown, key?: string) =>
  server.request(method, path, { body, ...(key && { key }) });

async function uploaded(content = picture): Promise<string> {
  const { status, body } = await send('POST', '/api/picture/add', { picture: content });
  expect(status).toBe(200);
  return body.url;
}

/** The color in the middle of the picture at a path, as a browser gets it. */
async function colorAt(address: string): Promise<string> {
  const reply = await fetch(new URL(new URL(address, server.origin).pathname, server.origin));
  expect(reply.status).toBe(200);
  const { data } = await sharp(Buffer.from(await reply.arrayBuffer()))
    .resize(1, 1)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return [...data].join(' ');
}

const sourcesIn = async (path: string) =>
  [...(await (await fetch(`${server.origin}${path}`)).text()).matchAll(/<img[^>]* src="([^"]+)"/g)].map(
    ([, source]) => source ?? '',
  );

test('an uploaded picture appears on a splash page, and nowhere before that', async () => {
  const url = await uploaded();
  const before = await fetch(new URL(new URL(url).pathname, server.origin));
  expect(before.status).not.toBe(200);
  const { id } = (await send('POST', '/api/splash/add', { name: 'Sale', banner: url })).body;
  await send('POST', '/api/url/add', { url: 'https://example.com/', custom: 'sale', type: String(id) });
  const [banner = ''] = await sourcesIn('/sale');
  expect(await colorAt(banner)).toBe('51 102 153');
  expect(await colorAt(url)).toBe('51 102 153');
  expect((await server.request('GET', `/api/splash/${id}`)).body.data.banner).toBe(url);
});

test('and on bio pages, in their blocks and on overlays', async () => {
  const [avatar, block, image] = [await uploaded(), await uploaded(), await uploaded()];
  const blocks = [{ type: 'image', image: block, alt: 'A square', url: null }];
  const bio = await send('POST', '/api/bio/add', { name: 'Me', alias: 'me', avatar, blocks });
  expect(bio.status).toBe(200);
  const shown = await sourcesIn('/me');
  expect(await Promise.all(shown.map(colorAt))).toEqual(['51 102 153', '51 102 153']);
  const overlay = { name: 'Look', type: 'image', content: { image, link: null } };
  expect((await send('POST', '/api/overlay/add', overlay)).status).toBe(200);
});

test('a preview shows it, and it can be an avatar, a logo and a favicon', async () => {
  const url = await uploaded();
  const preview = (await send('POST', '/api/splash/preview', { name: 'x', banner: url })).body.data;
  expect(preview.problems).toEqual([]);
  expect(preview.html).toContain('data:image/png;base64,');
  // A frame that may not leave would complain.
  expect(preview.html).not.toContain('http-equiv="refresh"');
  expect((await send('PUT', '/api/account/update', { avatar: url })).status).toBe(200);
  const { avatar } = (await server.request('GET', '/api/account')).body.data;
  expect(await colorAt(avatar)).toBe('51 102 153');
  const domain = addDomain(server, 'pictures.example.com', 1);
  const changed = await send('PUT', `/api/domain/${domain}/update`, { logo: url, favicon: url });
  expect(changed.status).toBe(200);
  const { logo, favicon } = (await server.request('GET', `/api/domain/${domain}`)).body.data;
  expect([await colorAt(logo), await colorAt(favicon)]).toEqual(['51 102 153', '51 102 153']);
});

test('it waits for its form while other pages are saved and deleted, even across a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-uploaded-'));
  const before = await startApp({ folder });
  const post = async (path: string, body: unknown) => (await before.request('POST', path, { body })).body;
  const { url } = await post('/api/picture/add', { picture });
  const { url: shown } = await post('/api/picture/add', { picture });
  const { id } = await post('/api/splash/add', { name: 'Other', banner: shown });
  await before.request('DELETE', `/api/splash/${id}/delete`);
  await before.close();
  const after = await startApp({ folder });
  try {
    const body = { name: 'Late', avatar: url };
    expect((await after.request('POST', '/api/splash/add', { body })).status).toBe(200);
  } finally {
    await after.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('an unused upload is kept for a day, however many follow', async () => {
  const oldest = await uploaded();
  for (let count = 0; count < 100; count += 1) await uploaded();
  await send('POST', '/api/splash/add', { name: 'Sweeps' });
  expect((await send('POST', '/api/splash/add', { name: 'In time', banner: oldest })).status).toBe(200);

  const waiting = await uploaded();
  const job = hourlyJob(server.clock.now() + 86_399_999);
  await job.run(new AbortController().signal);
  expect((await send('POST', '/api/splash/preview', { banner: waiting })).body.data.problems).toEqual([]);
  await hourlyJob(server.clock.now() + 86_400_000).run(new AbortController().signal);
  const late = await send('POST', '/api/splash/add', { name: 'Too late', banner: waiting });
  expect(late.body).toMatchObject({ code: 'unreachable_url', field: 'banner' });
  expect(await colorAt(oldest)).toBe('51 102 153');
});

test('at most three hundred wait at once, the newest ones', async () => {
  const account = secondAccount(server, 'many');
  const upload = async () =>
    (await account.request('POST', '/api/picture/add', { body: { picture } })).body.url as string;
  const take = (banner: string) =>
    account.request('POST', '/api/splash/add', { body: { name: 'Takes', banner } });
  const urls: string[] = [];
  for (let count = 0; count < 301; count += 1) urls.push(await upload());
  expect((await take(urls[0] ?? '')).body.code).toBe('unreachable_url');
  expect((await take(urls[1] ?? '')).status).toBe(200);
});

test('before a page shows it, it belongs to its account, and no preview shows it to others', async () => {
  const url = await uploaded();
  const other = secondAccount(server, 'other');
  const taken = await other.request('POST', '/api/splash/add', { body: { name: 'Theirs', banner: url } });
  expect(taken.body).toMatchObject({ code: 'unreachable_url', field: 'banner' });
  const blocks = [{ type: 'image', image: url, alt: 'A square', url: null }];
  const preview = await send('POST', '/api/bio/preview', { name: 'Draft', avatar: url, blocks });
  expect(preview.status).toBe(200);
  const path = `${server.origin}${new URL(url).pathname}`;
  expect((await fetch(path)).status).toBe(404);
  expect((await send('POST', '/api/splash/add', { name: 'Shows', banner: url })).status).toBe(200);
  expect((await fetch(path)).status).toBe(200);
});

test("a page that moves refers to its new account's copy", async () => {
  const { owner, id: team } = await newTeam(server, 'movers');
  const own = (method: string, path: string, body?: object) =>
    owner.request(method, path, body ? { body } : {});
  const { url } = (await own('POST', '/api/picture/add', { picture })).body;
  const blocks = [{ type: 'image', image: url, alt: 'A square', url: null }];
  const made = {
    splash: (await own('POST', '/api/splash/add', { name: 'Moves', avatar: url, banner: url })).body.id,
    overlays: (
      await own('POST', '/api/overlay/add', {
        name: 'Moves',
        type: 'image',
        content: { image: url, link: null },
      })
    ).body.id,
    bio: (await own('POST', '/api/bio/add', { name: 'Moves', avatar: url, blocks })).body.id,
  };
  for (const [resource, id] of Object.entries(made)) {
    const order = { from: owner.id, to: team, resource, ids: [id], related: 'leave' };
    expect((await own('POST', '/api/move', order)).body).toMatchObject({ moved: 1 });
  }
  // What nothing shows there any more goes with the next change.
  await own('POST', '/api/splash/add', { name: 'Sweeps' });
  expect((await fetch(new URL(new URL(url).pathname, server.origin))).status).toBe(404);
  const there = async (path: string) => (await owner.inTeam('GET', path)).body.data;
  const splash = await there(`/api/splash/${made.splash}`);
  const bio = await there(`/api/bio/${made.bio}`);
  const overlay = await there(`/api/overlay/${made.overlays}`);
  const named = [splash.avatar, splash.banner, overlay.content.image, bio.avatar, bio.blocks[0].image];
  expect(await Promise.all(named.map(colorAt))).toEqual(named.map(() => '51 102 153'));
});

test('edges of a fleet have it as long as a page shows it', async () => {
  const origin = await startApp();
  const { main } = origin.databases;
  const newest = () =>
    main.prepare<[], number>('SELECT ifnull(max(id), 0) FROM fleet_changes').pluck().get() ?? 0;
  const published = (after: number) => {
    const found = readChanges(main, after);
    return typeof found === 'object' ? found.tables.page_pictures : undefined;
  };
  captureChanges(main);
  const post = async (path: string, body: object) => (await origin.request('POST', path, { body })).body;
  const { url } = await post('/api/picture/add', { picture });
  const key = main.prepare<[string], number>('SELECT id FROM page_pictures WHERE url = ?').pluck().get(url);
  expect(published(0)).toBeUndefined();
  const { id } = await post('/api/splash/add', { name: 'Sale', banner: url });
  expect(published(0)).toMatchObject({ keys: [[key]], rows: [expect.arrayContaining([key, url])] });
  const before = newest();
  await origin.request('DELETE', `/api/splash/${id}/delete`);
  expect(published(before)).toMatchObject({ keys: [[key]], rows: [] });
  await origin.close();
});

test('a large one is made smaller, and what is not a picture is refused with a reason', async () => {
  const wide = await uploaded(await drawn('#fff', 3000, 1000));
  await send('POST', '/api/bio/add', { name: 'Wide', alias: 'wide', avatar: wide });
  const bytes = await (await fetch(`${server.origin}${new URL(wide).pathname}`)).arrayBuffer();
  const { width, height } = await sharp(Buffer.from(bytes)).metadata();
  expect([width, height]).toEqual([1200, 400]);
  for (const bad of [
    'hello',
    'https://example.com/a.png',
    'data:image/svg+xml;base64,PHN2Zy8+',
    `${picture}!`,
  ]) {
    const { status, body } = await send('POST', '/api/picture/add', { picture: bad });
    expect([status, body.code, body.message]).toEqual([
      400,
      'invalid_image',
      'Choose a PNG or JPEG picture.',
    ]);
  }
  const broken = `data:image/png;base64,${Buffer.from('no picture').toString('base64')}`;
  expect((await send('POST', '/api/picture/add', { picture: broken })).body.code).toBe('invalid_image');
  const large = await send('POST', '/api/picture/add', { picture: 'x'.repeat(900_001) });
  expect([large.status, large.body.message]).toEqual([400, 'Use a picture of at most 600 kB.']);
});

test('a path like that on another site is requested there', async () => {
  const asked: string[] = [];
  const site: Server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(404).end();
  });
  await once(site.listen(0, '127.0.0.1'), 'listening');
  try {
    const path = `/img/${'0'.repeat(32)}`;
    const { port } = site.address() as { port: number };
    const reply = await send('POST', '/api/splash/add', {
      name: 'x',
      banner: `http://127.0.0.1:${port}${path}`,
    });
    // The guard refuses addresses that are not public: nothing of this instance stands in for them.
    expect(reply.body).toMatchObject({ code: 'unreachable_url', field: 'banner' });
    expect(asked).toEqual([]);
  } finally {
    site.close();
  }
});
