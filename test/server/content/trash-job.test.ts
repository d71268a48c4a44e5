import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkQueries } from '../../../server/content/links/queries.ts';
import { trashJob } from '../../../server/content/links/trash-job.ts';
import { addLink, deleteLink, listLinks } from '../../../server/contract/links.ts';
import { transactions } from '../../../server/platform/database/transactions.ts';
import { slices } from '../../../server/platform/jobs/slices.ts';
import { startApp, type TestApp } from '../../support/app.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startApp();
});
afterAll(() => server.close());

test('links leave the trash after 30 days, and not before', async () => {
  const { main } = server.databases;
  const job = trashJob({
    queries: linkQueries(main),
    slices: slices({ transactions: transactions(main), monotonic: server.clock.monotonic }),
    onPurge() {},
    clock: { isTrusted: () => true },
    now: server.clock.now,
  });
  const trashed = async () => (await server.call(listLinks, { query: { status: 'trash' } })).data.result;
  for (let count = 0; count < 12; count += 1) {
    const { id } = await server.call(addLink, { body: { url: `https://example.com/${count}` } });
    await server.call(deleteLink, { params: { id } });
  }
  const { id: kept } = await server.call(addLink, { body: { url: 'https://example.com/kept' } });
  server.clock.advance(30 * 86_400_000 - 1000);
  await job.run(new AbortController().signal);
  expect(await trashed()).toBe(12);
  server.clock.advance(2000);
  await job.run(new AbortController().signal);
  expect(await trashed()).toBe(0);
  expect((await server.call(listLinks)).data.urls.map(({ id }) => id)).toEqual([kept]);
});
