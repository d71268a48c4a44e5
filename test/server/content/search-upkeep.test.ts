import { afterEach, beforeEach, expect, test } from 'vitest';
import { searchUpkeep } from '../../../server/content/links/search-upkeep.ts';
import { openInMemory } from '../../../server/platform/database/connect.ts';
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
