import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  nextMerged,
  readSegments,
  type SegmentLevel,
} from '../../../server/content/links/search-segments.ts';
import { searchUpkeep } from '../../../server/content/links/search-upkeep.ts';
import { type Connection, openInMemory } from '../../../server/platform/database/connect.ts';
import { migrations } from '../../../server/platform/database/migrations.ts';
import type { Backlog } from '../../../server/platform/jobs/backlog.ts';
import { startApp, type TestApp } from '../../support/app.ts';

let server: TestApp;
beforeEach(async () => {
  server = await startApp({ ratelimit: 1_000_000 });
});
afterEach(() => server.close());

const parts = () =>
  Number(server.databases.main.prepare('SELECT count(DISTINCT segid) FROM links_search_idx').pluck().get());
const options = () =>
  server.databases.main
    .prepare("SELECT k, v FROM links_search_config WHERE k LIKE '%merge' ORDER BY k")
    .raw()
    .all();

test('the search index stays in few parts, and no commit merges them', async () => {
  expect(options()).toEqual([
    ['automerge', 0],
    ['crisismerge', 1000],
  ]);
  const many = 200;
  for (let turn = 0; turn < many; turn += 1) {
    const body = { url: `https://example.com/harvest/${turn}` };
    expect((await server.request('POST', '/api/url/add', { body })).status).toBe(200);
  }
  await expect.poll(parts).toBeLessThan(40);
  expect((await server.request('GET', '/api/urls?q=harvest')).body.data.result).toBe(many);
}, 30_000);

test('an unchanged index is not written, which would cost a synced commit every minute', () => {
  const database = openInMemory(migrations);
  let step = () => true;
  const backlog: Partial<Backlog> = {
    add(chore) {
      step = chore.step;
      return async () => {};
    },
  };
  searchUpkeep(database, backlog as Backlog);
  const written = database.prepare('SELECT total_changes()').pluck();
  const mergeAll = () => {
    while (step());
    return written.get();
  };
  const before = mergeAll();
  expect(mergeAll()).toBe(before);
  const add = database.prepare('INSERT INTO links_search (rowid, search) VALUES (?, ?)');
  for (let id = 1; id <= 40; id += 1) add.run(id, `harvest ${id}`);
  const added = written.get();
  const merged = mergeAll();
  expect(Number(merged)).toBeGreaterThan(Number(added));
  expect(mergeAll()).toBe(merged);
});

/** Indexes links one by one in a database of their own and merges as the server does; returns the segments' pages. */
function segmentsAfter(
  links: number,
  before: (database: Connection) => void = () => {},
  isQuiet = false,
): SegmentLevel[] {
  const database = openInMemory(migrations);
  let step = () => true;
  const backlog: Partial<Backlog> = {
    add(chore) {
      step = chore.step;
      return async () => {
        while (step());
      };
    },
  };
  before(database);
  const upkeep = searchUpkeep(database, backlog as Backlog, () => isQuiet);
  const add = database.prepare('INSERT INTO links_search (rowid, search) VALUES (?, ?)');
  for (let id = 1; id <= links; id += 1) {
    add.run(1_000_000 + id, `https://example.com/${id}`);
    upkeep.committed();
  }
  return readSegments(
    database.prepare<[], Buffer>('SELECT block FROM links_search_data WHERE id = 10').pluck().get() ??
      Buffer.alloc(0),
  );
}

test('segments are read as FTS5 has them', () => {
  expect(segmentsAfter(0)).toEqual([]);
  expect(segmentsAfter(3)).toEqual([{ merging: 0, pages: [1, 1, 1] }]);
  const levels = segmentsAfter(160);
  expect(levels.length).toBeGreaterThan(1);
  expect(nextMerged(levels)).toBeUndefined();
});

test('a large segment is merged in quiet seconds only: its frequent words hold the thread', () => {
  const links = 50_000;
  const addMany = (database: Connection) => {
    const add = database.prepare('INSERT INTO links_search (rowid, search) VALUES (?, ?)');
    database.transaction(() => {
      for (let id = 1; id <= links; id += 1) add.run(id, `https://example.com/${id * 7_919} ${id} harvest`);
    })();
    // As a migration leaves it: one segment.
    database.exec("INSERT INTO links_search (links_search) VALUES ('optimize')");
  };
  const large = segmentsAfter(0, addMany).flatMap(({ pages }) => pages);
  expect(large.length).toBe(1);
  expect(large[0]).toBeGreaterThan(1_500);
  const after = segmentsAfter(800, addMany).flatMap(({ pages }) => pages);
  expect(after).toContain(large[0]);
  expect(after.length).toBeLessThan(60);
  const quiet = segmentsAfter(800, addMany, true).flatMap(({ pages }) => pages);
  expect(quiet).not.toContain(large[0]);
  expect(quiet.length).toBeLessThan(10);
});
