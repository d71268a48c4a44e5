import { afterEach, beforeEach, expect, test } from 'vitest';
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

test('the index of searches stays in few parts, and no commit merges them', async () => {
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
