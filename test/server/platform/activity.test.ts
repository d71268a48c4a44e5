import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordActionOf } from '../../../server/platform/audit/record-activity.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { newTeam, type TestMember } from '../../support/team.ts';

interface Entry {
  action: string;
  actor: { id: number; username: string };
  details: Record<string, unknown>;
  record?: { kind: string; id: number | null; title: string | null };
}

describe('changes of records in the activity log', () => {
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

  test('show who did what to which record, even after it is deleted', async () => {
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

  test('include a second deletion, and only the target of a webhook', async () => {
    server.clock.advance(3_600_000);
    const { id } = (await send('POST', '/api/campaign/add', { name: 'Gone twice' })).body;
    await send('DELETE', `/api/campaign/${id}/delete`);
    await send('POST', `/api/campaign/${id}/restore`);
    await send('DELETE', `/api/campaign/${id}/delete`);
    const actions = (await list(`kind=campaigns&record=${id}`)).map(({ action }) => action);
    expect(actions).toEqual(['deleted', 'restored', 'deleted', 'created'].map((verb) => `campaigns.${verb}`));
    const hook = { url: 'https://hooks.example.com/secret/part', events: ['link.created'] };
    expect((await send('POST', '/api/webhook/add', hook)).status).toBe(200);
    expect((await list('kind=webhooks'))[0]?.record?.title).toBe('hooks.example.com');
  });

  test('include created, edited, deleted and restored links, and imports', async () => {
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

  test('include neither refused requests nor the same edit repeatedly', async () => {
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

  test('report an existing link only as updated', async () => {
    server.clock.advance(3_600_000);
    const sent = { url: 'https://example.com/again' };
    const { id } = (await send('POST', '/api/url/add', sent)).body;
    await send('POST', '/api/url/add', { ...sent, ifexists: 'return' });
    await send('POST', '/api/url/add', { ...sent, title: 'Again', ifexists: 'update' });
    const entries = await list(`kind=links&record=${id}`);
    expect(entries.map(({ action }) => action)).toEqual(['links.updated', 'links.created']);
  });

  test("combine thousands of a program's changes in one entry", async () => {
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

  test('keep a separate view for security, which programs get by default', async () => {
    await send('POST', '/api/key/add', { name: 'Script' });
    const isRecord = ({ record }: Entry) => record !== undefined;
    const [usual, security, records, all] = await Promise.all(
      ['', 'view=security', 'view=records', 'view=all'].map(list),
    );
    expect(usual).toEqual(security);
    expect([usual?.some(isRecord), records?.every(isRecord)]).toEqual([false, true]);
    expect(all).toHaveLength((security?.length ?? 0) + (records?.length ?? 0));
    expect(usual?.[0]?.action).toBe('key.added');
  });

  test("include only the first of a program's repeated requests", async () => {
    server.clock.advance(3_600_000);
    const add = () =>
      server.request('POST', '/api/url/add', {
        body: { url: 'https://example.com/twice' },
        headers: { 'Idempotency-Key': 'activity' },
      });
    const { id } = (await add()).body;
    server.clock.advance(3_600_000);
    expect((await add()).body.id).toBe(id);
    expect(told(await list(`kind=links&record=${id}`))).toHaveLength(1);
  });

  test("show a team's members what was done there, and those who only see their own what they did", async () => {
    const team = await newTeam(server);
    const [ella, carl] = [await team.join('ella', 'editor'), await team.join('carl', 'contributor', true)];
    const add = async (person: TestMember, name: string) =>
      (await person.inTeam('POST', '/api/campaign/add', { body: { name } })).body.id as number;
    const [ofElla, ofCarl] = [await add(ella, 'By Ella'), await add(carl, 'By Carl')];
    const seen = async (person: TestMember, query: string) => {
      const { body } = await person.inTeam('GET', `/api/audit?limit=100&${query}`);
      const ids = body.data.audit.map(({ record }: Entry) => record?.id);
      expect(body.data.result).toBe(ids.length);
      return ids;
    };
    expect(await seen(team.owner, 'view=records')).toEqual([ofCarl, ofElla]);
    expect(await seen(team.owner, `view=records&person=${ella.id}`)).toEqual([ofElla]);
    expect(await seen(team.owner, `action=campaigns.created&view=all&person=${carl.id}`)).toEqual([ofCarl]);
    expect(await seen(carl, 'view=records')).toEqual([ofCarl]);
    expect(await seen(carl, `view=records&person=${ella.id}`)).toEqual([ofCarl]);
    expect(await seen(carl, `kind=campaigns&record=${ofElla}`)).toEqual([]);
    const people = async (person: TestMember) =>
      (await person.inTeam('GET', '/api/audit/people')).body.data.map(({ id }: { id: number }) => id);
    expect(await people(carl)).toEqual([carl.id]);
    expect(await people(team.owner)).toEqual(expect.arrayContaining([ella.id, carl.id, team.owner.id]));
    // In their own account people see what they did elsewhere, once.
    const own = (await ella.request('GET', '/api/audit?view=records')).body.data;
    expect([own.result, told(own.audit)]).toEqual([1, [['campaigns.created', ofElla, 'By Ella']]]);
  });

  test('can be filtered by record, kind or action', async () => {
    const every = await list('view=all');
    const of = (condition: (entry: Entry) => boolean) => every.filter(condition);
    const [first] = of(({ record }) => record?.kind === 'campaigns');
    const cases: [string, Entry[]][] = [
      ['view=all&action=key.added', of(({ action }) => action === 'key.added')],
      ['view=all&action=campaigns.updated', of(({ action }) => action === 'campaigns.updated')],
      ['action=campaigns.updated', []],
      ['kind=campaigns&action=campaigns.deleted', of(({ action }) => action === 'campaigns.deleted')],
      ['kind=links&action=campaigns.deleted', []],
      ['view=security&kind=links', []],
      ['view=records&action=key.added', []],
      [`view=security&record=${first?.record?.id}`, []],
      [
        `view=all&kind=campaigns&record=${first?.record?.id}`,
        of(({ record }) => record?.kind === 'campaigns' && record.id === first?.record?.id),
      ],
    ];
    for (const [query, expected] of cases) {
      const { body } = await send('GET', `/api/audit?limit=100&${query}`);
      expect([query, body.data.result, body.data.audit]).toEqual([query, expected.length, expected]);
    }
    for (const show of ['own', 'all']) {
      const [page] = [await send('GET', `/api/audit?limit=3&page=2&view=all&show=${show}`)];
      const whole = (await send('GET', `/api/audit?limit=100&view=all&show=${show}`)).body.data.audit;
      expect(page.body.data.audit).toEqual(whole.slice(3, 6));
      expect(page.body.data.result).toBe(whole.length);
    }
  });

  test('can be filtered by person, and show others’ records to nobody', async () => {
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
    expect(people.map(({ username }: { username: string }) => username)).toEqual([
      'anna',
      'ben',
      'carl',
      'ella',
      'olga',
    ]);
    const [{ id }] = people.filter(({ username }: { username: string }) => username === 'ben');
    // Anna let Ben in, which he sees.
    expect((await send('GET', '/api/audit/people', undefined, ben)).body.data).toEqual([
      { id: 1, username: 'anna' },
      { id, username: 'ben' },
    ]);
    expect(told(await list(`view=records&person=${id}`))).toEqual([['splash.created', made.id, 'Of Ben']]);
    expect(told(await list(`view=records&person=1`))).not.toContainEqual([
      'splash.created',
      made.id,
      'Of Ben',
    ]);
  });

  test('are for full keys, because they name links and files', async () => {
    const added = await send('POST', '/api/key/add', { name: 'Log', scopes: ['account:read'] });
    const key: string = added.body.data.api_key;
    for (const query of ['', 'view=security&kind=links', 'action=links.created', 'record=1']) {
      const { status, body } = await send('GET', `/api/audit?${query}`, undefined, key);
      expect([query, status]).toEqual([query, 200]);
      expect(body.data.audit.filter(({ record }: Entry) => record)).toEqual([]);
    }
    for (const query of ['view=all', 'view=records', 'kind=links', 'view=records&record=1']) {
      const { status, body } = await send('GET', `/api/audit?${query}`, undefined, key);
      expect([query, status, body.code]).toEqual([query, 403, 'scope_missing']);
    }
  });
});

test('cover every path that creates, updates, deletes or restores a record', () => {
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
