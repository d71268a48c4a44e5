import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordActionOf } from '../../../server/platform/audit/record-activity.ts';
import { startApp, type TestApp } from '../../support/app.ts';

interface Entry {
  action: string;
  actor: { id: number; username: string };
  details: Record<string, unknown>;
  record: { kind: string; id: number | null; title: string | null } | null;
}

describe('the activity of records', () => {
  let server: TestApp;
  beforeAll(async () => {
    server = await startApp({ ratelimit: 100_000 });
  });
  afterAll(() => server.close());

  const send = (method: string, path: string, body?: unknown, key?: string) =>
    server.request(method, path, { ...(body !== undefined && { body }), ...(key && { key }) });
  const list = async (query: string): Promise<Entry[]> => {
    const { status, body } = await send('GET', `/api/audit?limit=100&${query}`);
    expect(status).toBe(200);
    return body.data.audit;
  };
  const told = (entries: readonly Entry[]) =>
    entries.map(({ action, record }) => [action, record?.id ?? null, record?.title ?? null]);

  test('names who did what to which record, also once it is deleted', async () => {
    const { id } = (await send('POST', '/api/campaign/add', { name: 'Spring' })).body;
    await send('PUT', `/api/campaign/${id}/update`, { name: 'Summer' });
    await send('DELETE', `/api/campaign/${id}/delete`);
    await send('POST', `/api/campaign/${id}/restore`);
    const entries = await list('kind=campaigns');
    expect(told(entries)).toEqual([
      ['campaigns.restored', id, 'Summer'],
      ['campaigns.deleted', id, 'Summer'],
      ['campaigns.updated', id, 'Spring'],
      ['campaigns.created', id, 'Spring'],
    ]);
    expect(entries[0]?.actor).toEqual({ id: 1, username: 'anna' });
    expect(entries[0]?.record?.kind).toBe('campaigns');
  });

  test('has the links that were made, edited, deleted and taken back, and what was imported', async () => {
    server.clock.advance(3_600_000);
    const link = (await send('POST', '/api/url/add', { url: 'https://example.com/', custom: 'shop' })).body;
    await send('PUT', `/api/url/${link.id}/update`, { url: 'https://example.com/new' });
    const rows = Array.from({ length: 3 }, (_, index) => ({ url: `https://example.com/${index}` }));
    const ids = (await send('POST', '/api/urls/import', { rows })).body.data.rows.map(
      (row: { id: number }) => row.id,
    );
    await send('POST', '/api/urls/import', { rows, dryrun: true });
    await send('POST', '/api/urls/import', {
      rows: [{ url: 'https://example.com/4' }, { url: 'https://example.com/5' }],
    });
    await send('POST', '/api/urls/bulk', { ids, action: 'delete' });
    await send('DELETE', `/api/url/${link.id}/delete`);
    const entries = await list('kind=links');
    expect(told(entries)).toEqual([
      ['links.deleted', link.id, 'shop'],
      ['links.deleted', null, null],
      ['links.imported', null, null],
      ['links.updated', link.id, 'shop'],
      ['links.created', link.id, 'shop'],
    ]);
    expect(entries.map(({ details }) => details.count)).toEqual([undefined, 3, 5, undefined, undefined]);
    expect(told(await list(`kind=links&record=${link.id}`))).toEqual([
      ['links.deleted', link.id, 'shop'],
      ['links.updated', link.id, 'shop'],
      ['links.created', link.id, 'shop'],
    ]);
  });

  test('notes neither what was refused nor the same edit over and over', async () => {
    server.clock.advance(3_600_000);
    const { id } = (await send('POST', '/api/pixel/add', { type: 'gapixel', name: 'Site', tag: 'G-1' })).body;
    await send('POST', '/api/pixel/add', { type: 'nothing', name: 'x', tag: 'y' });
    await send('PUT', '/api/pixel/999/update', { name: 'x' });
    for (const name of ['a', 'b', 'c']) await send('PUT', `/api/pixel/${id}/update`, { name });
    expect(told(await list('kind=pixels'))).toEqual([
      ['pixels.updated', id, 'Site'],
      ['pixels.created', id, 'Site'],
    ]);
  });

  test('says of a link that was there already only that it was updated', async () => {
    server.clock.advance(3_600_000);
    const sent = { url: 'https://example.com/again' };
    const { id } = (await send('POST', '/api/url/add', sent)).body;
    await send('POST', '/api/url/add', { ...sent, ifexists: 'return' });
    await send('POST', '/api/url/add', { ...sent, title: 'Again', ifexists: 'update' });
    const entries = await list(`kind=links&record=${id}`);
    expect(entries.map(({ action }) => action)).toEqual(['links.updated', 'links.created']);
  });

  test('counts what a program does by the thousand in one entry', async () => {
    server.clock.advance(3_600_000);
    for (let count = 0; count < 45; count += 1) await send('POST', '/api/channel/add', { name: `c${count}` });
    const entries = await list('kind=channels');
    expect(entries).toHaveLength(20);
    expect(entries[0]).toMatchObject({ record: { id: null }, details: { count: 26 } });
    expect(entries[1]?.record?.title).toBe('c18');
    server.clock.advance(600_000);
    await send('POST', '/api/channel/add', { name: 'later' });
    expect(await list('kind=channels')).toHaveLength(21);
  });

  test('leaves security a view of its own, the one that programs get unless they ask for another', async () => {
    await send('POST', '/api/key/add', { name: 'Script' });
    const isRecord = ({ record }: Entry) => record !== null;
    const [usual, security, records, all] = await Promise.all(
      ['', 'view=security', 'view=records', 'view=all'].map(list),
    );
    expect(usual).toEqual(security);
    expect([usual?.some(isRecord), records?.every(isRecord)]).toEqual([false, true]);
    expect(all).toHaveLength((security?.length ?? 0) + (records?.length ?? 0));
    expect(usual?.[0]?.action).toBe('key.added');
  });

  test('is filtered by person, and shows others’ records to nobody', async () => {
    await send('POST', '/api/user/add', {
      username: 'ben',
      email: 'ben@example.com',
      password: 'a long one',
    });
    const login = await server.request('POST', '/api/auth/login', {
      body: { login: 'ben', password: 'a long one' },
      key: null,
    });
    const ben = login.body.data.token;
    const made = (await send('POST', '/api/splash/add', { name: 'Of Ben' }, ben)).body;
    const own = (await send('GET', '/api/audit?view=records', undefined, ben)).body.data.audit;
    expect(told(own)).toEqual([['splash.created', made.id, 'Of Ben']]);
    const people = (await send('GET', '/api/audit/people')).body.data;
    expect(people.map(({ username }: { username: string }) => username)).toEqual(['anna', 'ben']);
    const [{ id }] = people.filter(({ username }: { username: string }) => username === 'ben');
    expect((await send('GET', '/api/audit/people', undefined, ben)).body.data).toEqual([
      { id, username: 'ben' },
    ]);
    expect(told(await list(`view=records&person=${id}`))).toEqual([['splash.created', made.id, 'Of Ben']]);
    expect(told(await list(`view=records&person=1`))).not.toContainEqual([
      'splash.created',
      made.id,
      'Of Ben',
    ]);
  });

  test('is for full keys, because it names links and files', async () => {
    const { secret } = (await send('POST', '/api/key/add', { name: 'Log', scopes: ['account:read'] })).body
      .data;
    expect((await send('GET', '/api/audit', undefined, secret)).status).toBe(200);
    for (const query of ['view=all', 'view=records', 'kind=links', 'view=security&kind=links']) {
      const { status, body } = await send('GET', `/api/audit?${query}`, undefined, secret);
      if (status === 200) expect(body.data.audit.filter(({ record }: Entry) => record)).toEqual([]);
      else expect([status, body.code]).toEqual([403, 'scope_missing']);
    }
  });
});

test('every path that creates, updates, deletes or restores a record is known', () => {
  const known = (method: 'POST' | 'PUT' | 'DELETE', path: `/api/${string}`) => {
    const { kind, verb } = recordActionOf({ method, path }) ?? {};
    return `${kind}.${verb}`;
  };
  expect(known('POST', '/api/url/add')).toBe('links.created');
  expect(known('PUT', '/api/bio/:id/update')).toBe('bio.updated');
  expect(known('PUT', '/api/campaign/:id/order')).toBe('campaigns.updated');
  expect(known('DELETE', '/api/webhook/:id/delete')).toBe('webhooks.deleted');
  expect(known('POST', '/api/overlay/:id/restore')).toBe('overlays.restored');
  expect(known('POST', '/api/files/upload/:filename')).toBe('files.created');
  // These do nothing to records of an account.
  expect(known('POST', '/api/key/add')).toBe('undefined.undefined');
  expect(known('PUT', '/api/case/:id/update')).toBe('undefined.undefined');
  expect(known('POST', '/api/webhook/:id/test')).toBe('undefined.undefined');
});
