import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeCompressedPages } from '../../../build/compressed-pages.ts';
import { adminPages } from '../../../server/platform/http/admin.ts';

const script = `export const words = ${JSON.stringify(Array(500).fill('the same word'))};\n`;

let folder: string;
let port: number;
let close: () => void;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-pages-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Waypost</title>');
  writeFileSync(join(folder, 'assets', 'app-1a2b.js'), script);
  writeFileSync(join(folder, 'assets', 'picture.png'), 'not really');
  expect(await writeCompressedPages(folder)).toBe(2);
  writeFileSync(join(folder, 'assets', 'late.js'), script);
  const server = createServer(adminPages(folder));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
  close = () => server.close();
});
afterAll(() => {
  close();
  rmSync(folder, { recursive: true });
});

/** What a browser gets that takes these encodings, as it came over the wire. */
function fetched(path: string, accepted: string): Promise<{ answer: IncomingMessage; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const headers = accepted === '' ? {} : { 'accept-encoding': accepted };
    get({ host: '127.0.0.1', port, path: `/admin/${path}`, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => resolve({ answer, body: Buffer.concat(chunks) }));
    }).on('error', reject);
  });
}

test.each([
  ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
  ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
  ['BR', 'br', brotliDecompressSync],
] as const)('a browser that accepts "%s" gets a script in %s', async (accepted, encoding, unpack) => {
  const { answer, body } = await fetched('assets/app-1a2b.js', accepted);
  expect(answer.headers).toMatchObject({
    'content-encoding': encoding,
    'content-type': 'text/javascript; charset=utf-8',
    'content-length': String(body.length),
    vary: 'Accept-Encoding',
  });
  expect(unpack(body).toString()).toBe(script);
  expect(body.length).toBeLessThan(script.length / 5);
});

test.each(['', 'br;q=0', 'zstd'])('a browser that accepts "%s" gets it uncompressed', async (accepted) => {
  const { answer, body } = await fetched('assets/app-1a2b.js', accepted);
  expect(answer.headers['content-encoding']).toBeUndefined();
  expect(body.toString()).toBe(script);
});

test('files that are already compressed, or newer than the build, are sent unchanged', async () => {
  for (const path of ['assets/picture.png', 'assets/late.js']) {
    const { answer } = await fetched(path, 'br, gzip');
    expect([answer.statusCode, answer.headers['content-encoding']]).toEqual([200, undefined]);
  }
});

test('a page of the router is compressed, too', async () => {
  const { answer, body } = await fetched('links/12', 'br');
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(brotliDecompressSync(body).toString()).toContain('<title>Waypost</title>');
});

test('a browser may load the app’s manifest from here, and scripts from nowhere else', async () => {
  writeFileSync(join(folder, 'manifest.webmanifest'), '{}');
  const { answer } = await fetched('manifest.webmanifest', '');
  expect(answer.headers).toMatchObject({
    'content-type': 'application/manifest+json; charset=utf-8',
    'cache-control': 'no-cache',
    'content-security-policy': expect.stringContaining("manifest-src 'self'"),
  });
});
