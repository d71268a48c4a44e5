import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import { browsers, visit } from '../../support/visits.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp();
});
afterAll(() => server.close());

/** The bytes of a page as they travel. */
function bytesOf(path: string, accepted: string): Promise<{ coding: string | null; body: Buffer }> {
  // Fetch would unpack them.
  return new Promise((resolve, reject) => {
    const headers = { 'User-Agent': browsers.windows, 'Accept-Language': 'en', 'Accept-Encoding': accepted };
    const sent = request({ host: '127.0.0.1', port: server.port, path, headers }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () =>
        resolve({ coding: response.headers['content-encoding'] ?? null, body: Buffer.concat(pieces) }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}

test('a long bio page is compressed for browsers that accept that, with the same content', async () => {
  const blocks = Array.from({ length: 40 }, (_, index) => ({
    type: 'link',
    title: `Shop number ${index}`,
    url: `https://shop.example.com/${index}`,
  }));
  await server.request('POST', '/api/bio/add', { body: { name: 'Anna', alias: 'anna', blocks } });
  const plain = await visit(server, '/anna');
  expect([plain.status, plain.headers['content-encoding'], plain.headers.vary]).toEqual([
    200,
    undefined,
    'Accept-Language, Accept-Encoding',
  ]);
  const packed = await bytesOf('/anna', 'gzip, deflate, br');
  expect(packed.coding).toBe('gzip');
  expect(packed.body.length).toBeLessThan(plain.body.length / 3);
  expect(gunzipSync(packed.body).toString()).toBe((await bytesOf('/anna', 'identity')).body.toString());
  expect((await bytesOf('/anna', 'gzip;q=0')).coding).toBeNull();
  const head = await visit(server, '/anna', { method: 'HEAD', headers: { 'Accept-Encoding': 'gzip' } });
  expect([head.status, head.headers['content-encoding']]).toEqual([200, undefined]);
});

test('visitors of many pages at once each get their own, and the new content as soon as it is saved', async () => {
  const blocksOf = (word: string) =>
    Array.from({ length: 20 }, (_, index) => ({
      type: 'link',
      title: `${word} ${index}`,
      url: 'https://example.com/',
    }));
  const ids: number[] = [];
  for (let index = 10; index < 50; index += 1) {
    const body = { name: `Page ${index}`, alias: `page${index}`, blocks: blocksOf(`First${index}`) };
    ids.push((await server.request('POST', '/api/bio/add', { body })).body.id);
  }
  const unpacked = async (index: number) =>
    gunzipSync((await bytesOf(`/page${index}`, 'gzip')).body).toString();
  for (let round = 0; round < 2; round += 1) {
    const pages = await Promise.all(Array.from({ length: 80 }, (_, index) => unpacked(10 + (index % 40))));
    for (const [index, page] of pages.entries()) {
      expect(page).toContain(`First${10 + (index % 40)} 19`);
      expect(page).not.toContain(`First${10 + ((index + 1) % 40)} `);
    }
  }
  // Of the same length.
  await server.request('PUT', `/api/bio/${ids[39]}/update`, { body: { blocks: blocksOf('Other49') } });
  expect(await unpacked(49)).toContain('Other49 19');
  expect(await unpacked(49)).not.toContain('First49');
});

test("a short link's own page is not compressed, because it may contain the visitor's input", async () => {
  const body = {
    url: 'https://example.com/?secret',
    custom: 'locked',
    password: 'a password',
    description: 'x',
  };
  await server.request('POST', '/api/url/add', { body });
  const shown = await bytesOf('/locked?sent=by-somebody', 'gzip');
  expect(shown.coding).toBeNull();
  expect(shown.body.length).toBeGreaterThan(1024);
});
