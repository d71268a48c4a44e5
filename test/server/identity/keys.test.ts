import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import { secondAccount } from '../../support/second-account.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp();
});
afterAll(() => server.close());

const send = (method: string, path: string, body?: unknown, key?: string) =>
  server.request(method, path, { ...(body !== undefined && { body }), ...(key !== undefined && { key }) });

async function addKey(fields: Record<string, unknown> = {}): Promise<{ id: number; api_key: string }> {
  const reply = await send('POST', '/api/key/add', { name: 'Script', ...fields });
  expect(reply.status).toBe(200);
  return reply.body.data;
}

async function primaryKey() {
  const { keys } = (await send('GET', '/api/keys?limit=100')).body.data;
  return keys.find((key: { kind: string }) => key.kind === 'primary');
}

describe('a custom key', () => {
  test('is shown once, and listed by its first characters, use and address', async () => {
    const { id, api_key } = await addKey({ scopes: ['links:read'], expires: '2027-03-01', ratelimit: 7 });
    await send('GET', '/api/urls', undefined, api_key);
    const { keys } = (await send('GET', '/api/keys')).body.data;
    expect(keys.filter((key: { id: number }) => key.id === id)).toEqual([
      {
        id,
        account: 1,
        kind: 'custom',
        name: 'Script',
        prefix: api_key.slice(0, 8),
        scopes: ['links:read'],
        ratelimit: 7,
        created: '2027-01-15 12:00:00',
        expires: '2027-03-01 23:59:59',
        expired: false,
        lastused: '2027-01-15 12:00:00',
        lastaddress: '127.0.0.1',
        lastcountry: '',
        current: false,
        version: 1,
      },
    ]);
  });

  test('has the limit set for it', async () => {
    const { api_key } = await addKey({ ratelimit: 2 });
    const statuses = [];
    for (let count = 0; count < 3; count += 1) {
      statuses.push((await send('GET', '/api/account', undefined, api_key)).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });

  test('is updated and fails once it is revoked', async () => {
    const { id, api_key } = await addKey();
    expect((await send('GET', '/api/urls', undefined, api_key)).status).toBe(200);
    await send('PUT', `/api/key/${id}/update`, { name: 'Reader', scopes: ['stats:read'] });
    expect((await send('GET', '/api/urls', undefined, api_key)).body.code).toBe('scope_missing');
    expect((await send('DELETE', `/api/key/${id}/delete`)).status).toBe(200);
    expect((await send('GET', '/api/urls', undefined, api_key)).status).toBe(401);
    expect((await send('DELETE', `/api/key/${id}/delete`)).status).toBe(404);
  });

  test.each([
    ['name', {}],
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(121) }],
    ['scopes', { name: 'x', scopes: [] }],
    ['scopes', { name: 'x', scopes: 'all' }],
    ['scopes', { name: 'x', scopes: ['links:delete'] }],
    ['expires', { name: 'x', expires: '2026-01-01' }],
    ['expires', { name: 'x', expires: '2027-02-30' }],
    ['expires', { name: 'x', expires: 5 }],
    ['ratelimit', { name: 'x', ratelimit: 0 }],
    ['ratelimit', { name: 'x', ratelimit: '5' }],
  ])('is refused with an invalid %s: %j', async (field, body) => {
    const reply = await send('POST', '/api/key/add', body);
    expect([reply.status, reply.body.field]).toEqual([400, field]);
  });
});

describe('a scope', () => {
  test('for reading can only read, and the error names what is missing', async () => {
    const { api_key } = await addKey({ scopes: ['links:read', 'account:read'] });
    expect((await send('GET', '/api/urls', undefined, api_key)).status).toBe(200);
    expect((await send('POST', '/api/account', undefined, api_key)).status).toBe(200);
    const reply = await send('POST', '/api/url/add', { url: 'https://example.com/' }, api_key);
    expect([reply.status, reply.body.code, reply.body.message]).toEqual([
      403,
      'scope_missing',
      'This key lacks the scope links:write.',
    ]);
  });

  test('for writing includes reading', async () => {
    const { api_key } = await addKey({ scopes: ['links:write'] });
    expect((await send('GET', '/api/urls', undefined, api_key)).status).toBe(200);
    expect((await send('GET', '/api/account', undefined, api_key)).status).toBe(403);
  });
});

test('the primary key can be renamed, but neither limited, deleted nor made to expire', async () => {
  const { id } = await primaryKey();
  expect((await send('PUT', `/api/key/${id}/update`, { name: 'Main' })).status).toBe(200);
  expect((await send('PUT', `/api/key/${id}/update`, { scopes: ['links:read'] })).body.field).toBe('scopes');
  expect((await send('PUT', `/api/key/${id}/update`, { expires: '2028-01-01' })).body.field).toBe('expires');
  expect((await send('DELETE', `/api/key/${id}/delete`)).body.code).toBe('primary_key');
});

test('a key is accepted as it was read, even the primary key or one that has expired', async () => {
  async function readAgain(id: number) {
    const { keys } = (await send('GET', '/api/keys?limit=100')).body.data;
    return keys.find((key: { id: number }) => key.id === id);
  }
  const { id: primary } = await primaryKey();
  const made = await send('POST', '/api/key/add', {
    name: 'Build',
    scopes: ['links:read'],
    expires: '2027-01-16 12:00:00',
  });
  const expired = made.body.data.id;
  server.clock.advance(2 * 86_400_000);
  for (const id of [primary, expired]) {
    const read = await readAgain(id);
    expect((await send('PUT', `/api/key/${id}/update`, { ...read, name: 'Renamed' })).body).toMatchObject({
      error: 0,
    });
    expect(await readAgain(id)).toEqual({ ...read, name: 'Renamed', version: read.version + 1 });
  }
  const past = await send('PUT', `/api/key/${expired}/update`, { expires: '2027-01-16 12:00:01' });
  expect(past.body.code).toBe('expires_in_past');
});

test('the name and limit of the primary key survive its rotation', async () => {
  const { id } = await primaryKey();
  await send('PUT', `/api/key/${id}/update`, { name: 'Main', ratelimit: 5 });
  await send('POST', '/api/account/api/regenerate', {});
  expect(await primaryKey()).toMatchObject({ name: 'Main', ratelimit: 5, scopes: 'full', expires: null });
});

test('a session is not an API key', async () => {
  const [session] = (await send('GET', '/api/auth/sessions')).body.data.sessions;
  expect((await send('DELETE', `/api/key/${session.id}/delete`)).status).toBe(404);
  expect((await send('PUT', `/api/key/${session.id}/update`, { name: 'x' })).status).toBe(404);
  const { api_key } = await addKey();
  expect((await send('POST', '/api/auth/logout', undefined, api_key)).body.code).toBe('not_a_session');
});

test("only an administrator allows a key more than the instance's limit", async () => {
  const other = secondAccount(server);
  const add = (ratelimit: number) =>
    other.request('POST', '/api/key/add', { body: { name: 'Fast', ratelimit } });
  expect((await add(31)).body).toMatchObject({ code: 'ratelimit_too_high', field: 'ratelimit' });
  expect((await add(30)).status).toBe(200);
  expect((await send('POST', '/api/key/add', { name: 'Fast', ratelimit: 1000 })).status).toBe(200);
});

test('a live stream ends when its key is revoked', async () => {
  const { id, api_key } = await addKey();
  const response = await fetch(`${server.origin}/api/events`, {
    headers: { authorization: `Bearer ${api_key}` },
  });
  const ended = response.text();
  await send('DELETE', `/api/key/${id}/delete`);
  expect(await ended).toContain('hello');
});
