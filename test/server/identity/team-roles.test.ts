import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnyEndpoint } from '../../../server/contract/endpoint.ts';
import { type Authored, powers, type Role, roles, teamRuleOf } from '../../../server/contract/roles.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { addDomain } from '../../support/second-account.ts';
import { memberOf, newTeam, type TestMember, type TestTeam } from '../../support/team.ts';

const modules = import.meta.glob<Record<string, unknown>>('../../../server/contract/*.ts', { eager: true });
const endpoints = Object.values(modules)
  .flatMap((module) => Object.values(module))
  .filter((each): each is AnyEndpoint => typeof each === 'object' && each !== null && 'alsoReads' in each);
/** Those that act in an account; what only takes something away comes last. */
const acting = endpoints
  .map((endpoint) => ({ endpoint, rule: teamRuleOf(endpoint) }))
  .filter(({ endpoint, rule }) => endpoint.access === 'user' && rule.acts in powers.owner)
  .sort(
    (one, other) => Number(one.endpoint.method === 'DELETE') - Number(other.endpoint.method === 'DELETE'),
  );

type Things = Partial<Record<Authored, number>>;

let server: TestApp;
let team: TestTeam;
let other: TestTeam;
const members = {} as Record<Role, TestMember>;
/** What each role created itself, what the owner created for it to try its hand at, and what another team has. */
const own = {} as Record<Role, Things>;
const foreign = {} as Record<Role, Things>;
const outside = {} as Record<Role, Things>;

let made = 0;
/** One record of each kind, as if this member had created them. */
async function things(accountId: number, maker: TestMember, author: number): Promise<Things> {
  made += 1;
  const add = async (path: string, body: object) => {
    const reply = await maker.inTeam('POST', path, { body });
    expect(reply.body.error, path).toBe(0);
    return reply.body.id as number;
  };
  const links = await add('/api/url/add', { url: `https://example.com/${made}`, custom: `matrix${made}` });
  const found: Things = {
    links,
    campaigns: await add('/api/campaign/add', { name: `campaign ${made}` }),
    channels: await add('/api/channel/add', { name: `channel ${made}` }),
    pixels: await add('/api/pixel/add', { name: 'p', type: 'bing', tag: '1234567' }),
    overlays: await add('/api/overlay/add', { name: 'o', type: 'message', content: { text: 'o' } }),
    splash: await add('/api/splash/add', { name: 's' }),
    qr: await add('/api/qr/add', { type: 'text', data: 'q', name: 'q' }),
    bio: await add('/api/bio/add', { name: 'b', blocks: [] }),
    webhooks: await add('/api/webhook/add', { url: 'https://hooks.example.com/', events: ['link.created'] }),
    domains: addDomain(server, `m${made}.example.com`, accountId),
    cases: (
      await maker.inTeam('POST', `/api/url/${links}/case/add`, {
        body: { name: 'c', visitor: {}, expected: { link: 'https://example.com/' } },
      })
    ).body.id,
  };
  const upload = await server.request('POST', '/api/files/upload/a.txt', {
    key: maker.key,
    rawBody: 'text',
    headers: { 'X-Waypost-Account': String(accountId), 'content-type': 'application/octet-stream' },
  });
  found.files = upload.body.id;
  const tables: Partial<Record<Authored, string>> = {
    splash: 'splash_pages',
    qr: 'qr_codes',
    bio: 'bio_pages',
  };
  for (const [resource, id] of Object.entries(found)) {
    if (resource === 'cases') continue;
    const table = tables[resource as Authored] ?? resource;
    server.databases.main.prepare(`UPDATE ${table} SET created_by = ? WHERE id = ?`).run(author, id);
  }
  return found;
}

beforeAll(async () => {
  server = await startApp({ ratelimit: 100_000 });
  team = await newTeam(server, 'olga');
  other = await newTeam(server, 'oskar');
  members.owner = team.owner;
  for (const role of ['viewer', 'contributor', 'editor', 'admin'] as const) {
    members[role] = await team.join(`the-${role}`, role);
  }
  for (const role of roles) {
    own[role] = await things(team.id, team.owner, members[role].id);
    foreign[role] = await things(
      team.id,
      team.owner,
      team.owner.id === members[role].id ? members.admin.id : team.owner.id,
    );
    outside[role] = await things(other.id, other.owner, other.owner.id);
    server.clock.advance(60_000);
  }
});
afterAll(() => server.close());

/** The path of an endpoint with the ids of these records; undefined where one of them is not made here. */
function pathWith({ path }: AnyEndpoint, found: Things): string | undefined {
  const { records } = teamRuleOf({ method: 'GET', path, access: 'user', reads: true });
  let filled: string = path.replace(':type', 'links').replace(':filename', 'b.txt');
  for (const { param, resource } of records) {
    const id = found[typeof resource === 'string' ? resource : 'links'];
    if (id === undefined) return undefined;
    filled = filled.replace(`:${param}`, String(id));
  }
  // What hangs on a record, and changes, which there are none of.
  return filled.replace(/:[a-z]+/g, '999999');
}

const ask = (member: TestMember, { method }: AnyEndpoint, path: string) =>
  member.inTeam(method, path, method === 'GET' ? {} : { body: {} });

describe.each(
  acting.map(({ endpoint, rule }) => ({ name: `${endpoint.method} ${endpoint.path}`, endpoint, rule })),
)('$name', ({ endpoint, rule }) => {
  // The stream never ends.
  const isStream = endpoint.path === '/api/events';
  const hasRecord = rule.records.some(({ changes }) => changes);

  test('is refused to roles that are too low, and to no other', async () => {
    server.clock.advance(60_000);
    for (const role of roles) {
      const power = powers[role][rule.acts as keyof typeof powers.owner];
      for (const [whose, found] of [
        ['own', own[role]],
        ['foreign', foreign[role]],
      ] as const) {
        const path = pathWith(endpoint, found);
        if (path === undefined || isStream) continue;
        const isRefused = power === false || (power === 'own' && (!hasRecord || whose === 'foreign'));
        const { status, body } = await ask(members[role], endpoint, path);
        expect(status, `${role}, ${whose}`).toBeLessThan(500);
        expect(body.code === 'role_too_low', `${role}, ${whose}: ${status} ${body.code}`).toBe(isRefused);
      }
    }
  });

  if (rule.records.length === 0) return;
  test('finds nothing of another account, whatever the role', async () => {
    for (const role of roles) {
      const path = pathWith(endpoint, outside[role]);
      if (path === undefined) continue;
      const { status } = await ask(members[role], endpoint, path);
      expect([400, 404], `${role}: ${status}`).toContain(status);
    }
  });
});

describe('somebody who sees only what they created', () => {
  let cora: TestMember;
  let mine: Things;
  let theirs: Things;
  beforeAll(async () => {
    cora = await team.join('cora', 'contributor', true);
    mine = await things(team.id, team.owner, cora.id);
    theirs = await things(team.id, team.owner, team.owner.id);
    server.clock.advance(60_000);
  });

  test('gets 404 for everything else, as if it were not there', async () => {
    for (const { endpoint, rule } of acting) {
      if (rule.records.length === 0) continue;
      const path = pathWith(endpoint, theirs);
      const absent = path?.replace(/\/\d+(?=\/|$)/g, '/888888');
      if (path === undefined || absent === undefined) continue;
      const [hidden, missing] = [await ask(cora, endpoint, path), await ask(cora, endpoint, absent)];
      expect(hidden.status, path).toBe(404);
      expect(hidden.body, path).toEqual(missing.body);
    }
  });

  test('finds only that in lists, whoever is asked for', async () => {
    server.clock.advance(60_000);
    const lists: [string, Authored][] = [
      ['/api/urls', 'links'],
      ['/api/campaigns', 'campaigns'],
      ['/api/channels', 'channels'],
      ['/api/pixels', 'pixels'],
      ['/api/overlay', 'overlays'],
      ['/api/splash', 'splash'],
      ['/api/qr', 'qr'],
      ['/api/bio', 'bio'],
      ['/api/files', 'files'],
      ['/api/domains', 'domains'],
      ['/api/webhooks', 'webhooks'],
    ];
    const idsIn = ({ data, list }: { data?: Record<string, unknown>; list?: { id: number }[] }) => {
      const rows = list ?? (Object.values(data ?? {}).find(Array.isArray) as { id: number }[]);
      return rows.map(({ id }) => id);
    };
    for (const [path, resource] of lists) {
      expect(idsIn((await cora.inTeam('GET', path)).body), path).toEqual([mine[resource]]);
      const asked = await cora.inTeam('GET', `${path}?member=${team.owner.id}`);
      expect(idsIn(asked.body), path).toEqual([]);
      const byCora = await team.owner.inTeam('GET', `${path}?member=${cora.id}`);
      expect(idsIn(byCora.body), path).toEqual([mine[resource]]);
      expect((await team.owner.inTeam('GET', `${path}?member=x`)).status, path).toBe(400);
      expect(idsIn((await team.owner.inTeam('GET', `${path}?member=999999`)).body), path).toEqual([]);
    }
  });

  test('lists their own cases and domains only, and finds no other link by its address', async () => {
    const { cases } = (await cora.inTeam('GET', '/api/cases')).body.data;
    expect(cases.map(({ id }: { id: number }) => id)).toEqual([mine.cases]);
    const { domains } = (await cora.inTeam('GET', '/api/domains/overview')).body.data;
    expect(domains).toHaveLength(1);
    const short = await cora.inTeam('GET', `/api/urls?short=matrix1`);
    expect(short.body.data.result).toBe(0);
  });
});

test('a record tells who created it and who changed it last', async () => {
  const ella = members.editor;
  const { id } = (await ella.inTeam('POST', '/api/url/add', { body: { url: 'https://example.com/who' } }))
    .body;
  const shown = async () => (await ella.inTeam('GET', `/api/url/${id}`)).body.details;
  const named = (member: TestMember, name: string) => ({ id: member.id, name });
  expect(await shown()).toMatchObject({ created_by: named(ella, 'the-editor'), updated_by: null });
  await members.admin.inTeam('PUT', `/api/url/${id}/update`, { body: { title: 'Changed' } });
  expect(await shown()).toMatchObject({
    created_by: named(ella, 'the-editor'),
    updated_by: named(members.admin, 'the-admin'),
  });
});

test('every kind of record keeps its creator through the trash', async () => {
  const kinds: [string, string, object][] = [
    ['campaign', 'campaigns', { name: 'kept' }],
    ['channel', 'channels', { name: 'kept' }],
    ['pixel', 'pixels', { name: 'kept', type: 'bing', tag: '1234567' }],
    ['overlay', 'overlay', { name: 'kept', type: 'message', content: { text: 'kept' } }],
    ['splash', 'splash', { name: 'kept' }],
    ['qr', 'qr', { type: 'text', data: 'kept', name: 'kept' }],
    ['bio', 'bio', { name: 'kept', blocks: [] }],
  ];
  const carl = members.contributor;
  for (const [path, list, body] of kinds) {
    const { id } = (await carl.inTeam('POST', `/api/${path}/add`, { body })).body;
    const found = async () => {
      const { data } = (await carl.inTeam('GET', `/api/${list}?member=${carl.id}&limit=1000`)).body;
      const rows = Object.values(data).find(Array.isArray) as { id: number }[];
      return rows.find((row) => row.id === id);
    };
    const before = await found();
    expect(before, path).toMatchObject({ created_by: { id: carl.id }, updated_by: null });
    expect((await carl.inTeam('DELETE', `/api/${path}/${id}/delete`)).status, path).toBe(200);
    expect((await members.viewer.inTeam('POST', `/api/${path}/${id}/restore`)).body.code, path).toBe(
      'role_too_low',
    );
    expect((await members.admin.inTeam('POST', `/api/${path}/${id}/restore`)).status, path).toBe(200);
    expect(await found(), path).toEqual({ ...before, version: 2 });
  }
});

test('contributors undo what they changed themselves, on links of their own', async () => {
  const carl = members.contributor;
  const alias = 'undoable';
  const body = { url: 'https://example.com/before', custom: alias };
  const { id } = (await carl.inTeam('POST', '/api/url/add', { body })).body;
  const visit = async () =>
    (await fetch(`${server.origin}/${alias}`, { redirect: 'manual' })).headers.get('location');
  const change = async (member: TestMember, url: string) => {
    await member.inTeam('PUT', `/api/url/${id}/update`, { body: { url } });
    return (await member.inTeam('GET', `/api/url/${id}/history`)).body.data.changes[0].id as number;
  };
  const his = await change(carl, 'https://example.com/after');
  expect((await members.viewer.inTeam('POST', `/api/undo/${his}`)).body.code).toBe('role_too_low');
  expect((await carl.inTeam('POST', `/api/undo/${his}`)).status).toBe(200);
  expect(await visit()).toBe('https://example.com/before');
  const hers = await change(members.editor, 'https://example.com/later');
  expect((await carl.inTeam('POST', `/api/undo/${hers}`)).body.code).toBe('role_too_low');
  expect(await visit()).toBe('https://example.com/later');
  // The history says whose each change is, so that nobody is offered what is refused.
  const { changes } = (await carl.inTeam('GET', `/api/url/${id}/history`)).body.data;
  expect(changes.map((each: { created_by: { id: number } }) => each.created_by.id)).toEqual([
    members.editor.id,
    carl.id,
    carl.id,
  ]);
  expect((await carl.inTeam('POST', '/api/bio/preview', { body: { name: 'Mine' } })).status).toBe(200);
  expect((await memberOf(server, carl, carl.id).inTeam('POST', `/api/undo/${hers}`)).status).toBe(404);
});

describe('contributors and many links at once', () => {
  const bulk = (member: TestMember, body: object) => member.inTeam('POST', '/api/urls/bulk', { body });
  const add = async (member: TestMember, alias: string) =>
    (
      await member.inTeam('POST', '/api/url/add', {
        body: { url: 'https://example.com/many', custom: alias },
      })
    ).body.id as number;
  const status = async (alias: string) =>
    (await fetch(`${server.origin}/${alias}`, { redirect: 'manual' })).status;

  test('archive, lock and delete their own, leave the rest as it is, and undo it', async () => {
    const carl = members.contributor;
    const his = await add(carl, 'his-own');
    const hers = await add(members.editor, 'not-his');
    const ids = [his, hers, 999_999];
    const archived = (await bulk(carl, { ids, action: 'archive' })).body.data;
    expect(archived.rows).toEqual([
      { id: his, outcome: 'done' },
      { id: hers, outcome: 'refused', code: 'role_too_low' },
      { id: 999_999, outcome: 'not_found', code: 'not_found' },
    ]);
    expect([await status('his-own'), await status('not-his')]).toEqual([410, 302]);
    expect((await carl.inTeam('POST', `/api/undo/${archived.undo}`)).status).toBe(200);
    expect(await status('his-own')).toBe(302);
    const planned = (await bulk(carl, { ids, action: 'delete', dryrun: true })).body.data;
    expect(planned.codes).toEqual({ role_too_low: 1, not_found: 1 });
    for (const action of ['lock', 'unlock', 'delete', 'restore']) {
      const { counts } = (await bulk(carl, { ids: [his, hers], action })).body.data;
      // One that was never deleted is not there for a restore either way.
      expect(counts, action).toEqual({ done: 1, unchanged: 0, refused: 1, not_found: 0 });
    }
    const all = (await bulk(carl, { filter: { q: 'many' }, action: 'archive' })).body.data;
    expect(all.counts.done).toBe(1);
    expect([await status('his-own'), await status('not-his')]).toEqual([410, 302]);
    expect((await bulk(members.viewer, { ids: [his], action: 'archive' })).body.code).toBe('role_too_low');
  });

  test('do not learn of what is hidden from them', async () => {
    const cleo = await team.join('cleo', 'contributor', true);
    const hers = await add(members.editor, 'hidden-from-cleo');
    const { rows } = (await bulk(cleo, { ids: [hers], action: 'archive' })).body.data;
    expect(rows).toEqual([{ id: hers, outcome: 'not_found', code: 'not_found' }]);
    const { data } = (await bulk(cleo, { filter: { q: 'hidden' }, action: 'archive', dryrun: true })).body;
    expect(data.rows).toEqual([]);
    expect(await status('hidden-from-cleo')).toBe(302);
  });
});
