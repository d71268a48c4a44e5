import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MovedResource, RelatedChoice } from '../../../server/contract/moving.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { addDomain } from '../../support/second-account.ts';
import { newTeam, type TestMember, type TestTeam } from '../../support/team.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp({ ratelimit: 100_000 });
});
afterAll(() => server.close());

let names = 0;
const word = () => {
  names += 1;
  return `word${names}`;
};

interface Pair {
  team: TestTeam;
  person: TestMember;
  /** A request in the personal account, and what it made. */
  own: (method: string, path: string, body?: unknown) => Promise<Reply>;
  inTeam: (method: string, path: string, body?: unknown) => Promise<Reply>;
  move: (resource: MovedResource, ids: number[], related?: RelatedChoice, back?: boolean) => Promise<Reply>;
}
// biome-ignore lint/suspicious/noExplicitAny: a test looks into replies of every shape.
type Reply = any;

/** Somebody with a team of their own: a personal account to move from, and one to move to. */
async function pair(): Promise<Pair> {
  const team = await newTeam(server, word());
  const person = team.owner;
  const own: Pair['own'] = async (method, path, body) =>
    (await person.request(method, path, body === undefined ? {} : { body })).body;
  return {
    team,
    person,
    own,
    inTeam: async (method, path, body) =>
      (await person.inTeam(method, path, body === undefined ? {} : { body })).body,
    move: (resource, ids, related = 'leave', back = false) => {
      const [from, to] = back ? [team.id, person.id] : [person.id, team.id];
      return own('POST', '/api/move', { from, to, resource, ids, related });
    },
  };
}

async function visit(path: string) {
  const reply = await fetch(`${server.origin}/${path}`, {
    redirect: 'manual',
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' },
  });
  return `${reply.status} ${reply.headers.get('location') ?? ''}`.trim();
}

async function link({ own }: Pair, body: object = {}): Promise<{ id: number; alias: string }> {
  const alias = word();
  const { id } = await own('POST', '/api/url/add', {
    url: `https://example.com/${alias}`,
    custom: alias,
    ...body,
  });
  return { id, alias };
}

test('a link keeps its id and address, and counts in its new account', async () => {
  const both = await pair();
  const { id, alias } = await link(both, { clicklimit: 3 });
  expect(await visit(alias)).toBe(`302 https://example.com/${alias}`);
  const before = (await both.own('GET', `/api/url/${id}/stats`)).data.clicks;

  expect(await both.move('links', [id])).toEqual({
    error: 0,
    moved: 1,
    skipped: [],
    undo: expect.any(Number),
  });
  expect((await both.own('GET', `/api/url/${id}`)).error).not.toBe(0);
  expect((await both.inTeam('GET', `/api/url/${id}`)).details.alias).toBe(alias);
  expect((await both.inTeam('GET', `/api/url/${id}/stats`)).data.clicks).toBe(before);
  expect(await visit(alias)).toBe(`302 https://example.com/${alias}`);
  expect((await both.inTeam('GET', `/api/url/${id}/stats`)).data.clicks).toBe(2);
  expect(await visit(alias)).toContain('302');
  // The limit counts what was clicked before the move.
  expect(await visit(alias)).toBe('410');
});

test('the statistics of both accounts follow a link, and return with its undo', async () => {
  const both = await pair();
  const stays = await link(both);
  const leaves = await link(both);
  for (const { alias } of [stays, leaves, leaves]) await visit(alias);
  const figures = async (ask: Pair['own']) => {
    const { data } = await ask('GET', '/api/stats?period=7d');
    const top = data.toplinks.map((each: Reply) => [each.id, each.clicks]);
    return { clicks: data.clicks, links: data.links, top };
  };
  const settled = (clicks: number, ask: Pair['own']) =>
    expect.poll(async () => (await figures(ask)).clicks).toBe(clicks);
  const before = await figures(both.own);
  expect(before.top).toEqual([
    [leaves.id, 2],
    [stays.id, 1],
  ]);
  const { undo } = await both.move('links', [leaves.id]);
  await settled(2, both.inTeam);
  expect(await figures(both.own)).toMatchObject({ clicks: 1, links: 1, top: [[stays.id, 1]] });
  expect(await figures(both.inTeam)).toMatchObject({ clicks: 2, links: 1, top: [[leaves.id, 2]] });
  expect((await both.inTeam('GET', '/api/clicks')).data.result).toBe(2);
  expect((await both.own('GET', '/api/clicks')).data.result).toBe(1);

  await visit(leaves.alias);
  expect((await both.inTeam('POST', `/api/undo/${undo}`)).error).toBe(0);
  await settled(4, both.own);
  expect(await figures(both.inTeam)).toMatchObject({ clicks: 0, links: 0, top: [] });
});

test.each(['own', 'inTeam'] as const)('a move is undone in %s', async (where) => {
  const both = await pair();
  const campaign = (await both.own('POST', '/api/campaign/add', { name: word() })).id;
  const channel = (await both.own('POST', '/api/channel/add', { name: word() })).id;
  const pixel = (await both.own('POST', '/api/pixel/add', { name: 'p', type: 'bing', tag: '1234567' })).id;
  const overlay = (
    await both.own('POST', '/api/overlay/add', { name: 'o', type: 'message', content: { text: 'o' } })
  ).id;
  const { id } = await link(both, { campaign, channel, pixels: [pixel], type: `overlay-${overlay}` });
  const qr = (await both.own('POST', '/api/qr/add', { name: 'q', type: 'link', data: { link: id } })).id;
  // Coming back is an edit, too, and counts as one.
  const detailsOf = async (path: string) => ({ ...(await both.own('GET', path)).details, version: 0 });
  const look = async () => ({
    link: await detailsOf(`/api/url/${id}`),
    qr: await detailsOf(`/api/qr/${qr}`),
    count: (await both.own('GET', '/api/campaigns')).data.campaigns[0].count,
  });
  const before = await look();
  const { undo } = await both.move('links', [id]);
  expect((await both.inTeam('GET', `/api/url/${id}`)).details).toMatchObject({
    campaign: null,
    channel: [],
    pixels: [],
    type: 'direct',
  });
  expect((await both[where]('POST', `/api/undo/${undo}`)).error).toBe(0);
  expect(await look()).toEqual(before);
  expect((await both.inTeam('GET', '/api/urls')).data.result).toBe(0);
  expect((await both[where]('POST', `/api/undo/${undo}`)).message).toContain('already undone');
});

test('what a link refers to moves with it, and what stays behind loses the reference', async () => {
  const both = await pair();
  const name = word();
  const campaign = (await both.own('POST', '/api/campaign/add', { name })).id;
  const channel = (await both.own('POST', '/api/channel/add', { name })).id;
  const splash = (await both.own('POST', '/api/splash/add', { name })).id;
  const fields = { campaign, channel, type: String(splash) };
  const goes = await link(both, fields);
  const stays = await link(both, fields);
  const { undo } = await both.move('links', [goes.id], 'move');
  expect((await both.inTeam('GET', `/api/url/${goes.id}`)).details).toMatchObject({
    campaign,
    channel: [channel],
    type: String(splash),
  });
  expect((await both.inTeam('GET', `/api/campaign/${campaign}`)).error).toBe(0);
  expect((await both.own('GET', `/api/url/${stays.id}`)).details).toMatchObject({
    campaign: null,
    channel: [],
    type: 'direct',
  });
  expect(await visit(stays.alias)).toBe(`302 https://example.com/${stays.alias}`);
  expect((await both.own('POST', `/api/undo/${undo}`)).error).toBe(0);
  for (const each of [goes, stays]) {
    expect((await both.own('GET', `/api/url/${each.id}`)).details).toMatchObject({
      campaign,
      channel: [channel],
      type: String(splash),
    });
  }
});

test('copies stay in the account, and an existing name there is used', async () => {
  const both = await pair();
  const name = word();
  const campaign = (await both.own('POST', '/api/campaign/add', { name })).id;
  const channel = (await both.own('POST', '/api/channel/add', { name })).id;
  const theirs = (await both.inTeam('POST', '/api/campaign/add', { name: name.toUpperCase() })).id;
  const { id } = await link(both, { campaign, channel });
  const asked = { from: both.person.id, to: both.team.id, resource: 'links', ids: [id] };
  expect((await both.own('POST', '/api/move/preview', asked)).data).toEqual({
    related: [
      { resource: 'campaigns', id: campaign, name, taken: true },
      { resource: 'channels', id: channel, name, taken: false },
    ],
    qr: 0,
  });
  expect((await both.move('links', [id], 'copy')).moved).toBe(1);
  const { details } = await both.inTeam('GET', `/api/url/${id}`);
  expect(details.campaign).toBe(theirs);
  expect(details.channel).toEqual([expect.any(Number)]);
  expect(details.channel).not.toEqual([channel]);
  expect((await both.own('GET', `/api/channel/${channel}`)).error).toBe(0);
  expect((await both.inTeam('GET', '/api/channels')).data.channels).toMatchObject([{ name }]);
});

test('a preview lists the links and channels of QR codes and bio pages', async () => {
  const both = await pair();
  const { id, alias } = await link(both);
  const name = word();
  const channel = (await both.own('POST', '/api/channel/add', { name })).id;
  const qr = await both.own('POST', '/api/qr/add', { name: 'q', type: 'link', data: { link: id } });
  const bio = await both.own('POST', '/api/bio/add', {
    name: 'b',
    alias: word(),
    blocks: [{ type: 'link', title: 'Go', url: `${server.origin}/${alias}` }],
  });
  for (const [resource, record] of Object.entries({ qr: qr.id, bio: bio.id })) {
    expect((await both.own('POST', `/api/channel/${channel}/assign/${resource}/${record}`)).error).toBe(0);
    const asked = { from: both.person.id, to: both.team.id, resource, ids: [record] };
    expect((await both.own('POST', '/api/move/preview', asked)).data).toEqual({
      related: [
        { resource: 'links', id, name: alias, taken: false },
        { resource: 'channels', id: channel, name, taken: false },
      ],
      qr: 0,
    });
  }
});

test("a link's QR codes move along and keep counting scans", async () => {
  const both = await pair();
  const { id, alias } = await link(both);
  const qr = (await both.own('POST', '/api/qr/add', { name: 'q', type: 'link', data: { link: id } })).id;
  const { details } = await both.own('GET', `/api/qr/${qr}`);
  const scan = () => visit(new URL(details.link).pathname.slice(1));
  expect(await scan()).toBe(`302 https://example.com/${alias}`);
  expect((await both.move('links', [id])).moved).toBe(1);
  expect(await scan()).toBe(`302 https://example.com/${alias}`);
  expect((await both.inTeam('GET', `/api/qr/${qr}`)).details).toMatchObject({ id: qr, scans: 2 });
  const stored = server.databases.main.prepare('SELECT link_id FROM qr_codes WHERE id = ?').pluck();
  expect(stored.get(qr)).toBe(id);
});

test('what may not move stays, each with its reason', async () => {
  const both = await pair();
  const domain = addDomain(server, `${word()}.example.com`, both.person.id);
  const free = await link(both);
  const bound = await link(both, { domain });
  const reply = await both.move('links', [free.id, bound.id, 999_999]);
  expect(reply).toMatchObject({
    moved: 1,
    skipped: [
      { id: bound.id, code: 'domain' },
      { id: 999_999, code: 'not_found' },
    ],
  });
  const { body } = await server.request('POST', '/api/plan/add', {
    body: { name: word(), limits: { links: 2 }, features: { team: { enabled: true, count: -1 } } },
  });
  await server.request('PUT', `/api/plan/${body.data.id}/user/${both.team.id}`);
  const more = [await link(both), await link(both)].map(({ id }) => id);
  expect(await both.move('links', more)).toMatchObject({
    moved: 1,
    skipped: [{ id: more[1], code: 'plan_limit' }],
  });
});

test('every kind of record moves with its id and works as before', async () => {
  const both = await pair();
  const { id: target } = await link(both);
  const add = async (path: string, body: object): Promise<number> => (await both.own('POST', path, body)).id;
  const alias = word();
  const upload = await server.request('POST', `/api/files/upload/a.txt?custom=${alias}`, {
    key: both.person.key,
    rawBody: 'content',
    headers: { 'content-type': 'application/octet-stream' },
  });
  const bio = word();
  const made: Record<Exclude<MovedResource, 'links'>, number> = {
    campaigns: await add('/api/campaign/add', { name: word() }),
    channels: await add('/api/channel/add', { name: word() }),
    pixels: await add('/api/pixel/add', { name: 'p', type: 'bing', tag: '1234567' }),
    overlays: await add('/api/overlay/add', { name: 'o', type: 'message', content: { text: 'o' } }),
    splash: await add('/api/splash/add', { name: 's' }),
    qr: await add('/api/qr/add', { type: 'link', data: { link: target }, name: 'q' }),
    bio: await add('/api/bio/add', {
      name: 'b',
      alias: bio,
      blocks: [{ type: 'text', text: 'Hello there' }],
    }),
    files: upload.body.id,
  };
  const usage = async (ask: Pair['own']) => (await ask('GET', '/api/account')).data.storage;
  const before = await usage(both.own);
  const page = async () => (await fetch(`${server.origin}/${bio}`)).text();
  const shown = await page();
  expect(shown).toContain('Hello there');
  const undos: number[] = [];
  for (const [resource, id] of Object.entries(made)) {
    const reply = await both.move(resource as MovedResource, [id]);
    expect(reply, resource).toMatchObject({ moved: 1, skipped: [] });
    undos.push(reply.undo);
    const single = resource === 'files' ? 'file' : resource.replace(/s$/, '');
    const path = `/api/${resource === 'splash' ? 'splash' : single}/${id}`;
    expect((await both.own('GET', path)).error, path).not.toBe(0);
    expect((await both.inTeam('GET', path)).error, path).toBe(0);
  }
  expect(await usage(both.inTeam)).toEqual(before);
  expect(await page()).toContain('Hello there');
  const file = await fetch(`${server.origin}/${alias}`);
  expect(file.status).toBe(200);
  for (const undo of undos.reverse()) {
    expect((await both.inTeam('POST', `/api/undo/${undo}`)).error).toBe(0);
  }
  expect(await usage(both.own)).toEqual(before);
});

test('a bio page that stays refers to a moved link by its address', async () => {
  const both = await pair();
  const { id, alias } = await link(both);
  const bio = word();
  const page = (
    await both.own('POST', '/api/bio/add', {
      name: 'b',
      alias: bio,
      blocks: [{ type: 'link', title: 'Go', url: `${server.origin}/${alias}` }],
    })
  ).id;
  const { undo } = await both.move('links', [id]);
  const followed = await fetch(`${server.origin}/bio/${page}/1`, { redirect: 'manual' });
  expect(followed.headers.get('location')).toBe(`${server.origin}/${alias}`);
  expect(await visit(alias)).toBe(`302 https://example.com/${alias}`);
  expect((await both.own('GET', `/api/bio/${page}`)).error).toBe(0);
  expect((await both.own('POST', `/api/undo/${undo}`)).error).toBe(0);
  const stored = server.databases.main.prepare('SELECT blocks FROM bio_pages WHERE id = ?').pluck().get(page);
  expect(JSON.parse(String(stored))[0].link).toBe(id);
});

test("a link's history moves along and can be undone there", async () => {
  const both = await pair();
  const { id } = await link(both);
  const other = await link(both);
  await both.own('PUT', `/api/url/${id}/update`, { title: 'One' });
  await both.own('POST', '/api/urls/bulk', { ids: [id, other.id], action: 'archive' });
  await both.move('links', [id]);
  const changes = (await both.inTeam('GET', `/api/url/${id}/history`)).data.changes;
  expect(changes.map(({ action }: Reply) => action)).toEqual(['bulk archive', expect.any(String)]);
  expect((await both.inTeam('POST', `/api/undo/${changes[0].id}`)).error).toBe(0);
  expect((await both.inTeam('GET', `/api/url/${id}`)).details.archived).toBe(false);
  // What was changed together stays changed where it stayed.
  expect((await both.own('GET', `/api/url/${other.id}`)).details.archived).toBe(true);
});

test("a person's records go to somebody else when the account is deleted", async () => {
  const both = await pair();
  const heir = (await newTeam(server, word())).owner;
  const domain = addDomain(server, `${word()}.example.com`, both.person.id);
  const campaign = (await both.own('POST', '/api/campaign/add', { name: word() })).id;
  const { id, alias } = await link(both, { campaign });
  const onDomain = await link(both, { domain });
  const remove = (query: string) => server.request('DELETE', `/api/user/${both.person.id}/delete${query}`);
  const owning = await remove(`?personal=${heir.id}`);
  expect([owning.status, owning.body.code, owning.body.data.teams[0].id]).toEqual([
    400,
    'owns_teams',
    both.team.id,
  ]);
  server.databases.main.prepare(`UPDATE members SET role = 'admin' WHERE team_id = ?`).run(both.team.id);
  for (const nobody of [both.person.id, both.team.id, 999_999]) {
    expect((await remove(`?personal=${nobody}`)).body).toMatchObject({
      code: 'unknown_user',
      field: 'personal',
    });
  }
  expect((await remove(`?personal=${heir.id}`)).status).toBe(200);
  expect(await visit(alias)).toBe(`302 https://example.com/${alias}`);
  const ask = async (path: string) => (await heir.request('GET', path)).body;
  expect((await ask(`/api/url/${id}`)).details).toMatchObject({ alias, campaign });
  expect((await ask(`/api/url/${onDomain.id}`)).details.alias).toBe(onDomain.alias);
  expect((await ask('/api/domains')).data.domains.map((each: Reply) => each.id)).toContain(domain);
  expect((await server.request('GET', `/api/user/${both.person.id}`)).status).toBe(404);
});

test('references left behind by a crash are removed at the next start', async () => {
  const both = await pair();
  const campaign = (await both.own('POST', '/api/campaign/add', { name: word() })).id;
  const stays = await link(both, { campaign });
  const { main } = server.databases;
  // As far as a move had come when the process was killed.
  const change = Number(
    main
      .prepare("INSERT INTO changes (user_id, action, at) VALUES (?, 'move campaigns', ?)")
      .run(both.person.id, server.clock.now()).lastInsertRowid,
  );
  main
    .prepare('INSERT INTO moves (change_id, from_id, to_id, person_id) VALUES (?, ?, ?, ?)')
    .run(change, both.person.id, both.team.id, both.person.id);
  main.prepare('UPDATE campaigns SET user_id = ? WHERE id = ?').run(both.team.id, campaign);
  main
    .prepare(
      "INSERT INTO moved_records (change_id, resource, record_id, moved, before) VALUES (?, 'campaigns', ?, 1, '{}')",
    )
    .run(change, campaign);
  server.app.startJobs();
  const isFinished = main.prepare('SELECT finished FROM moves WHERE change_id = ?').pluck();
  await expect.poll(() => isFinished.get(change), { timeout: 5_000 }).toBe(1);
  expect((await both.own('GET', `/api/url/${stays.id}`)).details.campaign).toBeNull();
  expect((await both.own('POST', `/api/undo/${change}`)).error).toBe(0);
  expect((await both.own('GET', `/api/url/${stays.id}`)).details.campaign).toBe(campaign);
});
