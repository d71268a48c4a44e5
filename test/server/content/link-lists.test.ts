import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findCountFaults } from '../../../server/content/links/count-faults.ts';
import type { LinkFilter } from '../../../server/content/links/link-filter.ts';
import { linkLists } from '../../../server/content/links/list-queries.ts';
import { type Reader, reader } from '../../../server/platform/database/reader.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { seededIntegers } from '../../support/clock.ts';
import { secondAccount } from '../../support/second-account.ts';
import { visit } from '../../support/visits.ts';

let server: TestApp;
let reads: Reader;
beforeEach(async () => {
  server = await startApp({ ratelimit: 1_000_000 });
  reads = reader({ file: join(server.folder, 'waypost.sqlite'), nextTurn: async () => {} });
});
afterEach(async () => {
  await reads.close();
  await server.close();
});

const post = async (path: string, body: object = {}) => (await server.request('POST', path, { body })).body;
const get = async (path: string) => (await server.request('GET', path)).body.data;

interface Stored {
  id: number;
  user_id: number;
  alias: string;
  title: string | null;
  search: string;
  status: string;
  type: string;
  archived: number;
  locked: number;
  expires_at: number | null;
  not_before_at: number | null;
  click_limit: number | null;
  limited_clicks: number;
  campaign_id: number | null;
  domain_id: number | null;
  created_at: number;
  clicks: number;
  trashed_at: number | null;
  channels: string;
}

/** All links of the first account, as the tables have them. */
function stored(): Stored[] {
  return server.databases.main
    .prepare<[], Stored>(
      `SELECT *, (SELECT json_group_array(channel_id) FROM link_channels WHERE link_id = links.id) AS channels
       FROM links WHERE user_id = 1`,
    )
    .all();
}

const isExpired = (link: Stored, now: number) => (link.expires_at ?? Number.POSITIVE_INFINITY) <= now;
const isScheduled = (link: Stored, now: number) => (link.not_before_at ?? 0) > now;
const isExhausted = ({ click_limit, limited_clicks }: Stored) =>
  click_limit !== null && limited_clicks >= click_limit;
const states: Record<string, (link: Stored, now: number) => boolean> = {
  public: ({ status }) => status === 'public',
  private: ({ status }) => status === 'private',
  active: (link, now) =>
    link.archived === 0 && !isExpired(link, now) && !isScheduled(link, now) && !isExhausted(link),
  scheduled: (link, now) => link.archived === 0 && isScheduled(link, now),
  expired: (link, now) => link.archived === 0 && isExpired(link, now),
  exhausted: (link) => link.archived === 0 && isExhausted(link),
  archived: ({ archived }) => archived === 1,
  locked: ({ locked }) => locked === 1,
  trash: () => true,
};

/** The ids that a list must have, found the slow way. */
function expected(filter: LinkFilter, order: string, now: number): number[] {
  const { q, campaign, channel, domain, type, status } = filter;
  const found = stored().filter(
    (link) =>
      (status === 'trash') === (link.trashed_at !== null) &&
      (status === undefined || states[status]?.(link, now)) &&
      (q === undefined || link.search.includes(q)) &&
      (campaign === undefined || link.campaign_id === campaign) &&
      (channel === undefined || (JSON.parse(link.channels) as number[]).includes(channel)) &&
      (domain === undefined || (link.domain_id ?? 0) === domain) &&
      (type === undefined || link.type === type),
  );
  const nameOf = ({ title, alias }: Stored) => (title ?? alias).toLowerCase();
  const [key, direction = key === 'name' ? 'asc' : 'desc'] = order.split('_');
  found.sort((one, other) => {
    const names = nameOf(one) < nameOf(other) ? -1 : Number(nameOf(one) > nameOf(other));
    const first =
      key === 'name'
        ? names
        : key === 'clicks'
          ? one.clicks - other.clicks
          : one.created_at - other.created_at;
    return first || one.id - other.id;
  });
  return (direction === 'asc' ? found : found.reverse()).map(({ id }) => id);
}

/** Links of every kind, straight in the table. */
function addLinks(many: number): void {
  server.databases.main
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO links (user_id, alias, url, title, status, type, archived, locked, expires_at, not_before_at, click_limit,
         limited_clicks, campaign_id, trashed_at, created_at, clicks, updated_at, search)
       SELECT 1, 'made' || i, 'https://example.com/', iif(i % 3 = 0, NULL, 'Title ' || (i * 37 % 50)),
         iif(i % 7 = 0, 'private', 'public'), iif(i % 5 = 0, 'frame', 'direct'), i % 11 = 0, i % 13 = 0,
         iif(i % 17 = 0, 1000 * (i % 3), NULL), iif(i % 19 = 0, 9000000000000, NULL), iif(i % 23 = 0, 5, NULL), i % 7,
         iif(i % 2 = 0, 1, NULL), iif(i % 10 = 9, 1, NULL), i * 7919 % 100, i * 31 % 20, 1,
         'made' || i || char(10) || iif(i % 4 = 0, 'common word', 'other') FROM n`,
    )
    .run(many);
  server.databases.main.exec(
    'INSERT OR IGNORE INTO link_channels (channel_id, link_id) SELECT 1, id FROM links WHERE id % 3 = 0',
  );
}

const filters: LinkFilter[] = [
  {},
  { campaign: 1 },
  { channel: 1 },
  { q: 'common' },
  { q: 'co' },
  { q: 'made1' },
  { q: 'nowhere' },
  { type: 'direct' },
  { type: 'frame' },
  { domain: 0 },
  { campaign: 1, status: 'trash' },
  { channel: 1, status: 'trash', q: 'made' },
  { campaign: 1, channel: 1, q: 'common', type: 'direct' },
  ...Object.keys(states).map((status) => ({ status })),
];
const wantedOrders = ['date', 'date_asc', 'clicks', 'clicks_asc', 'name', 'name_desc'];

test('every page of every filter in every order matches a full scan of the links', async () => {
  await post('/api/campaign/add', { name: 'One' });
  await post('/api/channel/add', { name: 'One' });
  addLinks(300);
  const now = server.clock.now();
  // Sorting what matches, and reading in order until the page is full, from an end or from a place between.
  for (const lists of [linkLists(reads, 1_000_000), linkLists(reads, 0), linkLists(reads, 0, 10)]) {
    for (const filter of filters) {
      for (const order of wantedOrders) {
        const ids = expected(filter, order, now);
        for (const [limit, offset] of [
          [7, 0],
          [7, 98],
          [100, 100],
          [7, 150],
          [100, 200],
          [7, ids.length - 3],
          [7, ids.length],
        ] as const) {
          const page = await lists.list(1, filter, order, { limit, offset: Math.max(0, offset) }, now);
          const wanted = ids.slice(Math.max(0, offset), Math.max(0, offset) + limit);
          expect([filter, order, offset, page.total, page.rows.map(({ id }) => id)]).toEqual([
            filter,
            order,
            offset,
            ids.length,
            wanted,
          ]);
        }
      }
    }
  }
}, 60_000);

test('pages in the middle of a list are right after changes, also those made while one is read', async () => {
  await post('/api/campaign/add', { name: 'One' });
  await post('/api/channel/add', { name: 'One' });
  addLinks(300);
  server.databases.main.exec('UPDATE links SET locked = 0');
  const now = server.clock.now();
  /** Removes a link on the first page between two reads of the list. */
  let meanwhile: (() => Promise<unknown>) | undefined;
  const lists = linkLists(
    {
      ...reads,
      async read(some) {
        const rows = await reads.read(some);
        if (some.some(({ keptWith }) => keptWith !== undefined)) await meanwhile?.();
        return rows;
      },
    },
    0,
    10,
  );
  const removeFirst = async () => {
    meanwhile = undefined;
    const { status } = await server.request('DELETE', `/api/url/${expected({}, 'date', now)[0]}/delete`);
    expect(status).toBe(200);
  };
  const expectRight = async (order: string) => {
    for (const offset of [98, 150]) {
      const { rows } = await lists.list(1, {}, order, { limit: 7, offset }, now);
      expect(rows.map(({ id }) => id)).toEqual(expected({}, order, now).slice(offset, offset + 7));
    }
  };
  for (const order of ['date', 'date_asc']) {
    await expectRight(order);
    await removeFirst();
    await expectRight(order);
    meanwhile = removeFirst;
    await expectRight(order);
  }
});

test('pages beyond the end are empty, also of lists that nobody ever had a link in', async () => {
  for (const filter of ['', 'status=trash', 'campaign=999', 'channel=999']) {
    for (const order of wantedOrders) {
      for (const page of [1, 2, 12, 5_000]) {
        const { status, body } = await server.request(
          'GET',
          `/api/urls?${filter}&order=${order}&page=${page}&limit=2`,
        );
        expect([filter, order, page, status, body.data?.result, body.data?.urls]).toEqual([
          filter,
          order,
          page,
          200,
          0,
          [],
        ]);
      }
    }
  }
});

test('counts are refreshed after a change', async () => {
  const found = async (query: string) => (await get(`/api/urls?${query}`)).result;
  const { id } = await post('/api/url/add', { url: 'https://example.com/harvest', custom: 'one' });
  expect([await found('q=harvest'), await found('type=direct&q=har')]).toEqual([1, 1]);
  await post('/api/url/add', { url: 'https://example.com/harvest', custom: 'two' });
  expect(await found('q=harvest')).toBe(2);
  await server.request('PUT', `/api/url/${id}/update`, { body: { url: 'https://example.com/spring' } });
  expect(await found('q=harvest')).toBe(1);
  const { id: channel } = await post('/api/channel/add', { name: 'Shop' });
  expect(await found(`channel=${channel}&status=public`)).toBe(0);
  await post(`/api/channel/${channel}/assign/links/${id}`);
  expect(await found(`channel=${channel}&status=public`)).toBe(1);
});

test('lengths stay correct through everything that can happen to links', async () => {
  const random = seededIntegers(4);
  const bert = secondAccount(server);
  await bert.request('POST', '/api/url/add', { body: { url: 'https://example.com/bert' } });
  const campaigns: number[] = [];
  const channels: number[] = [];
  const undos: number[] = [];
  const ids = () => stored().map(({ id }) => id);
  const one = (from: readonly number[]) => from[random(from.length)] ?? 0;
  const some = () => ids().filter(() => random(3) === 0);
  const bulk = async (action: string, value?: unknown) => {
    const reply = await post('/api/urls/bulk', { ids: some(), action, value });
    if (reply.data?.undo) undos.push(reply.data.undo);
  };
  const steps: (() => Promise<unknown>)[] = [
    () => post('/api/url/add', { url: 'https://example.com/', campaign: one(campaigns) || undefined }),
    () => post('/api/url/add', { url: 'https://example.com/', channel: one(channels) || undefined }),
    async () => campaigns.push((await post('/api/campaign/add', { name: `c${campaigns.length}` })).id),
    async () => channels.push((await post('/api/channel/add', { name: `c${channels.length}` })).id),
    () => server.request('DELETE', `/api/url/${one(ids())}/delete`),
    () => server.request('DELETE', `/api/url/${one(ids())}/delete?force=1`),
    () => bulk('delete'),
    () => bulk('restore'),
    () => bulk('campaign', one(campaigns)),
    () => bulk('channel_add', one(channels)),
    () => bulk('channel_remove', one(channels)),
    () => bulk('archive'),
    () => bulk('purge'),
    () => post(`/api/undo/${undos.pop() ?? 0}`),
    () => server.request('DELETE', `/api/campaign/${one(campaigns)}/delete`),
    () => post(`/api/campaign/${one(campaigns)}/restore`),
    () => server.request('DELETE', `/api/channel/${one(channels)}/delete`),
    () => post(`/api/channel/${one(channels)}/restore`),
    () =>
      post('/api/urls/import', {
        conflict: 'replace',
        rows: [1, 2, 3].map(() => ({
          url: 'https://example.com/i',
          alias: `i${random(9)}`,
          tags: [`tag${random(3)}`],
        })),
      }),
  ];
  await steps[2]?.();
  await steps[3]?.();
  for (let step = 0; step < 150; step += 1) {
    await steps[random(steps.length)]?.();
    expect(findCountFaults(server.databases.main)).toEqual([]);
  }
  const live = stored().filter(({ trashed_at }) => trashed_at === null);
  expect(await get('/api/urls?limit=2&page=2')).toMatchObject({
    result: live.length,
    perpage: 2,
    currentpage: 2,
    maxpage: Math.max(1, Math.ceil(live.length / 2)),
  });
  for (const { alias } of live.slice(0, 5)) expect((await visit(server, `/${alias}`)).status).toBe(302);
  await server.request('DELETE', '/api/user/2/delete');
  expect(findCountFaults(server.databases.main)).toEqual([]);
}, 60_000);
