import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { type PlainClient, plainClient } from './plain-client.ts';

let server: TestApp;
let send: PlainClient;
beforeEach(async () => {
  server = await startApp({ ratelimit: 100_000 });
  send = plainClient(server.origin, server.key);
});
afterEach(() => server.close());

const timestamp = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

describe('the wire', () => {
  test('uses JSON in both directions', async () => {
    const reply = await send('PUT', '/api/account/update', { name: 'Anna' });
    expect(reply.headers['content-type']).toMatch(/^application\/json/);
    const other = await server.request('PUT', '/api/account/update', {
      rawBody: 'name=Anna',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect([other.status, other.body.error]).toEqual([415, 1]);
  });

  test('has integers as ids', async () => {
    const made = await send('POST', '/api/key/add', { name: 'A key' });
    expect(Number.isInteger(made.body.data.id)).toBe(true);
    expect((await send('GET', '/api/account')).body.data.id).toBe(1);
  });

  test.each([
    '0',
    '-1',
    '1.5',
    '1e3',
    '01',
    '+1',
    '9007199254740992',
    '9'.repeat(40),
    '%00',
    '%31',
    '1%30',
    '١',
    'null',
    'x',
  ])('responds with 404 to the id %s', async (id) => {
    const reply = await send('PUT', `/api/key/${id}/update`, { name: 'x' });
    expect([reply.status, reply.body.error]).toEqual([404, 1]);
    expect((await send('DELETE', `/api/auth/session/${id}/delete`)).status).toBe(404);
  });

  test("has timestamps in one format, in the account's time zone", async () => {
    await send('POST', '/api/key/add', { name: 'A key', expires: '2027-02-01' });
    const [key] = (await send('GET', '/api/keys')).body.data.keys;
    expect(key.created).toMatch(timestamp);
    expect(key.expires).toBe('2027-02-01 23:59:59');
    await send('PUT', '/api/account/update', { timezone: 'America/New_York' });
    expect((await send('GET', '/api/keys')).body.data.keys[0].expires).toBe('2027-02-01 18:59:59');
  });

  test('has true and false as booleans and null for missing values', async () => {
    const { data } = (await send('GET', '/api/account')).body;
    expect([data.newsletter, data.expires]).toEqual([false, null]);
    const [key] = (await send('GET', '/api/keys')).body.data.keys;
    expect([key.expires, key.ratelimit]).toEqual([null, null]);
  });

  test('says error 0 on success and error 1 with a message on failure, as integers', async () => {
    expect((await send('GET', '/api/account')).body.error).toBe(0);
    expect((await send('GET', '/api/keys')).body.error).toBe(0);
    for (const reply of [
      await send('GET', '/api/nothing'),
      await send('DELETE', '/api/account'),
      await send('PUT', '/api/account/update', { perpage: 16 }),
      await plainClient(server.origin)('GET', '/api/account'),
    ]) {
      expect([reply.status >= 400, reply.body.error]).toEqual([true, 1]);
      expect(reply.body.message).toMatch(/^[A-Z].*\.$/);
    }
  });
});

describe('a list', () => {
  const list = async (query = '') => (await send('GET', `/api/keys${query}`)).body.data;

  beforeEach(async () => {
    for (let count = 0; count < 19; count += 1) await send('POST', '/api/key/add', { name: `Key ${count}` });
  });

  test("has the contract's envelope: result, perpage, currentpage, nextpage, maxpage and its items", async () => {
    const { body } = await send('GET', '/api/keys');
    expect(body).toEqual({
      error: 0,
      data: {
        result: 20,
        perpage: 15,
        currentpage: 1,
        nextpage: 2,
        maxpage: 2,
        keys: expect.any(Array),
      },
    });
    expect(body.data.keys).toHaveLength(15);
  });

  test('follows limit and page, and has no next page after the last', async () => {
    expect(await list('?limit=8&page=3')).toMatchObject({
      result: 20,
      perpage: 8,
      currentpage: 3,
      nextpage: null,
      maxpage: 3,
    });
    expect((await list('?limit=8&page=3')).keys).toHaveLength(4);
  });

  test('is empty beyond its end', async () => {
    expect(await list('?page=9')).toMatchObject({ result: 20, currentpage: 9, nextpage: null, keys: [] });
  });

  test('clamps limit to 1..1000 and page to 1', async () => {
    expect((await list('?limit=0')).perpage).toBe(1);
    expect((await list('?limit=-5')).perpage).toBe(1);
    expect((await list('?limit=1000')).perpage).toBe(1000);
    expect((await list('?limit=1000000000')).perpage).toBe(1000);
    expect((await list(`?limit=${'9'.repeat(40)}`)).perpage).toBe(1000);
    expect(await list(`?limit=100&page=${'9'.repeat(400)}`)).toMatchObject({ result: 20, keys: [] });
    expect((await list(`?page=-${'9'.repeat(40)}`)).currentpage).toBe(1);
    expect((await list('?page=0')).currentpage).toBe(1);
    expect((await list('?page=-3')).currentpage).toBe(1);
  });

  test.each(['limit=abc', 'limit=1.5', 'limit=', 'page=1e1', 'limit=1&limit=2', 'page=0x1'])(
    'refuses %s',
    async (query) => {
      const reply = await send('GET', `/api/keys?${query}`);
      expect([reply.status, reply.body.error]).toEqual([400, 1]);
    },
  );
});

describe('the rate limit', () => {
  test('is 30 requests a minute by default, with three headers on every response', async () => {
    const fresh = await startApp();
    const client = plainClient(fresh.origin, fresh.key);
    const seen: string[] = [];
    for (let count = 0; count < 30; count += 1) {
      const { status, headers } = await client('GET', count % 2 === 0 ? '/api/account' : '/api/nothing');
      expect(headers['x-ratelimit-limit']).toBe('30');
      expect(headers['x-ratelimit-reset']).toBe(String(fresh.clock.now() / 1000 + 60));
      seen.push(`${status} ${headers['x-ratelimit-remaining']}`);
    }
    expect([seen[0], seen[1], seen[29]]).toEqual(['200 29', '404 28', '404 0']);
    const over = await client('GET', '/api/account');
    expect([over.status, over.headers['x-ratelimit-remaining'], over.headers['retry-after']]).toEqual([
      429,
      '0',
      '60',
    ]);
    expect(over.body).toEqual({ error: 1, message: expect.any(String), code: 'rate_limited' });
    fresh.clock.advance(60_000);
    expect((await client('GET', '/api/account')).status).toBe(200);
    await fresh.close();
  });
});
