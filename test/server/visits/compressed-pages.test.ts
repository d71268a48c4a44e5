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
