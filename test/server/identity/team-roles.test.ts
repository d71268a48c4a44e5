import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnyEndpoint } from '../../../server/contract/endpoint.ts';
import {
  type Action,
  type Authored,
  powers,
  type Role,
  roles,
  teamRuleOf,
} from '../../../server/contract/roles.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { endpoints } from '../../support/endpoints.ts';
import { addDomain, secondAccount } from '../../support/second-account.ts';
import { memberOf, newTeam, type TestMember, type TestTeam } from '../../support/team.ts';
import { namesOf, teamActions } from '../../support/team-actions.ts';
import { some } from '../../support/trials.ts';

/** Those that act in an account; what only takes something away comes last. */
const acting = endpoints
  .map((endpoint) => ({ endpoint, rule: teamRuleOf(endpoint) }))
  .filter(({ endpoint, rule }) => endpoint.access === 'user' && rule.acts in powers.owner)
  .sort(
    (one, other) => Number(one.endpoint.method === 'DELETE') - Number(other.endpoint.method === 'DELETE'),
  );

/**
 * What has an id in a path, too, but no creator whose own it were: a template of the account, and a change to be
 * undone.
 */
type Uncreated = 'utm' | 'undo';
type Things = Partial<Record<Authored | Uncreated, number>>;
const isUncreated = (word: string): word is Uncreated => word === 'utm' || word === 'undo';

let server: TestApp;
let team: TestTeam;
let other: TestTeam;
/** Somebody with a session, and no part in the team. */
let stranger: TestMember;
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
  found.utm = await add('/api/utm/add', { name: `template ${made}`, source: 'mail' });
  await maker.inTeam('PUT', `/api/url/${links}/update`, { body: { title: 'Changed' } });
  found.undo = (await maker.inTeam('GET', `/api/url/${links}/history`)).body.data.changes[0].id;
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
    if (resource === 'cases' || isUncreated(resource)) continue;
    const table = tables[resource as Authored] ?? resource;
    server.databases.main.prepare(`UPDATE ${table} SET created_by = ? WHERE id = ?`).run(author, id);
  }
  return found;
}

beforeAll(async () => {
  server = await startApp({ ratelimit: 100_000, nameMs: 10, fetcher: { post: async () => 200 } });
  team = await newTeam(server, 'olga');
  other = await newTeam(server, 'oskar');
  stranger = memberOf(server, secondAccount(server, 'stranger'), team.id);
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

/** The path of an endpoint with the ids of these records. */
function pathWith({ path }: AnyEndpoint, found: Things): string {
  const { records } = teamRuleOf({ method: 'GET', path, access: 'user', reads: true });
  let filled: string = path.replace(':type', 'links').replace(':filename', 'b.txt');
  for (const { param, resource } of records) {
    const id = found[typeof resource === 'string' ? resource : 'links'];
    if (id === undefined) throw new Error(`${path} is about a record that nobody makes here`);
    filled = filled.replace(`:${param}`, String(id));
  }
  // What hangs on a record, and changes, which there are none of.
  return filled.replace(/:[a-z]+/g, '999999');
}

/** The live stream never ends: it is asked for its status alone. */
async function ask(member: TestMember, { method }: AnyEndpoint, path: string) {
  if (path !== '/api/events') return member.inTeam(method, path, method === 'GET' ? {} : { body: {} });
  const ending = new AbortController();
  const reply = await fetch(server.origin + path, {
    headers: { authorization: `Bearer ${member.key}`, 'X-Waypost-Account': String(team.id) },
    signal: ending.signal,
  });
  const body = reply.status === 200 ? {} : await reply.json();
  ending.abort();
  return { status: reply.status, body: body as { code?: string } };
}

describe.each(
  acting.map(({ endpoint, rule }, index) => ({
    name: `${endpoint.method} ${endpoint.path}`,
    endpoint,
    rule,
    index,
  })),
)('$name', ({ endpoint, rule, index }) => {
  const hasRecord = rule.records.some(({ changes }) => changes);

  test('is refused to roles that are too low, and to no other', async () => {
    server.clock.advance(60_000);
    for (const role of roles) {
      const power = powers[role][rule.acts as keyof typeof powers.owner];
      const records = [
        ['own', own[role]],
        ['foreign', foreign[role]],
      ] as const;
      // Where the role decides alone, either record stands for both in the short form.
      const tried = power === 'own' ? records : some(records, { from: index, short: 1 });
      for (const [whose, found] of tried) {
        const path = pathWith(endpoint, found);
        const isRefused = power === false || (power === 'own' && (!hasRecord || whose === 'foreign'));
        const { status, body } = await ask(members[role], endpoint, path);
        expect(status, `${role}, ${whose}`).toBeLessThan(500);
        if (isRefused) expect(status, `${role}, ${whose}`).toBe(403);
        expect(body.code === 'role_too_low', `${role}, ${whose}: ${status} ${body.code}`).toBe(isRefused);
      }
    }
  });

  test('does not exist for people who are not members', async () => {
    const { status, body } = await ask(stranger, endpoint, pathWith(endpoint, own.owner));
    expect([status, body.code]).toEqual([404, 'account_not_found']);
  });

  const [, , first = ''] = endpoint.path.split('/');
  const hasUncreated = isUncreated(first) && endpoint.path.includes(':id');
  if (rule.records.length === 0 && !hasUncreated) return;
  test('finds nothing in another account, whatever the role', async () => {
    for (const role of some(roles, { from: index, short: 2 })) {
      if (hasUncreated && powers[role][rule.acts as Action] !== true) continue;
      const path = hasUncreated
        ? endpoint.path.replace(':id', String(outside[role][first]))
        : pathWith(endpoint, outside[role]);
      const { status } = await ask(members[role], endpoint, path);
      // Also where the body lacks what it needs: 404 is told before 400.
      expect(status, role).toBe(404);
    }
  });
});

/** What a team's own endpoints take: a role that may do so much in the team that the path names. */
const ofTeams: Readonly<Record<string, { action: Action; body?: () => object }>> = {
  'GET /api/team/:id': { action: 'see' },
  'PUT /api/team/:id/update': { action: 'manage', body: () => ({ name: 'Renamed' }) },
  'DELETE /api/team/:id/delete': { action: 'own' },
  'GET /api/team/:id/members': { action: 'see' },
  'PUT /api/team/:id/member/:userid/update': { action: 'manage', body: () => ({}) },
  'DELETE /api/team/:id/member/:userid/delete': { action: 'manage' },
  'POST /api/team/:id/transfer': {
    action: 'own',
    body: () => ({ userid: members.editor.id }),
  },
  'POST /api/team/:id/invite': { action: 'manage', body: () => ({ role: 'viewer' }) },
  'GET /api/team/:id/invites': { action: 'manage' },
  'DELETE /api/team/:id/invite/:inviteid/delete': { action: 'manage' },
};
/**
 * Endpoints of the person, who names no team in the path, or one that is not there for others; each has tests of its
 * own.
 */
const ofPersons = [
  'GET /api/teams',
  'POST /api/team/add',
  'POST /api/team/join',
  'POST /api/team/:id/leave',
  'POST /api/team/:id/restore',
  'GET /api/keys',
  'POST /api/key/add',
  'PUT /api/key/:id/update',
  'DELETE /api/key/:id/delete',
  'POST /api/move',
  'POST /api/move/preview',
];
const nameOf = ({ method, path }: AnyEndpoint) => `${method} ${path}`;
const isOf =
  (acts: 'member' | 'person') =>
  (endpoint: AnyEndpoint): boolean =>
    endpoint.access === 'user' && teamRuleOf(endpoint).acts === acts;

test('for every id in a path there is an own, a foreign and an outside record', () => {
  // The name of a new file; and what hangs on a record that the path names as well.
  const others = new Set(['filename', 'messageid', 'deliveryid', 'type']);
  const unknown = acting.flatMap(({ endpoint: { path }, rule }) => {
    const known = new Set(rule.records.map(({ param }) => param));
    // Whose bulk jobs one sees and cancels is tried where they are (bulk-jobs.test.ts).
    if (path.startsWith('/api/urls/bulk/')) return [];
    return [...path.matchAll(/:([a-z]+)/g)]
      .map(([, param = '']) => param)
      .filter((param) => !known.has(param) && !others.has(param))
      .filter((param) => param !== 'id' || !isUncreated(path.split('/')[2] ?? ''))
      .map((param) => `${path}: ${param}`);
  });
  expect(unknown).toEqual([]);
});

test('every endpoint of the contract is in one of these tables', () => {
  expect(endpoints.length).toBeGreaterThan(200);
  const isActing = new Set(acting.map(({ endpoint }) => endpoint));
  const others = endpoints.filter((endpoint) => endpoint.access === 'user' && !isActing.has(endpoint));
  const known = new Set([...Object.keys(ofTeams), ...ofPersons]);
  expect(others.filter((endpoint) => !isOf('person')(endpoint) && !known.has(nameOf(endpoint)))).toEqual([]);
  expect(endpoints.filter(isOf('member')).map(nameOf).sort()).toEqual([...known].sort());
});

test('every operation of the published document requires the role in the table', async () => {
  const { paths } = (await server.request('GET', '/api/openapi.json')).body;
  const methods = new Set(['get', 'post', 'put', 'delete', 'patch', 'head', 'options', 'trace']);
  const published = Object.entries<object>(paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => methods.has(method))
      .map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  );
  expect(endpoints.map(nameOf).sort()).toEqual(published.sort());

  const inAccounts = endpoints.filter((endpoint) => endpoint.access === 'user' && !isOf('member')(endpoint));
  const derived = Object.fromEntries(inAccounts.map((each) => [nameOf(each), teamRuleOf(each).acts]));
  const lists = Object.keys(teamActions) as (keyof typeof teamActions)[];
  const written = Object.fromEntries(lists.flatMap((list) => namesOf(list).map((name) => [name, list])));
  expect(derived).toEqual(written);
});

describe.each(Object.entries(ofTeams))('%s', (name, { action, body = () => ({}) }) => {
  const [method = '', path = ''] = name.split(' ');
  const send = (member: TestMember, id: number, person: number) => {
    const filled = path.replace(':id', String(id)).replace(':userid', String(person));
    const address = filled.replace(':inviteid', '999999');
    return member.request(method, address, method === 'GET' ? {} : { body: body() });
  };

  test('reports that before errors in the body or the query', async () => {
    const wrong = { name: 1, role: 1, own_only: 1, userid: 'x', password: 1, uses: 'x' };
    const leaver = await team.join(`unread-${method}-${made++}`, 'viewer');
    const filled = path.replace(':userid', String(leaver.id)).replace(':inviteid', '999999');
    const ask = (member: TestMember, id: number) => {
      const address = filled.replace(':id', String(id));
      return method === 'GET'
        ? member.request(method, `${address}?limit=x`)
        : member.request(method, address, { body: wrong });
    };
    if (powers.viewer[action] !== true) expect((await ask(members.viewer, team.id)).status).toBe(403);
    expect((await ask(members.owner, other.id)).status).toBe(404);
    expect((await ask(stranger, team.id)).status).toBe(404);
  });

  test('is for the roles of the table, and the team does not exist for people who are not members', async () => {
    // Without a password, and signed in too long ago to prove that it is they who ask.
    server.databases.main.prepare(`UPDATE users SET password_hash = ''`).run();
    server.clock.advance(360_000);
    const leaver = await team.join(`leaver-${method}-${made++}`, 'viewer');
    for (const role of roles) {
      const reply = await send(members[role], team.id, leaver.id);
      const isRefused = powers[role][action] !== true;
      expect(reply.status, role).toBeLessThan(500);
      expect(reply.body.code === 'role_too_low', `${role}: ${reply.status} ${reply.body.code}`).toBe(
        isRefused,
      );
      expect((await send(members[role], other.id, leaver.id)).status, role).toBe(404);
    }
    expect((await send(stranger, team.id, leaver.id)).status).toBe(404);
  });
});

describe('what belongs to people and to the instance', () => {
  const filledIn = ({ path }: AnyEndpoint) => path.replace(/:[a-z]+/g, '999999');

  test("is refused to a team's keys, whoever owns them", async () => {
    const added = await members.admin.request('POST', '/api/key/add', {
      body: { name: 'matrix', account: team.id },
    });
    for (const endpoint of endpoints.filter(isOf('person'))) {
      const body = endpoint.method === 'GET' ? {} : { body: {} };
      const key = added.body.data.api_key;
      const reply = await server.request(endpoint.method, filledIn(endpoint), { key, ...body });
      expect(reply.body.code, nameOf(endpoint)).toBe('account_only_session');
    }
  });

  test('is refused to everyone but administrators, whatever they are in a team', async () => {
    for (const endpoint of endpoints.filter(({ access }) => access === 'admin')) {
      const reply = await ask(members.owner, endpoint, filledIn(endpoint));
      expect(reply.body.code, nameOf(endpoint)).toBe('administrator_required');
    }
  });
});

describe('somebody who only sees what they created', () => {
  let cora: TestMember;
  let mine: Things;
  let theirs: Things;
  beforeAll(async () => {
    cora = await team.join('cora', 'contributor', true);
    mine = await things(team.id, team.owner, cora.id);
    theirs = await things(team.id, team.owner, team.owner.id);
    server.clock.advance(60_000);
  });

  test('gets 404 for everything else', async () => {
    for (const { endpoint, rule } of acting) {
      if (rule.records.length === 0) continue;
      const path = pathWith(endpoint, theirs);
      const absent = path.replace(/\/\d+(?=\/|$)/g, '/888888');
      const [hidden, missing] = [await ask(cora, endpoint, path), await ask(cora, endpoint, absent)];
      expect(hidden.status, path).toBe(404);
      expect(hidden.body, path).toEqual(missing.body);
    }
  });

  test('finds only that in lists, whatever the filter', async () => {
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

  test('lists only their own cases and domains, and finds no other link by its address', async () => {
    const { cases } = (await cora.inTeam('GET', '/api/cases')).body.data;
    expect(cases.map(({ id }: { id: number }) => id)).toEqual([mine.cases]);
    const { domains } = (await cora.inTeam('GET', '/api/domains/overview')).body.data;
    expect(domains).toHaveLength(1);
    const short = await cora.inTeam('GET', `/api/urls?short=matrix1`);
    expect(short.body.data.result).toBe(0);
  });
});

test('a record shows who created it and who changed it last', async () => {
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

test('contributors undo their own changes of their own links', async () => {
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

describe('contributors and bulk actions', () => {
  const bulk = (member: TestMember, body: object) => member.inTeam('POST', '/api/urls/bulk', { body });
  const add = async (member: TestMember, alias: string) =>
    (
      await member.inTeam('POST', '/api/url/add', {
        body: { url: 'https://example.com/many', custom: alias },
      })
    ).body.id as number;
  const status = async (alias: string) =>
    (await fetch(`${server.origin}/${alias}`, { redirect: 'manual' })).status;

  test('archive, lock and delete their own links, skip the rest, and undo it', async () => {
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

  test('do not reveal what is hidden from them', async () => {
    const cleo = await team.join('cleo', 'contributor', true);
    const hers = await add(members.editor, 'hidden-from-cleo');
    const { rows } = (await bulk(cleo, { ids: [hers], action: 'archive' })).body.data;
    expect(rows).toEqual([{ id: hers, outcome: 'not_found', code: 'not_found' }]);
    const { data } = (await bulk(cleo, { filter: { q: 'hidden' }, action: 'archive', dryrun: true })).body;
    expect(data.rows).toEqual([]);
    expect(await status('hidden-from-cleo')).toBe(302);
  });
});
