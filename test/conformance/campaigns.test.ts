import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type RawReply, startApp, type TestApp } from '../support/app.ts';
import { addDomain, type SecondAccount, secondAccount } from '../support/second-account.ts';

let server: TestApp;
let other: SecondAccount;
beforeAll(async () => {
  server = await startApp();
  other = secondAccount(server);
});
beforeEach(() => server.clock.advance(60_000));
afterAll(() => server.close());

let made = 0;
async function add(fields: Record<string, unknown> = {}) {
  made += 1;
  const reply = await server.request('POST', '/api/campaign/add', {
    body: { name: `Campaign ${made}`, ...fields },
  });
  expect(reply.status).toBe(201);
  return reply.body;
}

async function addLink(fields: Record<string, unknown> = {}): Promise<number> {
  const reply = await server.request('POST', '/api/url/add', {
    body: { url: 'https://example.com/', ...fields },
  });
  return reply.body.id;
}

const get = (path: string) => server.request('GET', path);
const put = (id: number, body: unknown) => server.request('PUT', `/api/campaign/${id}/update`, { body });
const post = (path: string, body?: unknown) => server.request('POST', path, { body });

function expectRefusal(reply: RawReply, status: number, code: string, field?: string): void {
  expect([reply.status, reply.body.error, reply.body.code, reply.body.field]).toEqual([
    status,
    1,
    code,
    field,
  ]);
  expect(reply.body.message).toMatch(/^\P{Cc}+\.$/u);
}

describe('creating a campaign', () => {
  test('answers 201 with both published shapes and nothing else', async () => {
    const reply = await post('/api/campaign/add', { name: 'Both shapes', slug: 'both', public: true });
    expect(reply.status).toBe(201);
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const { id } = reply.body;
    const shared = {
      public: true,
      rotator: `${server.origin}/r/both`,
      list: `${server.origin}/u/anna/list-${id}`,
    };
    expect(reply.body).toEqual({
      error: 0,
      id: expect.any(Number),
      campaign: 'Both shapes',
      name: 'Both shapes',
      ...shared,
      data: { id, name: 'Both shapes', slug: 'both', domain: null, views: 0, urlcount: 0, ...shared },
    });
  });

  test('generates a random slug of six characters', async () => {
    const slugs = [
      (await add()).data.slug,
      (await add({ slug: null })).data.slug,
      (await add({ slug: '' })).data.slug,
    ];
    for (const slug of slugs) expect(slug).toMatch(/^[2-9a-hjkmnp-zA-HJKMNP-Z]{6}$/);
    expect(new Set(slugs).size).toBe(3);
  });

  test('is not public by default', async () => {
    expect((await add()).public).toBe(false);
  });

  test.each([
    [{}, 'required'],
    [{ name: 'x' }, 'invalid_value'],
    [{ name: ' x ' }, 'invalid_value'],
    [{ name: null }, 'invalid_type'],
    [{ name: 12 }, 'invalid_type'],
    [{ name: 'a\u0000b' }, undefined],
    [{ name: 'a\nb' }, 'invalid_value'],
  ])('refuses the name %j', async (body, code) => {
    const reply = await post('/api/campaign/add', body);
    expect(reply.status).toBe(400);
    if (code) expectRefusal(reply, 400, code, 'name');
  });

  test('refuses a taken name, ignoring case, with the published message', async () => {
    await add({ name: 'Größe' });
    const reply = await post('/api/campaign/add', { name: 'GRÖßE'.normalize('NFD') });
    expectRefusal(reply, 400, 'name_taken', 'name');
    expect(reply.body.message).toBe('You already have a campaign with that name.');
  });

  test('checks the name before the slug', async () => {
    await add({ name: 'Name first', slug: 'slug-second' });
    const reply = await post('/api/campaign/add', { name: 'Name first', slug: 'slug-second' });
    expectRefusal(reply, 400, 'name_taken', 'name');
  });

  test('allows two accounts to use the same name', async () => {
    await add({ name: 'Shared name' });
    const reply = await other.request('POST', '/api/campaign/add', { body: { name: 'Shared name' } });
    expect(reply.status).toBe(201);
  });

  test("refuses a slug taken by another account or one's own", async () => {
    await add({ slug: 'taken' });
    expectRefusal(await post('/api/campaign/add', { name: 'Own', slug: 'taken' }), 400, 'slug_taken', 'slug');
    const theirs = await other.request('POST', '/api/campaign/add', { body: { name: 'Own', slug: 'taken' } });
    expectRefusal(theirs, 400, 'slug_taken', 'slug');
  });

  test.each(['a b', 'a/b', '..', 'x'.repeat(81), '<b>', 'a%20'])('refuses the slug %s', async (slug) => {
    expectRefusal(await post('/api/campaign/add', { name: 'Bad slug', slug }), 400, 'invalid_slug', 'slug');
  });

  test.each([{ public: 'true' }, { public: 1 }, { slug: 5 }, { domain: true }])(
    'never casts %j',
    async (fields) => {
      const [field] = Object.keys(fields);
      const reply = await post('/api/campaign/add', { name: 'Types', ...fields });
      expect([reply.status, reply.body.field]).toEqual([400, field]);
    },
  );

  test("accepts one's own domain or a platform domain, by id, name or URL", async () => {
    const anna = (await get('/api/account')).body.data.id;
    const own = addDomain(server, 'go.example.com', anna);
    addDomain(server, 'shared.example.com', null);
    for (const domain of [
      own,
      String(own),
      'go.example.com',
      'https://go.example.com',
      'https://GO.example.com/',
    ]) {
      const { data } = await add({ domain });
      expect(data.domain).toBe('https://go.example.com');
      expect(data.rotator).toBe(`https://go.example.com/r/${data.slug}`);
      expect(data.list).toBe(`${server.origin}/u/anna/list-${data.id}`);
    }
    expect((await add({ domain: 'shared.example.com' })).data.domain).toBe('https://shared.example.com');
    expect((await add({ domain: server.origin })).data.domain).toBeNull();
  });

  test("treats another account's domain like one that does not exist", async () => {
    const id = addDomain(server, 'theirs.example.com', other.id);
    const foreign = await post('/api/campaign/add', { name: 'Foreign domain', domain: id });
    const missing = await post('/api/campaign/add', { name: 'Foreign domain', domain: 999_999 });
    expectRefusal(foreign, 400, 'unknown_domain', 'domain');
    expect(foreign.body).toEqual(missing.body);
  });

  test('copies only settable fields', async () => {
    const reply = await add({
      views: 99,
      urlcount: 99,
      id: 1,
      date: '2020-01-01 00:00:00',
      user_id: other.id,
    });
    expect(reply.data).toMatchObject({ views: 0, urlcount: 0 });
    expect((await get(`/api/campaign/${reply.id}`)).status).toBe(200);
  });
});

describe('updating a campaign', () => {
  test('keeps omitted fields and replies like create, with 200', async () => {
    const { id, data } = await add({ slug: 'kept', public: true });
    const reply = await put(id, { name: 'Renamed' });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      error: 0,
      id,
      campaign: 'Renamed',
      name: 'Renamed',
      public: true,
      rotator: data.rotator,
      list: data.list,
      data: { ...data, name: 'Renamed' },
      // Ours.
      version: 2,
    });
  });

  test('accepts its own name and slug again', async () => {
    const { id, data } = await add();
    expect((await put(id, { name: data.name.toUpperCase(), slug: data.slug })).status).toBe(200);
  });

  test('reports a taken name before a taken slug', async () => {
    await add({ name: 'Occupied', slug: 'occupied' });
    const { id } = await add();
    const both = await put(id, { name: 'Occupied', slug: 'occupied' });
    expectRefusal(both, 400, 'name_taken', 'name');
    expect(both.body.message).toBe('You already have a campaign with that name.');
    expectRefusal(await put(id, { slug: 'occupied' }), 400, 'slug_taken', 'slug');
  });

  test('refuses a one-character name', async () => {
    const { id } = await add();
    expectRefusal(await put(id, { name: 'x' }), 400, 'invalid_value', 'name');
  });

  test.each(['', null])('removes the rotator with the slug %j, and only then is it false', async (slug) => {
    const { id } = await add();
    const { body } = await put(id, { slug });
    expect([body.rotator, body.data.rotator, body.data.slug]).toEqual([false, false, null]);
    expect((await put(id, { slug: `back-${id}` })).body.rotator).toBe(`${server.origin}/r/back-${id}`);
  });

  test.each(['', null])('clears the domain with %j', async (domain) => {
    const { id } = await add({ domain: 'go.example.com' });
    const { body } = await put(id, { domain });
    expect(body.data.domain).toBeNull();
    expect(body.rotator).toContain(`${server.origin}/r/`);
  });

  test('changes nothing if one field is refused', async () => {
    const { id, data } = await add();
    expect((await put(id, { name: 'Half done', domain: 'nowhere.example' })).status).toBe(400);
    expect((await get(`/api/campaign/${id}`)).body.data.campaign.name).toBe(data.name);
  });
});

describe('the list of campaigns', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
    for (const name of ['beta', 'Alpha', 'gamma 100%', 'Überall', 'alphabet']) {
      await app.request('POST', '/api/campaign/add', { body: { name } });
    }
  });
  afterAll(() => app.close());

  const list = async (query: string) => (await app.request('GET', `/api/campaigns${query}`)).body;
  const names = (body: { data: { campaigns: { name: string }[] } }) =>
    body.data.campaigns.map((entry) => entry.name);

  test("is alphabetical, ignoring case, in the contract's envelope", async () => {
    const body = await list('');
    expect(body).toEqual({
      error: 0,
      data: {
        result: 5,
        perpage: 15,
        currentpage: 1,
        nextpage: null,
        maxpage: 1,
        campaigns: expect.any(Array),
      },
    });
    expect(names(body)).toEqual(['Alpha', 'alphabet', 'beta', 'gamma 100%', 'Überall']);
    expect(body.data.campaigns[0]).toEqual({
      id: expect.any(Number),
      name: 'Alpha',
      slug: expect.any(String),
      public: false,
      domain: null,
      rotator: expect.stringMatching(/\/r\/\w{6}$/),
      list: expect.stringMatching(/\/u\/anna\/list-\d+$/),
      views: 0,
      urlcount: 0,
      date: '2027-01-15 12:00:00',
      // Ours.
      version: 1,
    });
  });

  test('pages', async () => {
    const body = await list('?limit=2&page=2');
    expect(names(body)).toEqual(['beta', 'gamma 100%']);
    expect(body.data).toMatchObject({ result: 5, perpage: 2, currentpage: 2, nextpage: 3, maxpage: 3 });
    expect(await list('?limit=2&page=9')).toMatchObject({ data: { campaigns: [], nextpage: null } });
  });

  test.each([
    ['ALPHA', ['Alpha', 'alphabet']],
    ['0%', ['gamma 100%']],
    ['über', ['Überall']],
    ['%%', []],
    ['a_p', []],
  ])('finds the substring %s, with literal wildcards', async (q, expected) => {
    expect(names(await list(`?q=${encodeURIComponent(q)}`))).toEqual(expected);
  });

  test('refuses to search for a single character', async () => {
    const reply = await app.request('GET', '/api/campaigns?q=a');
    expectRefusal(reply, 400, 'invalid_value', 'q');
  });
});

describe('the links of a campaign', () => {
  test("are sorted by clicks, with the page's statistics", async () => {
    const { id } = await add();
    const links = [await addLink({ title: 'One' }), await addLink(), await addLink({ custom: 'third' })];
    for (const link of links) expect((await post(`/api/campaign/${id}/assign/${link}`)).status).toBe(200);
    const { main } = server.databases;
    main
      .prepare('UPDATE links SET clicks = 7, unique_clicks = 5, clicked_at = 100 WHERE id = ?')
      .run(links[0]);
    main.prepare('UPDATE links SET clicked_at = 200 WHERE id = ?').run(links[2]);
    const { body } = await get(`/api/campaign/${id}?limit=2`);
    expect(Object.keys(body.data)).toEqual([
      'campaign',
      'result',
      'perpage',
      'currentpage',
      'nextpage',
      'maxpage',
      'links',
    ]);
    expect(body.data).toMatchObject({ result: 3, perpage: 2, currentpage: 1, nextpage: 2, maxpage: 2 });
    expect(body.data.campaign).toMatchObject({ id, urlcount: 3 });
    expect(body.data.links.map((link: { id: number }) => link.id)).toEqual([links[2], links[0]]);
    expect(body.data.links[1]).toEqual({
      id: links[0],
      title: 'One',
      longurl: 'https://example.com/',
      shorturl: expect.stringContaining(`${server.origin}/`),
      clicks: 7,
      uniqueclicks: 5,
      date: expect.stringMatching(/^2027-01-15 12:\d\d:00$/),
      weight: 1,
    });
    const second = await get(`/api/campaign/${id}?limit=2&page=2`);
    expect(second.body.data.links.map((link: { id: number }) => link.id)).toEqual([links[1]]);
  });

  test('can be assigned and unassigned twice without a difference', async () => {
    const { id } = await add();
    const link = await addLink();
    for (const _ of [1, 2]) {
      const reply = await post(`/api/campaign/${id}/assign/${link}`);
      expect(reply.body).toEqual({ error: 0, message: 'The link was assigned to the campaign.' });
    }
    expect((await get(`/api/campaign/${id}`)).body.data.result).toBe(1);
    for (const _ of [1, 2]) {
      const reply = await post(`/api/campaign/${id}/unassign/${link}`);
      expect(reply.body).toEqual({ error: 0, message: 'The link was removed from the campaign.' });
    }
    expect((await get(`/api/campaign/${id}`)).body.data.result).toBe(0);
  });

  test('leave their previous campaign', async () => {
    const [one, two] = [await add(), await add()];
    const link = await addLink();
    await post(`/api/campaign/${one.id}/assign/${link}`, { weight: 5 });
    await post(`/api/campaign/${two.id}/assign/${link}`);
    expect((await get(`/api/campaign/${one.id}`)).body.data.links).toEqual([]);
    expect((await get(`/api/campaign/${two.id}`)).body.data.links).toMatchObject([{ id: link, weight: 1 }]);
    // Taken out of a campaign that it is not in: nothing happens to it.
    await post(`/api/campaign/${one.id}/unassign/${link}`);
    expect((await get(`/api/url/${link}`)).body.details.campaign).toBe(two.id);
  });

  test.each([-1, 101, 1.5, '5'])('cannot have the weight %j', async (weight) => {
    const { id } = await add();
    const reply = await post(`/api/campaign/${id}/assign/${await addLink()}`, { weight });
    expect([reply.status, reply.body.field]).toEqual([400, 'weight']);
  });

  test('are kept and detached when the campaign is deleted', async () => {
    const { id } = await add();
    const [link, trashed] = [await addLink({ campaign: id }), await addLink({ campaign: id })];
    await server.request('DELETE', `/api/url/${trashed}/delete`);
    expect((await get(`/api/campaign/${id}`)).body.data.campaign.urlcount).toBe(1);
    const reply = await server.request('DELETE', `/api/campaign/${id}/delete`);
    expect(reply.body).toEqual({ error: 0, message: 'The campaign was deleted. Its links were kept.' });
    expect((await get(`/api/url/${link}`)).body.details.campaign).toBeNull();
    expect((await get(`/api/campaign/${id}`)).status).toBe(404);
    expect((await server.request('DELETE', `/api/campaign/${id}/delete`)).status).toBe(404);
  });

  test('are restored by undo, without a campaign that is gone', async () => {
    const { id } = await add();
    const link = await addLink({ campaign: id });
    const { undo } = (await server.request('DELETE', `/api/url/${link}/delete`)).body;
    const moved = await addLink({ campaign: id });
    await server.request('PUT', `/api/url/${moved}/update`, { body: { campaign: null } });
    await server.request('DELETE', `/api/campaign/${id}/delete`);
    expect((await post(`/api/undo/${undo}`)).status).toBe(200);
    expect((await get(`/api/url/${link}`)).body.details.campaign).toBeNull();
    const [change] = (await get(`/api/url/${moved}/history`)).body.data.changes;
    // Nothing is left of this one but the campaign.
    expect((await post(`/api/undo/${change.id}`)).body).toMatchObject({ error: 1, code: 'nothing_to_undo' });
    expect((await get(`/api/url/${moved}`)).body.details.campaign).toBeNull();
  });
});
