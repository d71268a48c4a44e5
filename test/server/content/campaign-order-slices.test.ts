import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp();
});
afterAll(() => server.close());

const many = 2_500;

/** A campaign of thousands of links, made straight in the database; returns the ids of its links. */
function campaignOfMany(id: number): number[] {
  const { main } = server.databases;
  main
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < @many - 1)
       INSERT INTO links (user_id, campaign_id, alias, url, created_at, updated_at, search)
       SELECT 1, @id, 'of-' || @id || '-' || i, 'https://example.com/' || i, i, i, 'x' FROM n`,
    )
    .run({ id, many });
  return main.prepare('SELECT id FROM links WHERE campaign_id = ? ORDER BY id').pluck().all(id) as number[];
}

const add = async (name: string) =>
  (await server.request('POST', '/api/campaign/add', { body: { name } })).body.id as number;
const order = (id: number, links: number[]) =>
  server.request('PUT', `/api/campaign/${id}/order`, { body: { links } });
const inOrder = (id: number) =>
  server.databases.main
    .prepare('SELECT id FROM links WHERE campaign_id = ? ORDER BY campaign_position')
    .pluck()
    .all(id) as number[];
const placed = (id: number) =>
  server.databases.main
    .prepare('SELECT count(campaign_position) FROM links WHERE campaign_id = ?')
    .pluck()
    .get(id) as number;

test('thousands of links are sorted in slices', async () => {
  const id = await add('Many');
  const links = campaignOfMany(id);
  const reply = order(id, links);
  const seen = [0];
  while (seen.at(-1) !== many) {
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(placed(id));
  }
  expect((await reply).status).toBe(200);
  const steps = seen.slice(1).map((count, index) => count - (seen[index] ?? 0));
  expect(Math.max(...steps)).toBeLessThan(many);
  expect(inOrder(id)).toEqual(links);
});

test('of two simultaneous orders, the later one is applied completely', async () => {
  const id = await add('Twice');
  const links = campaignOfMany(id);
  const backwards = links.toReversed();
  const first = order(id, links);
  while (placed(id) === 0) await new Promise((resolve) => setImmediate(resolve));
  const replies = await Promise.all([first, order(id, backwards)]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  expect(inOrder(id)).toEqual(backwards);
});
