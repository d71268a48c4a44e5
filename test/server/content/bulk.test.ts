import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import { addDomain } from '../../support/second-account.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp();
});
afterAll(() => server.close());

const bulk = (body: object) => server.request('POST', '/api/urls/bulk', { body });
const add = async (body: object = {}) =>
  (await server.request('POST', '/api/url/add', { body: { url: 'https://example.com/', ...body } })).body.id;

describe('a bulk action', () => {
  test('accepts up to 10,000 links, and reports one more', async () => {
    const ids = Array.from({ length: 10_001 }, (_, index) => index + 1_000_000);
    const reply = await bulk({ ids, action: 'archive' });
    expect([reply.status, reply.body.code, reply.body.field, reply.body.message]).toEqual([
      400,
      'invalid_value',
      'ids',
      'Choose at most 10,000 links at once.',
    ]);
    const most = await bulk({ ids: ids.slice(1), action: 'archive' });
    expect(most.body.data.rows).toHaveLength(10_000);
  });

  test.each([{}, { background: true }, { dryrun: true }])(
    'takes ids or a filter, and neither both nor none: %o',
    async (how) => {
      const id = await add({ title: 'Not to be archived' });
      const refusals = [
        [{ ids: [id], filter: { q: 'not to be' } }, 'exclusive', 'filter'],
        [{}, 'required', 'ids'],
      ] as const;
      for (const [body, code, field] of refusals) {
        const reply = await bulk({ ...body, ...how, action: 'archive' });
        expect([reply.status, reply.body.code, reply.body.field]).toEqual([400, code, field]);
      }
      const { body } = await server.request('GET', `/api/url/${id}`);
      expect(body.details.archived).toBe(false);
    },
  );

  test('that changes nothing is not in the history', async () => {
    const changes = () => server.databases.main.prepare('SELECT count(*) FROM changes').pluck().get();
    const id = await add();
    const before = changes();
    for (const ids of [[id], [id, ...Array.from({ length: 200 }, (_, index) => index + 1_000_000)]]) {
      const reply = await bulk({ ids, action: 'unarchive' });
      expect(reply.body.data.rows[0]).toEqual({ id, outcome: 'unchanged' });
      expect(reply.body.data.undo).toBeNull();
      expect(changes()).toBe(before);
    }
    const { undo } = (await bulk({ ids: [id], action: 'archive' })).body.data;
    expect((await server.request('POST', `/api/undo/${undo}`)).status).toBe(200);
    const history = await server.request('GET', `/api/url/${id}/history`);
    expect(history.body.data.changes).toHaveLength(2);
  });

  test('does not undo what it refused', async () => {
    const [two, three] = ['two.example.com', 'three.example.com'].map((host) => addDomain(server, host, 1));
    const id = await add({ custom: 'same' });
    await add({ custom: 'same', domain: two });
    const other = await add({ custom: 'other' });
    const reply = await bulk({ ids: [id, other], action: 'domain', value: two });
    expect(reply.body.data.rows).toEqual([
      { id, outcome: 'refused', code: 'alias_taken' },
      { id: other, outcome: 'done' },
    ]);
    const history = await server.request('GET', `/api/url/${id}/history`);
    expect(history.body.data.changes).toEqual([]);
    await server.request('PUT', `/api/url/${id}/update`, { body: { domain: three } });
    await server.request('POST', `/api/undo/${reply.body.data.undo}`);
    const domains = [id, other].map(
      async (each) => (await server.request('GET', `/api/url/${each}`)).body.details.domain,
    );
    expect(await Promise.all(domains)).toEqual(['https://three.example.com', server.origin]);
  });
});
