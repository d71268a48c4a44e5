import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sourcesOf } from '../../../server/platform/trash/sources.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { testClock } from '../../support/clock.ts';
import { some } from '../../support/trials.ts';
import { visit } from '../../support/visits.ts';

const many = 1000;
/** Rows of the few steps that one transaction has here, where each look at the clock takes a millisecond. */
const mostAtOnce = 60;

let folder: string;
let server: TestApp;
async function start(): Promise<void> {
  const clock = testClock();
  let looks = 0;
  server = await startApp({
    folder,
    ratelimit: 10_000,
    clock: {
      ...clock,
      monotonic() {
        looks += 1;
        return clock.monotonic() + looks;
      },
    },
  });
}
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-trash-'));
  await start();
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = (sql: string) => server.databases.main.exec(sql);
const count = (sql: string): number => Number(server.databases.main.prepare(sql).pluck().get() ?? 0);
const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${many})`;

function addLinks(): void {
  run(
    `${numbers} INSERT INTO links (user_id, alias, url, created_at, updated_at, search)
       SELECT 1, 'a' || i, 'https://example.com/' || i, i, 1, 'a' || i FROM n;
     INSERT INTO aliases (domain_id, alias, kind, target_id) SELECT 0, alias, 'link', id FROM links;`,
  );
}

const add = async (path: string, body: object): Promise<number> =>
  (await server.request('POST', path, { body })).body.id;

interface Resource {
  list: string;
  /** Where visitors meet it, and how they are answered while it is there and after. */
  page?: { path: string; shown: number; hidden: number };
  add(): Promise<number>;
  fill(id: number): void;
  figures(id: number): number[];
}

/** The last link, which a deletion reaches last. */
const lastLink = { path: `/a${many}`, shown: 200, hidden: 302 };

/** What hangs on a record of each resource, by what its page shows; the first row of the tables has the number 1. */
const resources: Record<string, Resource> = {
  campaign: {
    list: '/api/campaigns',
    page: { path: '/r/many', shown: 302, hidden: 404 },
    add: () => add('/api/campaign/add', { name: 'Many', slug: 'many' }),
    fill: (id: number) =>
      run(`UPDATE links SET campaign_id = ${id}; UPDATE links SET campaign_weight = 1 + id % 9;`),
    figures: (id: number) => [
      count(`SELECT sum(campaign_weight * id) FROM links WHERE campaign_id = ${id}`),
      count(`SELECT links FROM campaign_counts WHERE campaign_id = ${id}`),
    ],
  },
  channel: {
    list: '/api/channels',
    add: () => add('/api/channel/add', { name: 'Many' }),
    fill: (id: number) => run(`INSERT INTO link_channels (channel_id, link_id) SELECT ${id}, id FROM links`),
    figures: (id: number) => [
      count(`SELECT count(*) FROM link_channels WHERE channel_id = ${id}`),
      count(`SELECT links FROM channel_counts WHERE channel_id = ${id}`),
    ],
  },
  pixel: {
    list: '/api/pixels',
    page: lastLink,
    add: () => add('/api/pixel/add', { type: 'gtmpixel', name: 'Many', tag: 'GTM-ABC123' }),
    fill: (id: number) => run(`UPDATE links SET pixels = '[${id}]'`),
    figures: (id: number) => [count(`SELECT count(*) FROM links WHERE pixels = '[${id}]'`)],
  },
  overlay: {
    list: '/api/overlay',
    page: lastLink,
    add: () =>
      add('/api/overlay/add', {
        name: 'Many',
        type: 'poll',
        content: { question: 'Which?', answers: ['One', 'Two'] },
      }),
    fill: (id: number) =>
      run(
        `UPDATE links SET type = 'overlay-${id}';
         ${numbers} INSERT INTO overlay_answers (overlay_id, sender, value, at) SELECT ${id}, 's' || i, 'One', i FROM n;
         INSERT INTO overlay_past_votes (overlay_id, value, votes, at) VALUES (${id}, 'Two', 7, 1);`,
      ),
    figures: (id: number) => [
      count(`SELECT count(*) FROM links WHERE type = 'overlay-${id}'`),
      count(`SELECT sum(at) FROM overlay_answers WHERE overlay_id = ${id}`),
      count(`SELECT votes FROM overlay_past_votes WHERE overlay_id = ${id}`),
    ],
  },
  splash: {
    list: '/api/splash',
    page: lastLink,
    add: () => add('/api/splash/add', { name: 'Many', title: 'Wait', message: 'Soon', counter: 5 }),
    fill: (id: number) => run(`UPDATE links SET type = '${id}'`),
    figures: (id: number) => [count(`SELECT count(*) FROM links WHERE type = '${id}'`)],
  },
  bio: {
    list: '/api/bio',
    page: { path: '/many', shown: 200, hidden: 404 },
    add: () => add('/api/bio/add', { name: 'Many', alias: 'many' }),
    fill: (id: number) =>
      run(
        `${numbers} INSERT INTO bio_counts (bio_id, hour, block, visits) SELECT ${id}, i / 10, i % 10, i FROM n;
         ${numbers} INSERT INTO bio_messages (bio_id, block, name, email, message, at)
           SELECT ${id}, 1, 'n', 'e@example.com', 'm', i FROM n;`,
      ),
    figures: (id: number) => [
      count(`SELECT sum(visits * hour) FROM bio_counts WHERE bio_id = ${id}`),
      count(`SELECT sum(at) FROM bio_messages WHERE bio_id = ${id}`),
    ],
  },
  qr: {
    list: '/api/qr',
    add: () => add('/api/qr/add', { name: 'Many', type: 'text', data: 'Hello' }),
    fill: (id: number) =>
      run(`${numbers} INSERT INTO qr_scans (qr_id, day, scans) SELECT ${id}, i, 2 FROM n`),
    figures: (id: number) => [count(`SELECT sum(scans) FROM qr_scans WHERE qr_id = ${id}`)],
  },
};

const inTrash = () => count('SELECT ifnull(sum(json_array_length(content)), 0) FROM trash_parts');

/** The largest change of a number between two turns of the event loop, until something is over. */
async function largestStep(number: () => number, over: Promise<unknown>): Promise<number> {
  let isOver = false;
  void over.finally(() => {
    isOver = true;
  });
  let largest = 0;
  for (let last = number(); !isOver; ) {
    await new Promise((resolve) => setImmediate(resolve));
    const current = number();
    largest = Math.max(largest, Math.abs(current - last));
    last = current;
  }
  return largest;
}

/** Those whose interruption is tried. */
const interrupted = some(Object.keys(resources), { from: 0, short: 2 });

describe.each(Object.entries(resources))('a record with thousands of rows (%s)', (name, resource) => {
  let id: number;
  let before: number[];
  beforeEach(async () => {
    addLinks();
    id = await resource.add();
    expect(id).toBeGreaterThan(0);
    resource.fill(id);
    before = resource.figures(id);
    expect(Math.min(...before)).toBeGreaterThan(0);
  });
  const remove = () => server.request('DELETE', `/api/${name}/${id}/delete`);
  const restore = () => server.request('POST', `/api/${name}/${id}/restore`);
  const statusOf = async () => (await server.request('GET', `/api/${name}/${id}`)).status;

  test('is deleted and restored completely, in slices', async () => {
    const removing = remove();
    expect(await largestStep(inTrash, removing)).toBeLessThanOrEqual(mostAtOnce);
    expect((await removing).status).toBe(200);
    expect(await statusOf()).toBe(404);
    expect(resource.figures(id)).toEqual(before.map(() => 0));
    expect((await visit(server, '/a7')).status).toBe(302);
    const restoring = restore();
    expect(await largestStep(inTrash, restoring)).toBeLessThanOrEqual(mostAtOnce);
    expect((await restoring).status).toBe(200);
    expect(resource.figures(id)).toEqual(before);
    expect([await statusOf(), inTrash()]).toEqual([200, 0]);
  });

  test('is in no list and on no page from the first slice on; a stopped server continues after its next start', {
    tags: interrupted.includes(name) ? [] : ['long'],
  }, async () => {
    const isLeaving = () => count("SELECT count(*) FROM removals WHERE state = 'leaving'") === 1;
    const look = async () => {
      const { body } = await server.request('GET', `${resource.list}?limit=100`);
      const page = resource.page && (await visit(server, resource.page.path)).status;
      return [await statusOf(), JSON.stringify(body).includes('"Many"'), page];
    };
    expect(await look()).toEqual([200, true, resource.page?.shown]);
    // A visit is counted, too.
    before = resource.figures(id);
    void remove().catch(() => {});
    await expect.poll(inTrash, { interval: 1 }).toBeGreaterThan(0);
    await server.close();
    await start();
    expect(isLeaving()).toBe(true);
    expect(await look()).toEqual([404, false, resource.page?.hidden]);
    expect([(await remove()).status, (await restore()).status]).toEqual([404, 404]);
    server.app.startJobs();
    await expect.poll(isLeaving).toBe(false);
    expect(resource.figures(id)).toEqual(before.map(() => 0));
    const all = inTrash();
    void restore().catch(() => {});
    await expect.poll(inTrash, { interval: 1 }).toBeLessThan(all);
    await server.close();
    await start();
    server.app.startJobs();
    await expect.poll(inTrash).toBe(0);
    expect(resource.figures(id)).toEqual(before);
    expect(await look()).toEqual([200, true, resource.page?.shown]);
  });
});

test('no step visits more links than it moves', () => {
  const plans = Object.entries(sourcesOf).flatMap(([resource, sources]) =>
    sources.flatMap(({ name, remove, restore }) =>
      [remove, ...restore].flatMap((sql) =>
        server.databases.main
          .prepare<[object], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
          .all({ id: 1, user: 1, rows: '[]' })
          .map(({ detail }) => ({ resource, name, detail })),
      ),
    ),
  );
  const wide = plans.filter(
    ({ detail }) => /^(SEARCH|SCAN) links\b/.test(detail) && !detail.includes('PRIMARY KEY'),
  );
  expect(wide).toEqual([]);
});
