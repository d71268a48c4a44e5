import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { addDomain, type SecondAccount, secondAccount } from '../support/second-account.ts';

let server: TestApp;
let free: SecondAccount;
beforeAll(async () => {
  server = await startApp();
  free = secondAccount(server, 'free', 1);
});
afterAll(() => server.close());

const link = { url: 'https://example.com/' };

describe('a plan without', () => {
  test.each([
    ['geo', [{ type: 'country', value: 'DE' }]],
    ['geo', [{ type: 'city', value: 'Berlin' }]],
    ['device', [{ type: 'device', value: 'iPhone' }]],
    ['device', [{ type: 'os', value: 'Windows' }]],
  ])('%s has no rules that look at it either: %j', async (field, conditions) => {
    const body = { ...link, rules: [{ conditions, link: 'https://example.com/a' }] };
    const reply = await free.request('POST', '/api/url/add', { body });
    expect([reply.status, reply.body.code, reply.body.field]).toEqual([403, 'plan_required', field]);
  });

  test('aliases takes none from an import', async () => {
    const reply = await free.request('POST', '/api/urls/import', {
      body: { rows: [{ url: 'https://example.com/a', alias: 'mine' }, { url: 'https://example.com/b' }] },
    });
    expect(reply.body.data.rows).toMatchObject([
      { outcome: 'problem', code: 'plan_required' },
      { outcome: 'create' },
    ]);
  });
});

describe('a plan with room for three links', () => {
  test('has no room for a fourth, added at once or imported', async () => {
    const made = await server.request('POST', '/api/plan/add', {
      body: { name: 'Three', limits: { links: 3 } },
    });
    const other = secondAccount(server, 'limited');
    await server.request('PUT', `/api/plan/${made.body.data.id}/user/${other.id}`);
    const replies = await Promise.all(
      Array.from({ length: 8 }, () =>
        other.request('POST', '/api/url/add', { body: { ...link, password: 'secret' } }),
      ),
    );
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(3);
    const imported = await other.request('POST', '/api/urls/import', {
      body: { rows: [{ url: 'https://example.com/c' }] },
    });
    expect(imported.body.data.rows).toMatchObject([{ outcome: 'problem', code: 'plan_required' }]);
  });
});

describe('what an account chose for new links', () => {
  test('is used when shortening: its default domain and type', async () => {
    addDomain(server, 'go.example.com', 1);
    await server.request('PUT', '/api/account/update', {
      body: { domain: 'go.example.com', defaulttype: 'frame' },
    });
    const made = await server.request('POST', '/api/url/add', { body: { ...link, custom: 'chosen' } });
    expect(made.body.shorturl).toBe('https://go.example.com/chosen');
    const { details } = (await server.request('GET', `/api/url/${made.body.id}`)).body;
    expect(details.type).toBe('frame');
    const own = await server.request('POST', '/api/url/add', {
      body: { ...link, custom: 'own', domain: '' },
    });
    expect(own.body.shorturl).toBe(`${server.origin}/own`);
  });

  test('is not in force on a plan that has ended', async () => {
    const other = secondAccount(server, 'ended');
    await other.request('PUT', '/api/account/update', { body: { defaulttype: 'splash' } });
    await server.request('PUT', `/api/plan/1/user/${other.id}`);
    const made = await other.request('POST', '/api/url/add', { body: link });
    expect((await other.request('GET', `/api/url/${made.body.id}`)).body.details.type).toBe('direct');
    expect((await other.request('GET', '/api/account')).body.data.defaulttype).toBe('direct');
  });
});
