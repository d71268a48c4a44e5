import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { keyQueries } from '../../server/identity/keys/queries.ts';
import { keyService } from '../../server/identity/keys/service.ts';
import { type RawReply, startApp, type TestApp } from '../support/app.ts';
import { addDomain, type SecondAccount, secondAccount } from '../support/second-account.ts';
import { rawExchange, upload, uploadHead, uploadPath } from '../support/uploads.ts';

let server: TestApp;
let other: SecondAccount;
beforeAll(async () => {
  server = await startApp();
  other = secondAccount(server);
});
beforeEach(() => server.clock.advance(60_000));
afterAll(() => server.close());

const get = (path: string) => server.request('GET', path);
const put = (id: number, body: unknown) => server.request('PUT', `/api/file/${id}/update`, { body });
const tryUpload = (query: Record<string, string>, filename = 'a.txt') =>
  server.request('POST', uploadPath(filename, query), { rawBody: 'content' });

function expectRefusal(reply: RawReply, status: number, code: string, field?: string): void {
  expect([reply.status, reply.body.error, reply.body.code, reply.body.field]).toEqual([
    status,
    1,
    code,
    field,
  ]);
  expect(reply.body.message).toMatch(/^\P{Cc}+\.$/u);
}

describe('POST /api/files/upload/:filename', () => {
  test('accepts the raw body and returns error, id and shorturl, and nothing else', async () => {
    const reply = await tryUpload({});
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      error: 0,
      id: expect.any(Number),
      shorturl: expect.stringMatching(`^${server.origin}/[2-9a-hjkmnp-zA-HJKMNP-Z]{6}$`),
    });
  });

  test.each([
    'application/octet-stream',
    'application/x-www-form-urlencoded',
    'text/plain',
    'application/json',
  ])('accepts a body with the content type %s unchanged', async (type) => {
    const reply = await server.request('POST', uploadPath('a.txt'), {
      rawBody: '{"not": parsed',
      headers: { 'content-type': type },
    });
    expect(reply.status).toBe(200);
    expect(await (await fetch(reply.body.shorturl)).text()).toBe('{"not": parsed');
  });

  test('name: is shown in lists and defaults to the file name', async () => {
    const { id } = await upload(server, 'x', { name: 'Annual report' }, 'q4.pdf');
    expect((await get(`/api/file/${id}`)).body.data).toMatchObject({
      name: 'Annual report',
      filename: 'q4.pdf',
    });
    const plain = await upload(server, 'x', { name: '' }, 'q4.pdf');
    expect((await get(`/api/file/${plain.id}`)).body.data.name).toBe('q4.pdf');
    expectRefusal(await tryUpload({ name: 'a\nb' }), 400, 'invalid_value', 'name');
    expectRefusal(await tryUpload({ name: 'x'.repeat(256) }), 400, 'invalid_value', 'name');
  });

  test('custom: is the alias, with the same rules as for links', async () => {
    expect((await upload(server, 'x', { custom: 'brochure' })).shorturl).toBe(`${server.origin}/brochure`);
    expectRefusal(await tryUpload({ custom: 'brochure' }), 400, 'alias_taken', 'custom');
    expectRefusal(await tryUpload({ custom: 'a/b' }), 400, 'invalid_alias', 'custom');
    for (const custom of ['api', 'ADMIN', '.well-known', 'robots.txt', 'favicon.ico']) {
      expectRefusal(await tryUpload({ custom }), 400, 'alias_reserved', 'custom');
    }
  });

  test("domain: is one's own by id, name or URL; another account's does not exist", async () => {
    const anna = (await get('/api/account')).body.data.id;
    const own = addDomain(server, 'files.example.com', anna);
    addDomain(server, 'theirs.example.com', other.id);
    for (const domain of [String(own), 'files.example.com', 'https://files.example.com/']) {
      expect((await upload(server, 'x', { domain })).shorturl).toMatch(
        /^https:\/\/files\.example\.com\/\w{6}$/,
      );
    }
    expectRefusal(await tryUpload({ domain: 'theirs.example.com' }), 400, 'unknown_domain', 'domain');
    expectRefusal(await tryUpload({ domain: 'nobody.example.com' }), 400, 'unknown_domain', 'domain');
  });

  test('the same alias is free on another domain', async () => {
    await upload(server, 'x', { custom: 'twice' });
    await upload(server, 'x', { custom: 'twice', domain: 'files.example.com' });
  });

  test('password: protects the download', async () => {
    const { id, shorturl } = await upload(server, 'x', { password: 'p' });
    expect((await fetch(shorturl)).headers.get('content-disposition')).toBeNull();
    expect((await get(`/api/file/${id}`)).body.data.protected).toBe(true);
  });

  test('expiry: is a date, today or later', async () => {
    const { id } = await upload(server, 'x', { expiry: '2027-01-15' });
    expect((await get(`/api/file/${id}`)).body.data.expiry).toBe('2027-01-15');
    expectRefusal(await tryUpload({ expiry: '2027-01-14' }), 400, 'expiry_past', 'expiry');
    expectRefusal(await tryUpload({ expiry: '2027-02-30' }), 400, 'invalid_date', 'expiry');
    for (const expiry of ['tomorrow', '2027-1-1', '2027-03-01 10:00:00', '01/03/2027']) {
      expect([expiry, (await tryUpload({ expiry })).body.field]).toEqual([expiry, 'expiry']);
    }
  });

  test('maxdownloads: is a positive whole number', async () => {
    const { id } = await upload(server, 'x', { maxdownloads: '3' });
    expect((await get(`/api/file/${id}`)).body.data.maxdownloads).toBe(3);
    for (const maxdownloads of ['0', '-1', '1.5', 'three', '1e3', '99999999999']) {
      const reply = await tryUpload({ maxdownloads });
      expect([maxdownloads, reply.status, reply.body.field]).toEqual([maxdownloads, 400, 'maxdownloads']);
    }
  });

  test('omitted and empty parameters are equivalent', async () => {
    const empty = { name: '', custom: '', domain: '', password: '', expiry: '', maxdownloads: '' };
    const { id } = await upload(server, 'x', empty);
    expect((await get(`/api/file/${id}`)).body.data).toMatchObject({
      protected: false,
      expiry: null,
      maxdownloads: null,
    });
  });

  test('requires a key, and reveals nothing about the file without one', async () => {
    const reply = await server.request('POST', uploadPath('a.txt'), { rawBody: 'x', key: null });
    expectRefusal(reply, 401, 'unauthorized');
    expect(reply.headers.get('www-authenticate')).toBe('Bearer');
  });

  test('other methods on its path are 405', async () => {
    const reply = await get(uploadPath('a.txt'));
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'POST']);
  });
});

describe('GET /api/files', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
    for (const name of ['Report', 'Größe 100%', 'report_2']) {
      app.clock.advance(1000);
      await upload(app, 'content', { name }, 'a.txt');
    }
  });
  afterAll(() => app.close());

  const names = async (query: string) => {
    const { body } = await app.request('GET', `/api/files?${query}`);
    return body.list.map((file: { name: string }) => file.name);
  };

  test('has the totals and the list at the top level, without data', async () => {
    const { body } = await app.request('GET', '/api/files?limit=2');
    expect(Object.keys(body)).toEqual([
      'error',
      'result',
      'perpage',
      'currentpage',
      'nextpage',
      'maxpage',
      'list',
    ]);
    expect(body).toMatchObject({ error: 0, result: 3, perpage: 2, currentpage: 1, nextpage: 2, maxpage: 2 });
    expect(body.list).toHaveLength(2);
  });

  test('shows the published fields of a file', async () => {
    const { body } = await app.request('GET', '/api/files');
    expect(body.list[0]).toMatchObject({
      id: 3,
      name: 'report_2',
      downloads: 0,
      shorturl: expect.stringMatching(`^${app.origin}/\\w{6}$`),
      date: '2027-01-15 12:00:03',
    });
    expect(body.list[0]).not.toHaveProperty('storage');
  });

  test("date is in the account's time zone", async () => {
    await app.request('PUT', '/api/account/update', { body: { timezone: 'Asia/Kolkata' } });
    const { body } = await app.request('GET', '/api/files');
    await app.request('PUT', '/api/account/update', { body: { timezone: 'UTC' } });
    expect(body.list[0].date).toBe('2027-01-15 17:30:03');
  });

  test('is sorted newest first', async () => {
    expect(await names('')).toEqual(['report_2', 'Größe 100%', 'Report']);
  });

  test('name: searches regardless of case and composition, with literal wildcards', async () => {
    expect(await names('name=REPORT')).toEqual(['report_2', 'Report']);
    expect(await names(`name=${encodeURIComponent('GRO\u0308ßE')}`)).toEqual(['Größe 100%']);
    expect(await names('name=%25')).toEqual(['Größe 100%']);
    expect(await names('name=_')).toEqual(['report_2']);
    expect(await names('name=r')).toHaveLength(3);
    expect(await names('name=')).toHaveLength(3);
    expect(await names('name=nothing')).toEqual([]);
  });

  test('limit and page: are clamped, and only whole numbers are accepted', async () => {
    expect((await app.request('GET', '/api/files?limit=0')).body.perpage).toBe(1);
    expect((await app.request('GET', '/api/files?limit=1001')).body.perpage).toBe(1000);
    expect((await app.request('GET', '/api/files')).body.perpage).toBe(15);
    expect((await app.request('GET', '/api/files?page=9')).body).toMatchObject({ list: [], nextpage: null });
    for (const query of ['limit=abc', 'page=1.5', 'limit=1&limit=2']) {
      expect((await app.request('GET', `/api/files?${query}`)).status).toBe(400);
    }
  });

  test('page: continues where the previous page ended', async () => {
    expect(await names('limit=2&page=1')).toEqual(['report_2', 'Größe 100%']);
    expect(await names('limit=2&page=2')).toEqual(['Report']);
    expect((await app.request('GET', '/api/files?limit=2&page=2')).body.nextpage).toBeNull();
  });

  test('shows nothing from other accounts', async () => {
    const { body } = await other.request('GET', '/api/files');
    expect(body).toMatchObject({ result: 0, maxpage: 1, list: [] });
  });
});

describe('one file', () => {
  test('GET returns it under data', async () => {
    const { id, shorturl } = await upload(server, 'content', { custom: 'one-file' }, 'one.txt');
    expect((await get(`/api/file/${id}`)).body).toEqual({
      error: 0,
      data: {
        id,
        name: 'one.txt',
        downloads: 0,
        shorturl,
        date: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        filename: 'one.txt',
        size: 7,
        alias: 'one-file',
        domain: server.origin,
        protected: false,
        expiry: null,
        maxdownloads: null,
        state: 'active',
        version: 1,
      },
    });
  });

  test('PUT changes what is sent and keeps the rest', async () => {
    const { id, shorturl } = await upload(server, 'content', { password: 'p', maxdownloads: '9' });
    const reply = await put(id, { name: 'New', custom: 'moved', expiry: '2027-06-01' });
    expect(reply.body).toMatchObject({
      error: 0,
      message: 'The file was updated.',
      data: { name: 'New', alias: 'moved', expiry: '2027-06-01', maxdownloads: 9, protected: true },
    });
    expect((await fetch(shorturl)).status).toBe(404);
    expect((await fetch(`${server.origin}/moved`)).status).toBe(200);
    const cleared = await put(id, { password: null, expiry: '', maxdownloads: null });
    expect(cleared.body.data).toMatchObject({
      protected: false,
      expiry: null,
      maxdownloads: null,
      name: 'New',
    });
  });

  test('PUT refuses a taken alias and changes nothing', async () => {
    await upload(server, 'x', { custom: 'occupied' });
    const { id } = await upload(server, 'x', { custom: 'stays' });
    expectRefusal(await put(id, { custom: 'occupied', name: 'New' }), 400, 'alias_taken', 'custom');
    expect((await get(`/api/file/${id}`)).body.data).toMatchObject({ alias: 'stays', name: 'report.txt' });
    expect((await put(id, { custom: 'stays' })).status).toBe(200);
  });

  test.each([
    { name: 5 },
    { name: '' },
    { custom: 1 },
    { domain: true },
    { password: 5 },
    { expiry: 20270601 },
    { expiry: '2020-01-01' },
    { maxdownloads: '3' },
    { maxdownloads: 0 },
    { maxdownloads: 1.5 },
  ])('PUT never casts: %j', async (body) => {
    const { id } = await upload(server, 'x');
    const reply = await put(id, body);
    expect([reply.status, reply.body.field]).toEqual([400, Object.keys(body)[0]]);
  });

  test('PUT copies only settable fields (T-09)', async () => {
    const { id } = await upload(server, 'x');
    const { data } = (await get(`/api/file/${id}`)).body;
    await put(id, {
      id: 999,
      downloads: 50,
      size: 1,
      storage: 'x',
      filename: 'y',
      user_id: other.id,
      date: 'now',
    });
    expect((await get(`/api/file/${id}`)).body.data).toEqual(data);
  });

  test('DELETE removes it permanently', async () => {
    const { id, shorturl } = await upload(server, 'x');
    const reply = await server.request('DELETE', `/api/file/${id}/delete`);
    expect(reply.body).toEqual({ error: 0, message: 'The file was deleted.' });
    expect((await get(`/api/file/${id}`)).status).toBe(404);
    expect((await server.request('DELETE', `/api/file/${id}/delete`)).status).toBe(404);
    expect((await fetch(shorturl)).status).toBe(404);
  });

  test("another account's file does not exist (T-08)", async () => {
    const { id } = await upload(server, 'x');
    const missing = await other.request('GET', '/api/file/999999');
    for (const [method, path] of [
      ['GET', `/api/file/${id}`],
      ['PUT', `/api/file/${id}/update`],
      ['DELETE', `/api/file/${id}/delete`],
    ] as const) {
      const reply = await other.request(method, path, method === 'PUT' ? { body: { name: 'Mine' } } : {});
      expect([reply.status, reply.body]).toEqual([404, missing.body]);
    }
    expect((await get(`/api/file/${id}`)).status).toBe(200);
  });

  test.each(['0', '-1', '01', '1.5', '1e3', 'abc', '9007199254740993', '%00'])(
    'the id %s is 404',
    async (id) => {
      expect((await get(`/api/file/${id}`)).status).toBe(404);
    },
  );
});

test('downloads increases by one with each download', async () => {
  const { id, shorturl } = await upload(server, 'x');
  for (const count of [1, 2]) {
    await (await fetch(shorturl)).text();
    expect((await get(`/api/file/${id}`)).body.data.downloads).toBe(count);
  }
});

test('the default limit is 100 MB, and the setting takes effect immediately', async () => {
  const token = server.key;
  const over = [uploadHead(server, token, ['Content-Length: 100000001'])];
  expect((await rawExchange(server.port, over)).text).toMatch(/^HTTP\/1\.1 413 /);
  const exact = [uploadHead(server, token, ['Content-Length: 100000000', 'Expect: 100-continue'])];
  // Nothing is refused yet: the server asks for the content.
  expect((await rawExchange(server.port, exact, 500)).text).toMatch(/^HTTP\/1\.1 100 /);
  await server.request('PUT', '/api/settings', { body: { maxUploadMb: 1 } });
  const reply = await server.request('POST', uploadPath('a.bin'), { rawBody: Buffer.alloc(1_000_001) });
  await server.request('PUT', '/api/settings', { body: { maxUploadMb: 100 } });
  expectRefusal(reply, 413, 'too_large');
});

test.each([
  ['GET', '/api/files'],
  ['POST', '/api/files/upload/a.txt'],
  ['GET', '/api/file/1'],
  ['PUT', '/api/file/1/update'],
  ['DELETE', '/api/file/1/delete'],
])('every files endpoint refuses a request without a key: %s %s', async (method, path) => {
  expectRefusal(await server.request(method, path, { key: null }), 401, 'unauthorized');
});

describe('what the plan allows', () => {
  test('alias and password have their own permissions, which are checked first', async () => {
    const free = secondAccount(server, 'carl', 1);
    const attempt = (query: Record<string, string>) =>
      free.request('POST', uploadPath('a.txt', { ...query, domain: 'nobody.example.com' }));
    expectRefusal(await attempt({ custom: 'api' }), 403, 'plan_required', 'alias');
    expectRefusal(await attempt({ password: 'p' }), 403, 'plan_required', 'password');
    expectRefusal(await attempt({}), 400, 'unknown_domain', 'domain');
  });

  test('the number of files is limited, even for simultaneous uploads', async () => {
    const limited = await startApp();
    limited.databases.main
      .prepare("UPDATE plans SET limits = json_set(limits, '$.files', 2) WHERE id = 2")
      .run();
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => limited.request('POST', uploadPath('a.txt'), { rawBody: 'x' })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(2);
    const refused = replies.find(({ status }) => status !== 200);
    expectRefusal(refused as RawReply, 403, 'plan_required', 'files');
    await limited.close();
  });
});

test('a key needs the scope files:read or files:write', async () => {
  const keys = keyService({ queries: keyQueries(server.databases.main), now: server.clock.now });
  const anna = (await get('/api/account')).body.data.id;
  const { secret } = keys.create(anna, 'custom', 'reader');
  server.databases.main.prepare(`UPDATE keys SET scopes = '["files:read"]' WHERE name = 'reader'`).run();
  expect((await server.request('GET', '/api/files', { key: secret })).status).toBe(200);
  const reply = await server.request('POST', uploadPath('a.txt'), { rawBody: 'x', key: secret });
  expect([reply.status, reply.body.code]).toEqual([403, 'scope_missing']);
});

test('all replies of the files endpoints have the rate limit headers', async () => {
  for (const reply of [
    await tryUpload({}),
    await tryUpload({ maxdownloads: '0' }),
    await get('/api/files'),
  ]) {
    for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) {
      expect(reply.headers.get(name)).toMatch(/^\d+$/);
    }
  }
});
