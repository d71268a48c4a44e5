import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import { addDomain } from '../../support/second-account.ts';
import { upload } from '../../support/uploads.ts';
import { type Visited, visit } from '../../support/visits.ts';

let server: TestApp;
let logo = '';
let favicon = '';
const host = 'go.example.com';

beforeAll(async () => {
  const picture = await sharp({ create: { width: 300, height: 100, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();
  server = await startApp({ fetcher: { get: async () => ({ body: picture, type: 'image/png' }) } });
  const anna = (await server.request('GET', '/api/account')).body.data.id;
  const id = addDomain(server, host, anna);
  server.databases.main.prepare('UPDATE domains SET server_synced = 1 WHERE id = ?').run(id);
  addDomain(server, 'plain.example.com', anna);
  const body = { logo: 'https://pictures.test/logo.png', favicon: 'https://pictures.test/icon.png' };
  expect((await server.request('PUT', `/api/domain/${id}/update`, { body })).status).toBe(200);
  ({ logo, favicon } = (await server.request('GET', `/api/domain/${id}`)).body.data);
  expect([logo, favicon]).toEqual(Array(2).fill(expect.stringMatching(/^\/img\/domain\/[\w-]+\.png$/)));
});
beforeEach(() => server.clock.advance(60_000));
afterAll(() => server.close());

const make = async (path: string, body: unknown) => (await server.request('POST', path, { body })).body;
const link = (fields: Record<string, unknown>) =>
  make('/api/url/add', { url: 'https://example.com/', domain: host, ...fields });
const see = (path: string, options: Parameters<typeof visit>[2] = {}) =>
  visit(server, path, { ...options, headers: { Host: host, ...options.headers } });

function expectBrand(page: Visited): void {
  expect(page.body).toContain(`<img class="logo" src="${logo}" alt="${host}">`);
  expect(page.body).toContain(`<link rel="icon" href="${favicon}">`);
  expect(page.headers['content-security-policy']).toMatch(/img-src 'self'( https:[^;]*)?;/);
  // Our own sign gives way to the logo.
  expect(page.body).not.toContain('<svg');
}

test.each([
  ['an unknown address', '/no-such', 404],
  ['the bare domain', '/', 200],
  ['a link that is switched off', '/off', 410],
  ['a link that has expired', '/over', 410],
  ['a link that is not open yet', '/early', 404],
  ['a link with a password', '/locked', 200],
  ['what a link leads to', '/plain+', 200],
  ['a splash page', '/splash', 200],
  ['a frame', '/frame', 200],
])("%s shows its domain's logo and icon", async (_what, path, status) => {
  const fields: Record<string, Record<string, unknown>> = {
    '/off': { archived: true },
    '/over': { expiry: '2027-01-17' },
    '/early': { notbefore: '2031-12-01' },
    '/locked': { password: 'secret' },
    '/plain+': {},
    '/splash': { type: 'splash' },
    '/frame': { type: 'frame' },
  };
  const set = fields[path];
  if (set) expect((await link({ custom: path.replace(/\W/g, ''), ...set })).error).toBe(0);
  if (path === '/over') server.clock.advance(3 * 86_400_000);
  const page = await see(path);
  expect(page.status).toBe(status);
  expectBrand(page);
});

test('so do a wrong password, a used-up link and a rejected form', async () => {
  await link({ custom: 'wrong', password: 'secret' });
  expectBrand(await see('/wrong', { method: 'POST', body: 'password=other' }));
  await link({ custom: 'once', clicklimit: 1 });
  const [first, second] = await Promise.all([see('/once'), see('/once')]);
  const refused = first.status === 410 ? first : second;
  expect(refused.status).toBe(410);
  expectBrand(refused);
  await link({ custom: 'post' });
  expectBrand(await see('/post', { method: 'POST', body: 'a=b' }));
});

test('so do the pages of files', async () => {
  const { shorturl } = await upload(server, 'content', { domain: host, custom: 'paper', password: 'secret' });
  expect(shorturl).toBe(`https://${host}/paper`);
  expectBrand(await see('/paper'));
  expectBrand(await see('/paper+'));
  expectBrand(await see('/paper', { method: 'POST', body: 'password=wrong' }));
});

test('a bio page shows its icon, and its own picture instead of the logo', async () => {
  const body = { name: 'Anna', alias: 'me', domain: host };
  expect((await server.request('POST', '/api/bio/add', { body })).status).toBe(200);
  const page = await see('/me');
  expect(page.status).toBe(200);
  expect(page.body).toContain(`<link rel="icon" href="${favicon}">`);
});

test('its pictures are served on the domain itself', async () => {
  for (const path of [logo, favicon, '/favicon.ico']) {
    expect((await see(path)).headers['content-type']).toBe('image/png');
  }
});

test("a domain without pictures, and the instance's address, show our logo", async () => {
  for (const headers of [{ Host: 'plain.example.com' }, undefined]) {
    const page = await visit(server, '/no-such', headers && { headers });
    expect(page.body).toContain('<svg');
    expect(page.body).not.toContain('<img');
    expect(page.body).not.toContain('rel="icon"');
  }
});

test('a new logo appears immediately', async () => {
  const { domains } = (await server.request('GET', '/api/domains')).body.data;
  const { id } = domains.find(({ domain }: { domain: string }) => domain === `https://${host}`);
  await server.request('PUT', `/api/domain/${id}/update`, {
    body: { logo: 'https://pictures.test/new.png' },
  });
  const now = (await server.request('GET', `/api/domain/${id}`)).body.data.logo;
  expect(now).not.toBe(logo);
  expect((await see('/no-such')).body).toContain(now);
});

test("a final page links to the domain's home page, if its owner has one", async () => {
  const anna = (await server.request('GET', '/api/account')).body.data.id;
  const id = addDomain(server, 'rooted.example.com', anna);
  server.databases.main.prepare('UPDATE domains SET server_synced = 1 WHERE id = ?').run(id);
  const at = (path: string, language = 'en') =>
    visit(server, path, { headers: { Host: 'rooted.example.com', 'Accept-Language': language } });
  await make('/api/url/add', {
    url: 'https://example.com/',
    domain: 'rooted.example.com',
    custom: 'off',
    archived: true,
  });
  const dead = ['/no-such', '/off'];
  for (const path of dead) expect((await at(path)).body).not.toContain('<a ');
  const body = { redirectroot: 'https://example.com/shop' };
  expect((await server.request('PUT', `/api/domain/${id}/update`, { body })).status).toBe(200);
  for (const path of dead) {
    expect((await at(path)).body).toContain(
      '<a class="action" href="/">Go to <bdi>rooted.example.com</bdi></a>',
    );
    expect((await at(path, 'de')).body).toContain('Weiter zu <bdi>rooted.example.com</bdi>');
  }
  expect((await at('/')).location).toBe('https://example.com/shop');
});
