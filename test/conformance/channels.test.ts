import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { type SecondAccount, secondAccount } from '../support/second-account.ts';

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
  const reply = await server.request('POST', '/api/channel/add', {
    body: { name: `Channel ${made}`, ...fields },
  });
  expect(reply.status).toBe(200);
  return reply.body;
}

async function addLink(fields: Record<string, unknown> = {}): Promise<number> {
  const body = { url: 'https://example.com/far', ...fields };
  return (await server.request('POST', '/api/url/add', { body })).body.id;
}

const get = (path: string) => server.request('GET', path);
const post = (path: string, body?: unknown) => server.request('POST', path, { body });
const put = (id: number, body: unknown) => server.request('PUT', `/api/channel/${id}/update`, { body });

describe('creating a channel', () => {
  test('replies with the channel, flat, and nothing else', async () => {
    const reply = await post('/api/channel/add', {
      name: 'Newsletter',
      description: 'Everything that we mail',
      color: '#0af',
      starred: true,
    });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      error: 0,
      id: expect.any(Number),
      name: 'Newsletter',
      description: 'Everything that we mail',
      color: '#00AAFF',
      starred: true,
    });
  });

  test('only requires a name', async () => {
    expect(await add()).toMatchObject({ description: null, color: null, starred: false });
  });

  test('refuses a taken name with the published message', async () => {
    await add({ name: 'Podcast' });
    const reply = await post('/api/channel/add', { name: 'PODCAST' });
    expect([reply.status, reply.body]).toEqual([
      400,
      {
        error: 1,
        code: 'name_taken',
        field: 'name',
        message: 'You already have a channel with this name.',
      },
    ]);
    expect((await other.request('POST', '/api/channel/add', { body: { name: 'Podcast' } })).status).toBe(200);
  });

  test.each([
    ['#abc', '#AABBCC'],
    ['#A1b2C3', '#A1B2C3'],
    ['', null],
    [null, null],
  ])('accepts the color %j as %j', async (color, stored) => {
    expect((await add({ color })).color).toBe(stored);
  });

  test.each(['abc', '#ab', '#abcd', '#gggggg', '#aabbccdd', 'red', '#abc;x', '＃abc', 5])(
    'refuses the color %j',
    async (color) => {
      const reply = await post('/api/channel/add', { name: 'Color', color });
      expect([reply.status, reply.body.field]).toEqual([400, 'color']);
    },
  );

  test.each([{}, { name: '' }, { name: '  ' }, { name: null }, { name: 'x'.repeat(101) }])(
    'refuses the name %j',
    async (body) => {
      const reply = await post('/api/channel/add', body);
      expect([reply.status, reply.body.field]).toEqual([400, 'name']);
    },
  );

  test('never casts the star', async () => {
    const reply = await post('/api/channel/add', { name: 'Star', starred: 1 });
    expect([reply.status, reply.body.field]).toEqual([400, 'starred']);
  });
});

describe('updating a channel', () => {
  test('replies with message and channel, and keeps omitted fields', async () => {
    const { id } = await add({ description: 'Kept', color: '#123456', starred: true });
    const reply = await put(id, { name: 'Renamed channel' });
    expect(reply.body).toEqual({
      error: 0,
      message: 'The channel was updated.',
      // Ours.
      version: 2,
      id,
      name: 'Renamed channel',
      description: 'Kept',
      color: '#123456',
      starred: true,
    });
    expect((await put(id, { starred: false, description: null, color: '' })).body).toMatchObject({
      name: 'Renamed channel',
      starred: false,
      description: null,
      color: null,
    });
  });

  test('refuses the name of another channel, but not its own', async () => {
    await add({ name: 'Occupied' });
    const { id, name } = await add();
    expect((await put(id, { name: 'occupied' })).body).toMatchObject({
      code: 'name_taken',
      message: 'You already have a channel with this name.',
    });
    expect((await put(id, { name })).status).toBe(200);
  });
});

describe('the list of channels', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
    for (const [name, starred] of [
      ['beta', true],
      ['Alpha', false],
      ['Ärger', true],
    ]) {
      await app.request('POST', '/api/channel/add', { body: { name, starred } });
    }
  });
  afterAll(() => app.close());

  const names = async (query: string) => {
    const { body } = await app.request('GET', `/api/channels${query}`);
    return body.data.channels.map((channel: { name: string }) => channel.name);
  };

  test("is alphabetical, each with its count, in the contract's envelope", async () => {
    const { body } = await app.request('GET', '/api/channels?limit=2');
    expect(body).toEqual({
      error: 0,
      data: {
        result: 3,
        perpage: 2,
        currentpage: 1,
        nextpage: 2,
        maxpage: 2,
        channels: [
          { id: 2, name: 'Alpha', description: null, color: null, starred: false, count: 0, version: 1 },
          { id: 1, name: 'beta', description: null, color: null, starred: true, count: 0, version: 1 },
        ],
      },
    });
  });

  test('filters by star or by a substring of the name', async () => {
    expect(await names('?filter=starred')).toEqual(['beta', 'Ärger']);
    expect(await names('?q=%C3%A4RG')).toEqual(['Ärger']);
    expect(await names('?q=et&filter=starred')).toEqual(['beta']);
    expect(await names('?q=%25%25')).toEqual([]);
  });

  test('refuses other filters and one-character searches', async () => {
    expect((await app.request('GET', '/api/channels?filter=red')).body).toMatchObject({ field: 'filter' });
    expect((await app.request('GET', '/api/channels?q=a')).body).toMatchObject({ field: 'q' });
  });
});

describe('the items of a channel', () => {
  test("are sorted by date, newest first, in the contract's envelope", async () => {
    const { id } = await add();
    const old = await addLink({ title: 'Old', custom: 'old-item' });
    server.clock.advance(86_400_000);
    const young = await addLink({ custom: 'young-item' });
    for (const link of [young, old]) {
      const reply = await post(`/api/channel/${id}/assign/links/${link}`);
      expect(reply.body).toEqual({ error: 0, message: 'The item was assigned to the channel.' });
    }
    const { body } = await get(`/api/channel/${id}`);
    expect(body).toEqual({
      error: 0,
      data: {
        result: 2,
        perpage: 15,
        currentpage: 1,
        nextpage: null,
        maxpage: 1,
        items: [
          {
            type: 'links',
            id: young,
            title: 'young-item',
            preview: 'https://example.com/far',
            link: `${server.origin}/young-item`,
            date: '2027-01-16',
          },
          {
            type: 'links',
            id: old,
            title: 'Old',
            preview: 'https://example.com/far',
            link: `${server.origin}/old-item`,
            date: '2027-01-15',
          },
        ],
      },
    });
    const second = await get(`/api/channel/${id}?limit=1&page=2`);
    expect(second.body.data).toMatchObject({ maxpage: 2, nextpage: null, items: [{ id: old }] });
  });

  test('can be assigned and unassigned twice without a difference', async () => {
    const { id } = await add();
    const link = await addLink();
    for (const _ of [1, 2]) expect((await post(`/api/channel/${id}/assign/links/${link}`)).status).toBe(200);
    expect((await get(`/api/channel/${id}`)).body.data.result).toBe(1);
    for (const _ of [1, 2])
      expect((await post(`/api/channel/${id}/unassign/links/${link}`)).status).toBe(200);
    expect((await get(`/api/channel/${id}`)).body.data.result).toBe(0);
  });

  test('can be in several channels, and a link in the trash is in none', async () => {
    const [one, two] = [await add(), await add()];
    const link = await addLink();
    await post(`/api/channel/${one.id}/assign/links/${link}`);
    await post(`/api/channel/${two.id}/assign/links/${link}`);
    expect((await get(`/api/url/${link}`)).body.details.channel).toEqual([one.id, two.id]);
    await server.request('DELETE', `/api/url/${link}/delete`);
    expect((await get(`/api/channel/${one.id}`)).body.data).toMatchObject({ result: 0, items: [] });
    expect((await post(`/api/channel/${one.id}/assign/links/${link}`)).status).toBe(404);
  });

  test.each(['bio', 'qr'])('of type %s that do not exist are 404', async (type) => {
    const { id } = await add();
    const reply = await post(`/api/channel/${id}/assign/${type}/1`);
    expect([reply.status, reply.body.code]).toEqual([404, 'not_found']);
  });

  test.each(['link', 'LINKS', 'pixels', 'constructor'])('have no type %s', async (type) => {
    const { id } = await add();
    expect((await post(`/api/channel/${id}/assign/${type}/${await addLink()}`)).status).toBe(404);
  });

  test('are kept when the channel is deleted', async () => {
    const { id } = await add();
    const link = await addLink({ channel: id });
    const { undo } = (await server.request('DELETE', `/api/url/${link}/delete`)).body;
    await post(`/api/undo/${undo}`);
    await server.request('PUT', `/api/url/${link}/update`, { body: { channel: [] } });
    const [change] = (await get(`/api/url/${link}/history`)).body.data.changes;
    const reply = await server.request('DELETE', `/api/channel/${id}/delete`);
    expect(reply.body).toEqual({
      error: 0,
      message: 'The channel was deleted. Its items were kept.',
    });
    expect((await get(`/api/url/${link}`)).body.details.channel).toEqual([]);
    expect((await get(`/api/channel/${id}`)).status).toBe(404);
    // Nothing is left of a change that was about the channel alone.
    expect((await post(`/api/undo/${change.id}`)).body).toMatchObject({ error: 1, code: 'nothing_to_undo' });
    expect((await get(`/api/url/${link}`)).body.details.channel).toEqual([]);
  });
});
