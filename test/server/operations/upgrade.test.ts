// An instance from before create or find, settings of aliases, UTM templates, planned days, apps, public statistics and
// own parameters: what it had answers as before, and all of that works with what it had.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findCountFaults } from '../../../server/content/links/count-faults.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { earlierInstance } from '../../support/earlier-instance.ts';
import { visit } from '../../support/visits.ts';

const clickedAt = Date.UTC(2027, 0, 10, 9, 30);
const folder = mkdtempSync(join(tmpdir(), 'waypost-upgrade-'));
let server: TestApp;

beforeAll(async () => {
  await earlierInstance(folder, clickedAt);
  server = await startApp({ folder, ratelimit: 10_000 });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const get = async (path: string) => (await server.request('GET', path)).body.data;
const send = (method: string, path: string, body: object) => server.request(method, path, { body });
const branded = (path: string) => visit(server, path, { headers: { Host: 'go.example.com' } });
const clicksOf = async (query = '') => (await get(`/api/url/1/stats?${query}`)).clicks;

test('existing links, pages and codes respond as before', async () => {
  const places = await Promise.all(
    ['/plain', '/tested', '/app', '/qr/code'].map(async (path) => (await visit(server, path)).location),
  );
  expect(places).toEqual([
    'https://example.com/plain?utm_source=mail',
    'https://example.com/a',
    'https://example.com/app',
    'https://example.com/scanned',
  ]);
  expect((await visit(server, '/app', { agent: 'iphone' })).location).toBe('https://apps.apple.com/app/id1');
  expect((await branded('/branded?ref=1')).location).toBe('https://example.com/branded?ref=1');
  expect((await branded('/nothing')).location).toBe('https://example.com/lost');
  expect((await visit(server, '/anna')).body).toContain('Shop');
  expect((await visit(server, '/r/fair')).location).toBe('https://example.com/plain?utm_source=mail');
  expect((await visit(server, '/binned')).status).toBe(404);
});

test('existing clicks are counted, filtered and exported with new ones', async () => {
  await expect.poll(() => clicksOf()).toBe(6);
  const before = 'from=2027-01-10&to=2027-01-10';
  const { dimensions, uniqueclicks } = await get(`/api/url/1/stats?${before}`);
  expect([dimensions.country, dimensions.utm_source, uniqueclicks]).toEqual([
    [{ value: 'DE', clicks: 4, uniqueclicks: 3 }],
    [{ value: 'mail', clicks: 4, uniqueclicks: 3 }],
    3,
  ]);
  expect(dimensions.continent).toEqual([{ value: 'EU', clicks: 4, uniqueclicks: 3 }]);
  expect(await clicksOf(`${before}&country=DE&utm_term=`)).toBe(4);
  const file = (await server.request('GET', `/api/clicks/export?format=jsonl&${before}`)).body as string;
  const lines = file
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ country, utm_content, parameters }) => [country, utm_content, parameters])).toEqual(
    Array.from({ length: 4 }, () => ['DE', '', '']),
  );
  expect((await get('/api/visits/orphans?path=/summer')).visits).toMatchObject([
    { kind: 'unknown', visits: 1 },
  ]);
  expect(findCountFaults(server.databases.main)).toEqual([]);
});

test('new features work with existing links', async () => {
  const found = await send('POST', '/api/url/add', {
    url: 'HTTPS://example.com:443/plain?utm_source=mail',
    ifexists: 'return',
  });
  expect(found.body).toMatchObject({ id: 1, existing: true });

  const { id: utm } = (await send('POST', '/api/utm/add', { name: 'Paper', medium: 'paper' })).body;
  await send('POST', '/api/urls/bulk', { action: 'utm', ids: [1], value: String(utm) });
  expect((await visit(server, '/plain')).location).toBe(
    'https://example.com/plain?utm_source=mail&utm_medium=paper',
  );

  expect((await get('/api/urls?channel=1&below=1')).urls.map(({ id }: { id: number }) => id)).toEqual([1]);
  const page = (await send('PUT', '/api/url/1/statspage', { on: true })).body.data.url as string;
  expect((await visit(server, new URL(page).pathname)).body).toContain('<dd>');

  const tomorrow = '2027-01-16 12:00:00';
  const ends = { testuntil: tomorrow, testwinner: null };
  expect((await send('PUT', '/api/url/3/update', ends)).status).toBe(200);
  expect((await send('PUT', '/api/url/4/update', { archiveon: tomorrow })).status).toBe(200);
  server.clock.advance(2 * 86_400_000);
  expect((await visit(server, '/tested')).location).toBe('https://example.com/own');
  expect((await visit(server, '/app')).status).toBe(410);
});

test('new features work with existing domains', async () => {
  const headers = { Host: 'go.example.com' };
  expect((await send('PUT', '/api/domain/1/aliases', { slashes: true })).status).toBe(200);
  const body = { url: 'https://example.com/docs', custom: 'docs/start', domain: 'go.example.com' };
  expect((await send('POST', '/api/url/add', body)).body.shorturl).toMatch(/docs\/start$/);
  expect((await branded('/docs/start')).location).toBe('https://example.com/docs');
  const apps = { apple: [{ id: 'ABCDE12345.com.example.app' }] };
  const change = { apps, redirectexpired: 'https://example.com/over' };
  expect((await send('PUT', '/api/domain/1/update', change)).status).toBe(200);
  const file = await visit(server, '/.well-known/apple-app-site-association', { headers });
  expect(JSON.parse(file.body).applinks.details[0].appIDs).toEqual(['ABCDE12345.com.example.app']);
  await send('PUT', '/api/url/2/update', { clicklimit: 1 });
  await branded('/branded');
  expect((await branded('/branded')).location).toBe('https://example.com/over');
});

test('everything is still there after a restart', async () => {
  const clicks = await clicksOf();
  await server.close();
  server = await startApp({ folder, ratelimit: 10_000, clock: server.clock });
  expect(await clicksOf()).toBe(clicks);
  expect((await visit(server, '/plain')).location).toContain('utm_medium=paper');
  expect((await get('/api/domain/1/aliases')).slashes).toBe(true);
});
