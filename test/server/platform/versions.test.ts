import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AnyEndpoint } from '../../../server/contract/endpoint.ts';
import { type EditedResource, editedRecordOf } from '../../../server/contract/versions.ts';
import { authoredTables, otherTables } from '../../../server/platform/database/edited-tables.ts';
import { type RawReply, startApp, type TestApp } from '../../support/app.ts';
import { endpoints } from '../../support/endpoints.ts';
import { addDomain, secondAccount } from '../../support/second-account.ts';
import { newTeam, type TestTeam } from '../../support/team.ts';

const updates = [
  ...new Map(
    endpoints.filter((endpoint) => editedRecordOf(endpoint)).map((endpoint) => [endpoint.path, endpoint]),
  ).values(),
];

let server: TestApp;
let team: TestTeam;
/** Ids of the records that are edited, by the kind of record. */
const ids: Partial<Record<EditedResource, number>> = {};
let edits = 0;

/** Who edits: the owner of a team, and where that takes one, an administrator of the instance. */
const ask = (
  endpoint: Pick<AnyEndpoint, 'path' | 'access'>,
  method: string,
  path: string,
  options: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<RawReply> => {
  const isPersons = endpoint.access === 'admin' || /account|key/.test(endpoint.path);
  return server.request(method, path, {
    ...options,
    ...(!isPersons && { key: team.owner.key }),
    headers: { ...options.headers, ...(!isPersons && { 'X-Waypost-Account': String(team.id) }) },
  });
};

/** A change of each kind that is another one each time. */
const changes: Readonly<Record<string, (edit: number) => object>> = {
  '/api/url/:id/update': (edit) => ({ title: `title ${edit}` }),
  '/api/campaign/:id/update': (edit) => ({ name: `campaign ${edit}` }),
  '/api/campaign/:id/order': () => ({ links: [ids.links] }),
  '/api/channel/:id/update': (edit) => ({ name: `channel ${edit}` }),
  '/api/pixel/:id/update': (edit) => ({ name: `pixel ${edit}` }),
  '/api/overlay/:id/update': (edit) => ({ name: `overlay ${edit}` }),
  '/api/splash/:id/update': (edit) => ({ name: `splash ${edit}` }),
  '/api/qr/:id/update': (edit) => ({ name: `qr ${edit}` }),
  '/api/bio/:id/update': (edit) => ({ name: `bio ${edit}` }),
  '/api/file/:id/update': (edit) => ({ name: `file ${edit}` }),
  '/api/domain/:id/update': (edit) => ({ redirectroot: `https://example.com/${edit}` }),
  '/api/webhook/:id/update': (edit) => ({ url: `https://hooks.example.com/${edit}` }),
  '/api/case/:id/update': (edit) => ({ name: `case ${edit}` }),
  '/api/key/:id/update': (edit) => ({ name: `key ${edit}` }),
  '/api/account/passkey/:id/update': (edit) => ({ name: `passkey ${edit}` }),
  '/api/plan/:id/update': (edit) => ({ name: `plan ${edit}` }),
  '/api/utm/:id/update': (edit) => ({ source: `source ${edit}` }),
  '/api/user/:id/update': (edit) => ({ name: `person ${edit}` }),
  '/api/account/update': (edit) => ({ name: `account ${edit}` }),
  '/api/team/:id/update': (edit) => ({ name: `team ${edit}` }),
  '/api/team/:id/member/:userid/update': (edit) => ({ role: edit % 2 === 0 ? 'editor' : 'contributor' }),
};

/** What the reply of a QR code shows of its link, which is no part of it. */
const figures = [
  'clicks',
  'uniqueClicks',
  'topCountries',
  'topReferrers',
  'topBrowsers',
  'topOs',
  'socialCount',
];

/** Where the record of an update is shown, and where in that reply. */
// biome-ignore lint/suspicious/noExplicitAny: a test looks into replies of every shape.
const shownAt: Readonly<Record<string, [path: () => string, record: (body: any) => any]>> = {
  '/api/url/:id/update': [() => `/api/url/${ids.links}`, ({ details }) => details],
  '/api/campaign/:id/update': [() => `/api/campaign/${ids.campaigns}`, ({ data }) => data.campaign],
  '/api/campaign/:id/order': [() => `/api/campaign/${ids.campaigns}`, ({ data }) => data.campaign],
  '/api/channel/:id/update': [() => '/api/channels', ({ data }) => data.channels[0]],
  '/api/pixel/:id/update': [() => `/api/pixel/${ids.pixels}`, ({ data }) => data],
  '/api/overlay/:id/update': [() => `/api/overlay/${ids.overlays}`, ({ data }) => data],
  '/api/splash/:id/update': [() => `/api/splash/${ids.splash}`, ({ data }) => data],
  '/api/qr/:id/update': [
    () => `/api/qr/${ids.qr}`,
    ({ data }) => Object.fromEntries(Object.entries(data).filter(([name]) => !figures.includes(name))),
  ],
  '/api/bio/:id/update': [() => `/api/bio/${ids.bio}`, ({ data }) => data],
  '/api/file/:id/update': [() => `/api/file/${ids.files}`, ({ data }) => data],
  '/api/domain/:id/update': [() => `/api/domain/${ids.domains}`, ({ data }) => data],
  '/api/webhook/:id/update': [() => `/api/webhook/${ids.webhooks}`, ({ data }) => data],
  '/api/case/:id/update': [() => '/api/cases', ({ data }) => data.cases[0]],
  '/api/key/:id/update': [() => '/api/keys', ({ data }) => data.keys[0]],
  '/api/account/passkey/:id/update': [() => '/api/account/passkeys', ({ data }) => data.passkeys[0]],
  '/api/plan/:id/update': [() => '/api/plans', ({ data }) => data.at(-1)],
  '/api/utm/:id/update': [() => '/api/utms', ({ data }) => data.utms[0]],
  '/api/user/:id/update': [() => `/api/user/${ids.accounts}`, ({ data }) => data],
  '/api/account/update': [() => '/api/account', ({ data }) => data],
  '/api/team/:id/update': [() => `/api/team/${team.id}`, ({ data }) => data],
  '/api/team/:id/member/:userid/update': [
    () => `/api/team/${team.id}/members`,
    // biome-ignore lint/suspicious/noExplicitAny: the same.
    ({ data }) => data.members.find(({ id }: any) => id === ids.members),
  ],
};

beforeAll(async () => {
  server = await startApp({ ratelimit: 100_000 });
  team = await newTeam(server, 'olga');
  const add = async (resource: EditedResource, path: string, body: object) => {
    const reply = await team.owner.inTeam('POST', path, { body });
    expect(reply.body.error, path).toBe(0);
    ids[resource] = reply.body.id;
  };
  await add('campaigns', '/api/campaign/add', { name: 'campaign' });
  await add('links', '/api/url/add', { url: 'https://example.com/', campaign: ids.campaigns });
  await add('channels', '/api/channel/add', { name: 'channel' });
  await add('pixels', '/api/pixel/add', { name: 'p', type: 'bing', tag: '1234567' });
  await add('overlays', '/api/overlay/add', { name: 'o', type: 'message', content: { text: 'o' } });
  await add('splash', '/api/splash/add', { name: 's' });
  await add('qr', '/api/qr/add', { type: 'text', data: 'q', name: 'q' });
  await add('bio', '/api/bio/add', { name: 'b', blocks: [] });
  await add('webhooks', '/api/webhook/add', { url: 'https://hooks.example.com/', events: ['link.created'] });
  await add('utms', '/api/utm/add', { name: 'u', source: 's' });
  await add('cases', `/api/url/${ids.links}/case/add`, { name: 'c' });
  ids.domains = addDomain(server, 'go.example.com', team.id);
  const upload = await server.request('POST', '/api/files/upload/a.txt', {
    key: team.owner.key,
    rawBody: 'text',
    headers: { 'X-Waypost-Account': String(team.id), 'content-type': 'application/octet-stream' },
  });
  ids.files = upload.body.id;
  ids.keys = (await server.request('POST', '/api/key/add', { body: { name: 'k' } })).body.data.id;
  ids.plans = (await server.request('POST', '/api/plan/add', { body: { name: 'Another' } })).body.data.id;
  ids.accounts = secondAccount(server, 'paula').id;
  ids.members = (await team.join('mia', 'viewer')).id;
  const admin = (await server.request('GET', '/api/account')).body.data.id;
  ids.passkeys = Number(
    server.databases.main
      .prepare(
        `INSERT INTO passkeys (user_id, credential_id, public_key, counter, rp_id, user_handle, transports, backed_up, name, created_at)
         VALUES (?, 'c', x'00', 0, 'localhost', 'h', '[]', 0, 'p', 0)`,
      )
      .run(admin).lastInsertRowid,
  );
});
afterAll(() => server.close());
beforeEach(() => server.clock.advance(60_000));

test('every update of the contract is based on a version', () => {
  // What connects a fleet is written whole: its secrets cannot be read back to be merged.
  const paths = endpoints.filter(
    ({ method, path }) => method === 'PUT' && /\/(update|order)$/.test(path) && path !== '/api/fleet/update',
  );
  expect(new Set(updates.map(({ path }) => path))).toEqual(new Set(paths.map(({ path }) => path)));
  expect(Object.keys(changes).sort()).toEqual(updates.map(({ path }) => path as string).sort());
});

describe.each(updates.map((endpoint) => [endpoint.path as string, endpoint] as const))(
  '%s',
  (path, endpoint) => {
    const { resource } = editedRecordOf(endpoint) as { resource: EditedResource };
    const { table } = { ...authoredTables, ...otherTables }[resource];
    const filled = (absent?: number) => {
      const id = /^\/api\/team\//.test(path) ? team.id : ids[resource];
      const userId = String(absent ?? ids.members);
      return path
        .replace(':userid', userId)
        .replace(':id', String(path.includes(':userid') ? id : (absent ?? id)));
    };
    const stored = () => server.databases.main.prepare(`SELECT * FROM ${table}`).all();
    const shown = async () => {
      const [where, find] = shownAt[path] as (typeof shownAt)[string];
      return find((await ask(endpoint, 'GET', where())).body);
    };
    /** An edit that changes something, made from a version. */
    function edit(
      { header, version }: { header?: string | undefined; version?: unknown } = {},
      absent?: number,
    ) {
      edits += 1;
      return ask(endpoint, 'PUT', filled(absent), {
        body: { ...changes[path]?.(edits), ...(version !== undefined && { version }) },
        ...(header !== undefined && { headers: { 'If-Match': header } }),
      });
    }

    test('replies with the version that the edit created', async () => {
      const { version } = await shown();
      expect(version).toBeGreaterThan(0);
      const byHeader = await edit({ header: `"${version}"` });
      expect(byHeader.body).toMatchObject({ error: 0, version: version + 1 });
      expect((await shown()).version).toBe(version + 1);
      expect((await edit({ version: version + 1 })).body).toMatchObject({ error: 0, version: version + 2 });
      expect((await edit({ header: `"${version + 2}"`, version: 1 })).body.version).toBe(version + 3);
      expect((await edit({ header: '*', version: 1 })).body.version).toBe(version + 4);
      expect((await edit()).body.version).toBe(version + 5);
      expect((await shown()).version).toBe(version + 5);
    });

    test('refuses an outdated edit, shows the current record, and changes nothing', async () => {
      const { version } = await shown();
      await edit();
      const before = stored();
      const present = await shown();
      for (const from of [
        { header: `"${version}"` },
        { version },
        { header: `"${version}"`, version: version + 1 },
      ]) {
        const refused = await edit(from);
        expect(refused.status).toBe(409);
        expect(refused.body).toMatchObject({ error: 1, code: 'changed' });
        expect(refused.body.data).toEqual(present);
      }
      // A guess beyond it is no present version either.
      expect((await edit({ header: `"${version + 2}"` })).status).toBe(409);
      expect(withoutUse(stored())).toEqual(withoutUse(before));
    });

    test('refuses an invalid version, and changes nothing', async () => {
      const notVersion = { code: 'version', field: 'version' };
      const { version } = await shown();
      const before = stored();
      for (const header of [
        String(version),
        `W/"${version}"`,
        '"x"',
        `"${version}", "2"`,
        '"0"',
        '',
        '""',
        '"-1"',
      ]) {
        const refused = await edit({ header });
        expect([refused.status, refused.body], header).toMatchObject([400, notVersion]);
      }
      for (const wrong of [String(version), 0, -1, 1.5, null, {}, true]) {
        const refused = await edit({ version: wrong });
        expect([refused.status, refused.body], JSON.stringify(wrong)).toMatchObject([400, notVersion]);
      }
      expect(withoutUse(stored())).toEqual(withoutUse(before));
    });

    if (!path.includes(':')) return;
    test('replies 404 for a missing record, whatever version is sent', async () => {
      for (const header of ['"1"', '*', 'nonsense'])
        expect((await edit({ header }, 999_999)).status).toBe(404);
    });
  },
);

/** Rows without what a request writes whatever comes of it. */
function withoutUse(rows: unknown[]): unknown[] {
  return (rows as Record<string, unknown>[]).map(
    ({ last_used_at: _, last_address: __, expires_at: ___, ...row }) => row,
  );
}

test.each([
  '/api/urls',
  '/api/campaigns',
  '/api/channels',
  '/api/pixels',
  '/api/overlay',
  '/api/splash',
  '/api/qr',
  '/api/bio',
  '/api/files',
  '/api/domains',
  '/api/webhooks',
  '/api/cases',
  '/api/teams',
])('the rows of %s carry their versions', async (path) => {
  const { data, list } = (await team.owner.inTeam('GET', path)).body;
  const rows = list ?? Object.values(data).find(Array.isArray);
  expect(rows.length).toBeGreaterThan(0);
  for (const { version } of rows) expect(version).toBeGreaterThan(0);
});

describe('a version increases', () => {
  const versionOf = async (id: number) =>
    (await team.owner.inTeam('GET', `/api/url/${id}`)).body.details.version as number;
  const newLink = async (alias: string) =>
    (
      await team.owner.inTeam('POST', '/api/url/add', {
        body: { url: 'https://example.com/', custom: alias },
      })
    ).body.id as number;

  test('with bulk changes, their undo, channels, the trash and restoring', async () => {
    const id = await newLink('counted');
    let last = await versionOf(id);
    const isHigher = async (what: string) => {
      const now = await versionOf(id);
      expect(now, what).toBeGreaterThan(last);
      last = now;
    };
    const bulk = await team.owner.inTeam('POST', '/api/urls/bulk', {
      body: { action: 'archive', ids: [id] },
    });
    await isHigher('bulk');
    await team.owner.inTeam('POST', `/api/undo/${bulk.body.data.undo}`);
    await isHigher('undo');
    await team.owner.inTeam('POST', `/api/channel/${ids.channels}/assign/links/${id}`);
    await isHigher('channel');
    const removed = await team.owner.inTeam('DELETE', `/api/url/${id}/delete`);
    await team.owner.inTeam('POST', `/api/undo/${removed.body.undo}`);
    await isHigher('trash');
  });

  test('not with visits, and not with an edit that changes nothing', async () => {
    const id = await newLink('visited');
    const version = await versionOf(id);
    for (let visit = 0; visit < 3; visit += 1) {
      const answer = await fetch(`${server.origin}/visited`, { redirect: 'manual' });
      expect(answer.headers.get('location')).toBe('https://example.com/');
    }
    const clicks = async () => (await team.owner.inTeam('GET', `/api/url/${id}`)).body.details.clicks;
    await expect.poll(clicks).toBe(3);
    const same = await team.owner.inTeam('PUT', `/api/url/${id}/update`, {
      body: { url: 'https://example.com/' },
    });
    expect(same.body.version).toBe(version);
    expect(await versionOf(id)).toBe(version);
  });

  test('beyond its previous value when a record is restored', async () => {
    const path = `/api/pixel/${ids.pixels}`;
    const version = async () => (await team.owner.inTeam('GET', path)).body.data.version as number;
    const before = await version();
    await team.owner.inTeam('DELETE', `${path}/delete`);
    await team.owner.inTeam('POST', `${path}/restore`);
    expect(await version()).toBe(before + 1);
  });
});

test('other errors of an outdated edit are reported first', async () => {
  const path = `/api/campaign/${ids.campaigns}/update`;
  const { version } = (await team.owner.inTeam('PUT', path, { body: { name: 'first of two' } })).body;
  await team.owner.inTeam('POST', '/api/campaign/add', { body: { name: 'taken name' } });
  await team.owner.inTeam('PUT', path, { body: { name: 'second of two' } });
  const taken = await team.owner.inTeam('PUT', path, { body: { name: 'taken name', version } });
  expect([taken.status, taken.body.code]).toEqual([400, 'name_taken']);
});

test('an outdated edit redirects nobody', async () => {
  const body = { url: 'https://example.com/theirs', custom: 'guarded' };
  const { id } = (await team.owner.inTeam('POST', '/api/url/add', { body })).body;
  const { version } = (await team.owner.inTeam('PUT', `/api/url/${id}/update`, { body: { title: 'New' } }))
    .body;
  const edit = (url: string, from: number) =>
    team.owner.inTeam('PUT', `/api/url/${id}/update`, { body: { url, version: from } });
  const visit = async () =>
    (await fetch(`${server.origin}/guarded`, { redirect: 'manual' })).headers.get('location');
  expect((await edit('https://example.com/lost', version - 1)).status).toBe(409);
  expect(await visit()).toBe('https://example.com/theirs');
  expect((await edit('https://example.com/mine', version)).status).toBe(200);
  expect(await visit()).toBe('https://example.com/mine');
  // Of two who saved at once, one is told.
  const both = await Promise.all([
    edit('https://example.com/a', version + 1),
    edit('https://example.com/b', version + 1),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
});
