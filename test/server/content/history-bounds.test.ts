import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeQueries } from '../../../server/content/links/change-queries.ts';
import { historyJob } from '../../../server/content/links/history-job.ts';
import { transactions } from '../../../server/platform/database/transactions.ts';
import { slices } from '../../../server/platform/jobs/slices.ts';
import { startApp, type TestApp } from '../../support/app.ts';

const dayMs = 86_400_000;
let server: TestApp;
beforeAll(async () => {
  server = await startApp();
});
afterAll(() => server.close());

const add = async (custom: string): Promise<number> => {
  server.clock.advance(60_000);
  const body = { url: 'https://example.com/first', custom };
  return (await server.request('POST', '/api/url/add', { body })).body.id;
};
const update = async (id: number, body: object) => {
  server.clock.advance(1_000);
  const reply = await server.request('PUT', `/api/url/${id}/update`, { body });
  expect(reply.status).toBe(200);
};
const history = async (id: number) => {
  server.clock.advance(60_000);
  const { body } = await server.request('GET', `/api/url/${id}/history?limit=1000`);
  return body.data.changes as { id: number; undone: boolean }[];
};
const rowsOf = (table: string) =>
  (server.databases.main.prepare(`SELECT count(*) AS total FROM ${table}`).get() as { total: number }).total;
const linkRow = (id: number) => server.databases.main.prepare('SELECT * FROM links WHERE id = ?').get(id);
const locationOf = async (alias: string) =>
  (await fetch(`${server.origin}/${alias}`, { redirect: 'manual' })).headers.get('location');

async function runJob({ most, later = 0 }: { most?: number; later?: number } = {}): Promise<void> {
  const { main } = server.databases;
  const job = historyJob({
    queries: changeQueries(main),
    slices: slices({ transactions: transactions(main), monotonic: server.clock.monotonic }),
    now: () => server.clock.now() + later,
    ...(most !== undefined && { most }),
  });
  await job.run(AbortSignal.any([]));
}

describe('the history of links', () => {
  test('does not grow if nothing is changed', async () => {
    const id = await add('same');
    const channels = [];
    for (const name of ['One', 'Two']) {
      channels.push((await server.request('POST', '/api/channel/add', { body: { name } })).body.id);
    }
    await update(id, { title: 'Same', channel: channels });
    const before = [rowsOf('changes'), rowsOf('changed_links'), linkRow(id)];
    for (let count = 0; count < 5; count += 1) {
      await update(id, { title: 'Same', url: 'https://example.com/first', channel: [...channels].reverse() });
    }
    const rows = [{ url: 'https://example.com/first', alias: 'same', title: 'Same' }];
    await server.request('POST', '/api/urls/import', { body: { rows, conflict: 'replace' } });
    expect([rowsOf('changes'), rowsOf('changed_links'), linkRow(id)]).toEqual(before);
  });

  test('keeps the newest hundred changes of a link, and undoes the newest', async () => {
    const id = await add('often');
    for (let count = 1; count <= 105; count += 1) {
      await update(id, { url: `https://example.com/${count}` });
    }
    const changes = await history(id);
    expect(changes).toHaveLength(100);
    const undone = await server.request('POST', `/api/undo/${changes[0]?.id}`);
    expect(undone.status).toBe(200);
    expect(await locationOf('often')).toBe('https://example.com/104');
  });

  test('keeps fewer large ones, and always the newest', async () => {
    const id = await add('large');
    const rules = (text: string) =>
      Array.from({ length: 27 }, () => ({
        conditions: [{ type: 'country', op: 'is', value: 'DE' }],
        link: `https://example.com/${text.repeat(7_000)}`,
      }));
    for (const letter of 'abcdefgh') await update(id, { rules: rules(letter) });
    const bytes = server.databases.main
      .prepare('SELECT sum(length(before) + length(after)) FROM changed_links WHERE link_id = ?')
      .pluck()
      .get(id) as number;
    expect(bytes).toBeLessThan(1_100_000);
    const [newest] = await history(id);
    await server.request('POST', `/api/undo/${newest?.id}`);
    const { body } = await server.request('GET', `/api/url/${id}`);
    expect(body.details.rules[0].link).toMatch(/g{7000}$/);
  });

  test('removes changes that are a year old, those of a full account, and empty ones, once a day', async () => {
    const id = await add('old');
    await update(id, { title: 'Old' });
    server.databases.main.prepare('UPDATE changes SET at = at - ?').run(400 * dayMs);
    await update(id, { title: 'New' });
    await runJob();
    expect((await history(id)).map(({ undone }) => undone)).toEqual([false]);
    expect(rowsOf('changes')).toBe(1);
    for (const title of ['a', 'b', 'c', 'd', 'e', 'f']) await update(id, { title });
    await runJob({ most: 4 });
    expect(await history(id)).toHaveLength(4);
    expect(rowsOf('changes')).toBe(4);
    await server.request('DELETE', `/api/url/${id}/delete?force=1`);
    await runJob();
    expect(rowsOf('changes')).toBe(4);
    await runJob({ later: 2 * dayMs });
    expect(rowsOf('changes')).toBe(0);
  });

  test('removes nothing if a clock is far ahead', async () => {
    const id = await add('ahead');
    await update(id, { title: 'Kept' });
    await runJob({ later: 3_650 * dayMs });
    expect(rowsOf('changes')).toBe(1);
  });
});
