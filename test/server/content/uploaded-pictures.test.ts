import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import { addDomain } from '../../support/second-account.ts';

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

const send = (method: string, path: string, body: unknown, key?: string) =>
  server.request(method, path, { body, ...(key && { key }) });

async function uploaded(content = picture): Promise<string> {
  const { status, body } = await send('POST', '/api/picture/add', { picture: content });
  expect(status).toBe(200);
  return body.url;
}

/** The colour in the middle of the picture at a path, as a browser gets it. */
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

test('an uploaded picture is on a splash page, and on nobody’s screen before', async () => {
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

test('so it is on bio pages, in their blocks and on overlays', async () => {
  const [avatar, block, image] = [await uploaded(), await uploaded(), await uploaded()];
  const blocks = [{ type: 'image', image: block, alt: 'A square', url: null }];
  const bio = await send('POST', '/api/bio/add', { name: 'Me', alias: 'me', avatar, blocks });
  expect(bio.status).toBe(200);
  const shown = await sourcesIn('/me');
  expect(await Promise.all(shown.map(colorAt))).toEqual(['51 102 153', '51 102 153']);
  const overlay = { name: 'Look', type: 'image', content: { image, link: null } };
  expect((await send('POST', '/api/overlay/add', overlay)).status).toBe(200);
});

test('a preview draws it, and it is an avatar, a logo and a favicon', async () => {
  const url = await uploaded();
  const preview = (await send('POST', '/api/splash/preview', { name: 'x', banner: url })).body.data;
  expect(preview.problems).toEqual([]);
  expect(preview.html).toContain('data:image/png;base64,');
  expect((await send('PUT', '/api/account/update', { avatar: url })).status).toBe(200);
  const { avatar } = (await server.request('GET', '/api/account')).body.data;
  expect(await colorAt(avatar)).toBe('51 102 153');
  const domain = addDomain(server, 'pictures.example.com', 1);
  const changed = await send('PUT', `/api/domain/${domain}/update`, { logo: url, favicon: url });
  expect(changed.status).toBe(200);
  const { logo, favicon } = (await server.request('GET', `/api/domain/${domain}`)).body.data;
  expect([await colorAt(logo), await colorAt(favicon)]).toEqual(['51 102 153', '51 102 153']);
});

test('it waits for its form while other pages are saved and deleted, also across a restart', async () => {
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

test('of those that nothing shows the newest thirty stay', async () => {
  const oldest = await uploaded();
  const others: string[] = [];
  for (let count = 0; count < 30; count += 1) others.push(await uploaded());
  await send('POST', '/api/splash/add', { name: 'Sweeps' });
  const late = await send('POST', '/api/splash/add', { name: 'Too late', banner: oldest });
  expect(late.body).toMatchObject({ code: 'unreachable_url', field: 'banner' });
  expect((await send('POST', '/api/splash/add', { name: 'In time', banner: others[0] })).status).toBe(200);
});

test('a large one is made smaller, and what is no picture is refused in a sentence', async () => {
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

test('a path like that on another site is asked for there', async () => {
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
