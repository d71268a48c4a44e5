import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { madeAlias } from '../../../server/content/links/aliases.ts';
import { qualityWords, thingWords } from '../../../server/content/links/words.ts';
import { type RawReply, startApp, type TestApp } from '../../support/app.ts';
import { seededIntegers } from '../../support/clock.ts';
import { addDomain, secondAccount } from '../../support/second-account.ts';
import { visit as visitAs } from '../../support/visits.ts';

let server: TestApp;
let domain: number;
beforeAll(async () => {
  server = await startApp({ ratelimit: 10_000 });
  domain = addDomain(server, 'go.example', 1);
});
afterAll(() => server.close());

const url = 'https://example.com/';
const add = (body: object): Promise<RawReply> =>
  server.request('POST', '/api/url/add', { body: { url, ...body } });
const set = (body: object) => server.request('PUT', '/api/account/aliases', { body });
const setDomain = (body: object, id = domain) => server.request('PUT', `/api/domain/${id}/aliases`, { body });
const aliasOf = (reply: RawReply) => decodeURIComponent(new URL(reply.body.shorturl).pathname.slice(1));

/** Where a path of the branded domain leads, and with which status. */
async function visit(path: string, host = 'go.example'): Promise<[number, string | undefined]> {
  const { status, location } = await visitAs(server, path, { headers: { Host: host } });
  return [status, location];
}

describe('a generated alias', () => {
  test("has the account's length, characters and prefix, also in an import", async () => {
    const reply = await set({ length: 9, alphabet: '0123456789', prefix: 'x-' });
    expect(reply.body.data).toEqual({ style: 'random', length: 9, alphabet: '0123456789', prefix: 'x-' });
    expect(aliasOf(await add({}))).toMatch(/^x-\d{9}$/);
    const rows = [{ url: 'https://example.com/imported' }];
    const imported = await server.request('POST', '/api/urls/import', { body: { rows, conflict: 'skip' } });
    expect(imported.body.data.rows[0].alias).toMatch(/^x-\d{9}$/);
    await set({ length: null, alphabet: null, prefix: null });
    expect(aliasOf(await add({}))).toMatch(/^[2-9a-hjkmnp-zA-HJKMNP-Z]{6}$/);
  });

  test('follows its domain before its account, field by field', async () => {
    await set({ prefix: 'mine-' });
    await setDomain({ style: 'words' });
    const words = new RegExp(`^mine-(${qualityWords.join('|')})-(${thingWords.join('|')})$`);
    expect(aliasOf(await add({ domain }))).toMatch(words);
    expect(aliasOf(await add({}))).toMatch(/^mine-.{6}$/);
    await setDomain({ style: null });
    await set({ prefix: null });
    expect((await server.request('GET', `/api/domain/${domain}/aliases`)).body.data).toEqual({
      style: null,
      length: null,
      alphabet: null,
      prefix: null,
      slashes: false,
    });
  });

  test.each([
    [{ length: 2 }, 'length'],
    [{ length: 33 }, 'length'],
    [{ alphabet: 'abcabcabcabc' }, 'alphabet'],
    [{ alphabet: 'abcdefghi/' }, 'alphabet'],
    [{ prefix: 'a/b' }, 'prefix'],
    [{ style: 'emoji' }, 'style'],
  ])('cannot be configured with %o', async (body, field) => {
    expect(await set(body)).toMatchObject({ status: 400, body: { field } });
  });

  test('is never an address of the instance, and is longer if all short ones are taken', () => {
    const make = madeAlias(seededIntegers());
    const settings = { style: 'random', length: 3, alphabet: 'apibocrqud', prefix: '' } as const;
    for (let times = 0; times < 3000; times += 1) {
      expect(['api', 'bio']).not.toContain(make(settings, () => false));
    }
    expect(make(settings, (alias) => alias.length < 5)).toHaveLength(5);
    const words = { ...settings, style: 'words' } as const;
    expect(make(words, (alias) => alias.split('-').length < 4).split('-')).toHaveLength(4);
  });

  test("cannot be set on somebody else's domain", async () => {
    const other = secondAccount(server, 'oscar');
    const reply = await other.request('PUT', `/api/domain/${domain}/aliases`, { body: { length: 4 } });
    expect(reply.status).toBe(404);
    expect((await other.request('GET', `/api/domain/${domain}/aliases`)).status).toBe(404);
  });
});

describe('an alias with slashes', () => {
  beforeAll(async () => {
    await setDomain({ slashes: true });
  });

  test('works where the domain allows it, has a preview, and stays readable in its short link', async () => {
    const { shorturl, id } = (await add({ domain, custom: 'docs/Überblick' })).body;
    expect(shorturl).toBe('https://go.example/docs/%C3%9Cberblick');
    expect(await visit('/docs/%C3%9Cberblick')).toEqual([302, url]);
    expect(await visit('/docs/%C3%9Cberblick/')).toEqual([302, url]);
    expect((await visit('/docs/%C3%9Cberblick+'))[0]).toBe(200);
    expect((await visit('/docs%2F%C3%9Cberblick'))[0]).toBe(404);
    expect((await visit('/docs//%C3%9Cberblick'))[0]).toBe(404);
    const found = await server.request('GET', `/api/urls?short=${encodeURIComponent(shorturl)}`);
    expect(found.body.data.urls[0].id).toBe(id);
  });

  test.each(['r/x', 'u/x', 'qr/x', 'api/x', 'admin/x', 'o/x', 'img/x', '.well-known/x', 'R/x'])(
    '%s is refused because the instance uses this part itself',
    async (custom) => {
      expect((await add({ domain, custom })).body.code).toBe('alias_reserved');
    },
  );

  test.each(['/a', 'a/', 'a//b', 'a/../b', 'a/.', `${'a/'.repeat(40)}a`])('%s is refused', async (custom) => {
    expect((await add({ domain, custom })).body.code).toBe('invalid_alias');
  });

  test("is refused on the instance's address, by import and by move, and keeps working when turned off", async () => {
    expect((await add({ custom: 'docs/start' })).body).toMatchObject({
      code: 'invalid_alias',
      field: 'custom',
    });
    const { id } = (await add({ domain, custom: 'docs/start' })).body;
    const update = await server.request('PUT', `/api/url/${id}/update`, { body: { domain: null } });
    expect(update.body).toMatchObject({ code: 'invalid_alias', field: 'domain' });
    const bulk = await server.request('POST', '/api/urls/bulk', {
      body: { ids: [id], action: 'domain', value: null },
    });
    expect(bulk.body.data.rows).toEqual([{ id, outcome: 'refused', code: 'invalid_alias' }]);
    const row = { url, alias: 'docs/imported' };
    const rows = [row, { ...row, domain: 'go.example' }];
    const imported = await server.request('POST', '/api/urls/import', { body: { rows, conflict: 'skip' } });
    expect(imported.body.data.rows.map((each: { outcome: string }) => each.outcome)).toEqual([
      'problem',
      'create',
    ]);
    await setDomain({ slashes: false });
    expect(await visit('/docs/start')).toEqual([302, url]);
    await setDomain({ slashes: true });
  });

  test("of one domain is not the alias of another link on the instance's address", async () => {
    await add({ domain, custom: 'same', url: 'https://example.com/branded' });
    expect(await visit('/same')).toEqual([302, 'https://example.com/branded']);
    expect((await visit(`/${domain}/same`, `localhost:${server.port}`))[0]).toBe(404);
  });
});

describe('suggestions', () => {
  const suggest = async (body: object): Promise<string[]> =>
    (await server.request('POST', '/api/url/suggest', { body: { url, ...body } })).body.data;

  test('come from the title first, then from the URL, and are all free', async () => {
    const body = {
      url: 'https://www.shop.example/de/blog/winter-coats.html',
      title: 'The best Winter Coats 2027',
    };
    const first = await suggest(body);
    expect(first.slice(0, 3)).toEqual(['best-winter-coats', 'best-winter', 'winter-coats']);
    await add({ custom: first[0] });
    const again = await suggest(body);
    expect(again[0]).toBe('best-winter-coats-2');
    for (const custom of again) expect((await add({ custom })).status).toBe(200);
  });

  test('exist for a URL without words, and are free on the requested domain', async () => {
    const found = await suggest({ url: 'http://203.0.113.7/' });
    expect(found.length).toBeGreaterThanOrEqual(3);
    await add({ domain, custom: 'garden-party' });
    expect(await suggest({ title: 'Garden party', domain })).toContain('garden-party-2');
    expect(await suggest({ title: 'Garden party' })).toContain('garden-party');
  });

  test('support other scripts, and are never an address of the instance', async () => {
    expect(await suggest({ title: 'Größere Äpfel' })).toContain('grossere-apfel');
    expect(await suggest({ title: 'Новый каталог' })).toContain('новый-каталог');
    // Digits that no alias may have are left out, not offered and then refused.
    for (const alias of await suggest({ title: 'عرض ٢٠٢٧ 50 m² ½' })) {
      const added = await server.request('POST', '/api/url/add', { body: { url, custom: alias } });
      expect([alias, added.status]).toEqual([alias, 200]);
    }
    expect(await suggest({ title: 'API' })).not.toContain('api');
  });

  test('are refused for an invalid URL', async () => {
    const reply = await server.request('POST', '/api/url/suggest', { body: { url: 'nonsense' } });
    expect(reply).toMatchObject({ status: 400, body: { field: 'url' } });
  });
});
