import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ ratelimit: 10_000 });
  server.databases.main.exec(`
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
      INSERT INTO links (user_id, alias, url, created_at, updated_at, search)
      SELECT 1, 'zipped' || i, 'https://example.com/' || i || '/ü', i, 1, '' FROM n`);
});
afterAll(() => server.close());

interface Answer {
  status: number | undefined;
  headers: Record<string, unknown>;
  bytes: Buffer;
}

/** The bytes of a response as they came; `fetch` would decompress them. */
function bytesOf(path: string, encodings: string | undefined, method = 'GET'): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${server.key}`,
    ...(encodings !== undefined && { 'accept-encoding': encodings }),
  };
  return new Promise((resolve, reject) => {
    const asked = request(server.origin + path, { method, headers }, async (response) => {
      const bytes = Buffer.concat(await response.toArray());
      resolve({ status: response.statusCode, headers: response.headers, bytes });
    });
    asked.once('error', reject).end();
  });
}

test.each([15, 1000])('a list of %i links is compressed for clients that accept it', async (limit) => {
  const path = `/api/urls?limit=${limit}`;
  const plain = await bytesOf(path, undefined);
  expect(plain.headers).toMatchObject({ vary: 'Accept-Encoding', 'content-length': `${plain.bytes.length}` });
  expect(plain.headers).not.toHaveProperty('content-encoding');
  for (const encodings of ['gzip', 'br, deflate, gzip;q=0.5', 'GZIP']) {
    const { status, headers, bytes } = await bytesOf(path, encodings);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      vary: 'Accept-Encoding',
      'content-encoding': 'gzip',
      'content-type': 'application/json; charset=utf-8',
      'content-length': `${bytes.length}`,
    });
    expect(gunzipSync(bytes).equals(plain.bytes)).toBe(true);
    expect(bytes.length).toBeLessThan(plain.bytes.length / 3);
  }
  for (const encodings of ['gzip;q=0', 'br', 'identity'])
    expect((await bytesOf(path, encodings)).bytes.equals(plain.bytes)).toBe(true);
  for (const encodings of [undefined, 'gzip']) {
    const got = await bytesOf(path, encodings);
    const head = await bytesOf(path, encodings, 'HEAD');
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    for (const name of ['content-encoding', 'content-length', 'vary'])
      expect(head.headers[name]).toBe(got.headers[name]);
  }
});

test('a short reply is sent as it is', async () => {
  const { headers, bytes } = await bytesOf('/api/domains?limit=1', 'gzip');
  expect(headers).not.toHaveProperty('content-encoding');
  expect(JSON.parse(bytes.toString())).toMatchObject({ error: 0 });
});

test('many at once are complete, compressed or not', async () => {
  const wanted = (await bytesOf('/api/urls?limit=40', undefined)).bytes;
  const answers = await Promise.all(Array.from({ length: 60 }, () => bytesOf('/api/urls?limit=40', 'gzip')));
  const isCompressed = ({ headers }: Answer) => headers['content-encoding'] === 'gzip';
  expect(answers.some(isCompressed)).toBe(true);
  for (const answer of answers) {
    const text = isCompressed(answer) ? gunzipSync(answer.bytes) : answer.bytes;
    expect(text.equals(wanted)).toBe(true);
  }
});
