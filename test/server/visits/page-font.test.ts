import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import { anotherName } from '../../support/names.ts';
import { visit } from '../../support/visits.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp();
});
afterAll(() => server.close());

const pathsIn = (style: string) =>
  [...style.matchAll(/url\((\/[^)]+\.woff2)\)/g)].map(([, path = '']) => path);

test('pages use a font from their own server, which every page may use and browsers cache forever', async () => {
  const page = await visit(server, '/nothing-is-here');
  expect(page.headers['content-security-policy']).toContain("font-src 'self'");
  expect(page.body).toContain('font-display:swap');
  const paths = pathsIn(page.body);
  expect(paths).toContainEqual(expect.stringContaining('-latin.woff2'));
  for (const path of paths) {
    const font = await fetch(server.origin + path);
    expect([path, font.status]).toEqual([path, 200]);
    expect(Object.fromEntries(font.headers)).toMatchObject({
      'content-type': 'font/woff2',
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const bytes = Buffer.from(await font.arrayBuffer());
    expect(bytes.subarray(0, 4).toString('latin1')).toBe('wOF2');
    expect(bytes).toHaveLength(Number(font.headers.get('content-length')));
  }
});

test('the font is available on unknown hosts, whose page uses it', async () => {
  const headers = { Host: 'elsewhere.example' };
  const page = await visit(server, '/', { headers });
  expect(page.status).toBe(404);
  const [path = ''] = pathsIn(page.body);
  expect((await visit(server, path, { headers })).status).toBe(200);
});

test('a font part of another version is not found, and does not count as a visit', async () => {
  for (let asked = 0; asked < 60; asked += 1) {
    const font = await visit(server, '/assets/inter-1.2.3-latin.woff2');
    expect([font.status, font.headers['content-type']]).toEqual([404, 'text/plain; charset=utf-8']);
  }
  expect((await visit(server, '/nothing-is-here')).status).toBe(404);
  const after = await server.request('GET', '/api/visits/orphans');
  const paths = after.body.data.visits.map(({ path }: { path: string }) => path);
  expect(paths).toContain('/nothing-is-here');
  expect(paths.filter((path: string) => path.startsWith('/assets'))).toEqual([]);
});

test('a bio page loads the font only if its style uses it', async () => {
  const [plain, book] = [anotherName('plain'), anotherName('book')];
  for (const [alias, font] of [
    [plain, 'sans'],
    [book, 'serif'],
  ] as const) {
    const made = await server.request('POST', '/api/bio/add', { body: { alias, name: alias, font } });
    expect(made.body).toMatchObject({ error: 0 });
  }
  expect(pathsIn((await visit(server, `/${plain}`)).body)).not.toEqual([]);
  expect(pathsIn((await visit(server, `/${book}`)).body)).toEqual([]);
});
