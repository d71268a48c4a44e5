import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import { addDomain, type SecondAccount, secondAccount } from '../../support/second-account.ts';

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
  ])('%s cannot have rules about it either: %j', async (field, conditions) => {
    const body = { ...link, rules: [{ conditions, link: 'https://example.com/a' }] };
    const reply = await free.request('POST', '/api/url/add', { body });
    expect([reply.status, reply.body.code, reply.body.field]).toEqual([403, 'plan_required', field]);
  });

  test('aliases accepts none from an import', async () => {
    const reply = await free.request('POST', '/api/urls/import', {
      body: { rows: [{ url: 'https://example.com/a', alias: 'mine' }, { url: 'https://example.com/b' }] },
    });
    expect(reply.body.data.rows).toMatchObject([
      { outcome: 'problem', code: 'plan_required' },
      { outcome: 'create' },
    ]);
  });
});

describe('a plan at its limit', () => {
  const overlay = { name: 'x', type: 'message', content: { text: 'x' } };
  test.each([
    ['bio', '/api/bio/add', { name: 'x' }, 'bio page'],
    ['overlay', '/api/overlay/add', overlay, 'overlay'],
    ['splash', '/api/splash/add', { name: 'x' }, 'splash page'],
    ['pixels', '/api/pixel/add', { type: 'fbpixel', name: 'x', tag: '1234567890123456' }, 'pixel'],
    ['links', '/api/url/add', link, 'link'],
  ])('says so about %s, and what to do', async (field, path, body, resource) => {
    const other = secondAccount(server, `full-${field}`);
    for (const [most, message] of [
      [0, `Your plan allows no ${resource}s. Change the plan.`],
      [1, `Your plan allows 1 ${resource}. Delete one or change the plan.`],
      [2, `Your plan allows 2 ${resource}s. Delete one or change the plan.`],
    ] as const) {
      const plan = {
        name: `${most} of ${field}`,
        ...(field === 'links'
          ? { limits: { links: most } }
          : { features: { [field]: { enabled: true, count: most } } }),
      };
      const made = await server.request('POST', '/api/plan/add', { body: plan });
      await server.request('PUT', `/api/plan/${made.body.data.id}/user/${other.id}`);
      if (most > 0) expect((await other.request('POST', path, { body })).status).toBe(200);
      const reply = await other.request('POST', path, { body });
      expect([reply.status, reply.body]).toEqual([403, { error: 1, code: 'plan_required', field, message }]);
    }
  });
});

describe('a plan with room for three links', () => {
  test('does not allow a fourth, added at the same time or imported', async () => {
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

describe('a plan with room for two links', () => {
  let limited: SecondAccount;
  const urls = async (query = '') => (await limited.request('GET', `/api/urls?${query}`)).body.data;
  const add = async () => (await limited.request('POST', '/api/url/add', { body: link })).body.id as number;
  const bulk = (body: object) => limited.request('POST', '/api/urls/bulk', { body });
  let trashed: number[];

  /** Two links that are there, and three in the trash, newest first. */
  beforeEach(async () => {
    const made = await server.request('POST', '/api/plan/add', {
      body: { name: `Two ${randomUUID()}`, limits: { links: 2 } },
    });
    limited = secondAccount(server, `two-${randomUUID().slice(0, 8)}`);
    trashed = [];
    for (let count = 0; count < 3; count += 1) trashed.unshift(await add());
    await bulk({ ids: trashed, action: 'delete' });
    await server.request('PUT', `/api/plan/${made.body.data.id}/user/${limited.id}`);
    await add();
  });

  test('restores as many from the trash as fit, and reports which did not', async () => {
    const rehearsed = await bulk({ filter: {}, action: 'restore', dryrun: true });
    const reply = await bulk({ filter: {}, action: 'restore' });
    expect(reply.body.data.rows).toEqual([
      { id: trashed[0], outcome: 'done' },
      { id: trashed[1], outcome: 'refused', code: 'plan_required' },
      { id: trashed[2], outcome: 'refused', code: 'plan_required' },
    ]);
    expect(rehearsed.body.data.rows).toEqual(reply.body.data.rows);
    expect((await urls()).result).toBe(2);
    expect((await urls('status=trash')).result).toBe(2);
  });

  test('refuses to undo a deletion that would restore too many, and changes nothing', async () => {
    const { id } = (await urls()).urls[0];
    const { body } = await limited.request('DELETE', `/api/url/${id}/delete`);
    await add();
    await add();
    const reply = await limited.request('POST', `/api/undo/${body.undo}`);
    expect([reply.status, reply.body.code, reply.body.field]).toEqual([403, 'plan_required', 'links']);
    expect((await urls()).result).toBe(2);
    const [made] = (await urls()).urls;
    await limited.request('DELETE', `/api/url/${made.id}/delete`);
    expect((await limited.request('POST', `/api/undo/${body.undo}`)).status).toBe(200);
    expect((await urls()).result).toBe(2);
  });

  test('still lets an account over its limit undo what adds no link', async () => {
    await server.databases.main
      .prepare('UPDATE links SET trashed_at = NULL WHERE user_id = ?')
      .run(limited.id);
    expect((await urls()).result).toBe(4);
    const { body } = await bulk({ filter: {}, action: 'archive' });
    expect((await limited.request('POST', `/api/undo/${body.data.undo}`)).status).toBe(200);
  });
});

describe("an account's defaults for new links", () => {
  test('are used when shortening: its domain and type', async () => {
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

  test('do not apply on an expired plan', async () => {
    const other = secondAccount(server, 'ended');
    await other.request('PUT', '/api/account/update', { body: { defaulttype: 'splash' } });
    await server.request('PUT', `/api/plan/1/user/${other.id}`);
    const made = await other.request('POST', '/api/url/add', { body: link });
    expect((await other.request('GET', `/api/url/${made.body.id}`)).body.details.type).toBe('direct');
    expect((await other.request('GET', '/api/account')).body.data.defaulttype).toBe('direct');
  });
});
